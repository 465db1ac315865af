// Coefficients of friction that depend on slip speed, pressure, place, time and slip.

#include <percussion/dynamics/contact_account.h>

#include "cases/checked_case.h"
#include "cases/rigid_runs.h"
#include <cstring>
#include <random>

namespace friction_cases { // separates names from other tests in unity builds

using namespace percussion;
using cases_in_space::Assignments;
using cases_in_space::Stepped;

/// Scene that slides, sticks and separates, made of a shipped case.
struct Scene {
  std::string name;                  ///< name of the file in params
  std::vector<std::string> contacts; ///< contacts whose friction is replaced
  Assignments assignments;
  unsigned int n_steps;
  bool has_area = true; ///< false: points of rigid bodies

  std::string description() const {
    return name + (assignments.empty() ? "" : ", " + assignments.front());
  }
};

const Scene sliding_block{"hello_drop",
                          {"ground"},
                          {"Contact/ground/Point=0, -0.001", "Initial state/Velocity x=1"},
                          120};

/// Returns scenes with all discretisations of contacts, in 2D and 3D.
std::vector<Scene> scenes() {
  std::vector<Scene> all = {sliding_block,
                            {"rolling_disc", {"ground"}, {}, 60},
                            {"two_blocks",
                             {"rubber"},
                             {"Contact/rubber/Point=0, -0.001", "Contact/stiff/Point=0, -0.001"},
                             100},
                            {"box_slide", {"ground"}, {}, 40},
                            {"dominoes",
                             {"table", "dominoes"},
                             {"Time/Step=2e-3", "Contact/dominoes/Restitution=0"},
                             100,
                             false}};
  for (const std::string bars : {"two_bars", "bars_in_space"})
    for (const std::string discretisation : {"mortar", "nodes", "nodes of both sides"})
      all.push_back(
          {bars,
           {"ends"},
           {"Contact/ends/Discretisation=" + discretisation, "Contact/Node inertia=consistent",
            "Initial state/Velocity y=0.05*(x > 0.001)", "Mesh/Parameters=n = 2"},
           100});
  return all;
}

ParameterFile file_of(const Scene &scene) {
  return ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + scene.name + ".prm");
}

Assignments friction_assignments(const Scene &scene, const std::string &friction) {
  Assignments all = scene.assignments;
  for (const std::string &contact : scene.contacts)
    all.push_back("Contact/" + contact + "/Friction coefficient=" + friction);
  return all;
}

bool same_bits(const Vector &a, const Vector &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Expects that a formula with a constant value moves the bodies as the constant does.
template <int dim>
void expect_same_motion(const Scene &scene, const Assignments &more = {},
                        const std::string &constant_formula = "0.3 + 0*slip_speed*slip*x") {
  auto a = friction_assignments(scene, "0.3"), b = friction_assignments(scene, constant_formula);
  a.insert(a.end(), more.begin(), more.end());
  b.insert(b.end(), more.begin(), more.end());
  Stepped<dim> number(cases_in_space::build<dim>(file_of(scene), a)),
      formula(cases_in_space::build<dim>(file_of(scene), b));
  double friction = 0;
  for (unsigned int k = 0; k < scene.n_steps; ++k) {
    friction += number.advance().works.contact_tangential;
    formula.advance();
    ASSERT_TRUE(same_bits(number.state.q, formula.state.q)) << "step " << k + 1;
    ASSERT_TRUE(same_bits(number.state.v, formula.state.v)) << "step " << k + 1;
  }
  EXPECT_NE(friction, 0.);
}

TEST(FrictionFormulas, OfAConstantGiveTheBytesOfTheConstant) {
  for (const Scene &scene : scenes()) {
    SCOPED_TRACE(scene.description());
    dispatch_dimension(dimension_of(file_of(scene)),
                       [&](auto dim) { expect_same_motion<dim>(scene); });
  }
}

/// In Nitsche's method, changes of tractions would count as slip.
TEST(FrictionFormulas, AreAcceptedByAllSchemes) {
  for (const Scheme &scheme : schemes()) {
    SCOPED_TRACE(scheme.name);
    const bool has_slip = scheme.formulation != Formulation::nitsche;
    Assignments more = {std::string("Time/Scheme=") + scheme.name};
    if (scheme.integrator != Integrator::theta || !has_slip)
      more.emplace_back("Material/Viscosity=0");
    if (has_slip) {
      expect_same_motion<2>(sliding_block, more);
      continue;
    }
    expect_same_motion<2>(sliding_block, more, "0.3 + 0*slip_speed*x");
    EXPECT_THROW(expect_same_motion<2>(sliding_block, more), InputError);
  }
}

/// Returns a random law of friction with values between 0 and 1.
std::string random_law(std::mt19937 &random, bool has_area) {
  std::uniform_real_distribution<double> number(0., 1.);
  const auto term = [&](const std::string &variable) {
    return " + " + std::to_string(0.2 * number(random)) + "*" + variable;
  };
  std::string law = std::to_string(0.1 * number(random));
  law += term("exp(-slip_speed/" + std::to_string(0.01 + 0.5 * number(random)) + ")");
  law += term("sin(" + std::to_string(50 * number(random)) + "*x)^2");
  law += term("cos(" + std::to_string(500 * number(random)) + "*t)^2");
  law += term("slip/(slip + " + std::to_string(0.001 + 0.01 * number(random)) + ")");
  if (has_area)
    law += term("pressure/(pressure + " + std::to_string(0.01 + 100 * number(random)) + ")");
  return law;
}

/// Expects that no contact does positive work, and that the ledger closes.
template <int dim>
void expect_dissipation(const Scene &scene, const std::string &law, ImpactLawKind kind) {
  std::string name;
  for (const auto &row : impact_laws())
    if (row.kind == kind)
      name = row.name;
  Assignments assignments = friction_assignments(scene, law);
  for (const std::string &contact : scene.contacts)
    assignments.push_back("Contact/" + contact + "/Impact law=" + name);
  assignments.emplace_back("Solver/Tolerance=1e-11");
  Stepped<dim> run(cases_in_space::build<dim>(file_of(scene), assignments));
  double scale = std::abs(run.state.energy()), friction = 0, least = 1, largest = 0;
  for (unsigned int k = 0; k < scene.n_steps; ++k) {
    const auto &record = run.advance();
    scale = std::max(scale, run.state.energy());
    EXPECT_LE(record.tangential_work_max, 1e-11 * scale) << "step " << k + 1;
    EXPECT_LE(std::abs(record.balance_residual), 1e-12 * scale) << "step " << k + 1;
    friction += record.works.contact_tangential;
    for (const auto &contact : record.contacts)
      if (contact.carries()) {
        least = std::min(least, contact.friction);
        largest = std::max(largest, contact.friction);
      }
  }
  EXPECT_LT(friction, -1e-8 * scale);
  EXPECT_GT(largest, least + 0.01);
}

TEST(FrictionFormulas, LetNoContactDoPositiveWork) {
  std::mt19937 random(36);
  for (const Scene &scene : scenes())
    for (const auto kind : {ImpactLawKind::fremond, ImpactLawKind::dissipative,
                            ImpactLawKind::persistent_dissipative}) {
      const std::string law = random_law(random, scene.has_area);
      SCOPED_TRACE(scene.description() + ", law " + std::to_string(static_cast<int>(kind)) + ": " +
                   law);
      dispatch_dimension(dimension_of(file_of(scene)),
                         [&](auto dim) { expect_dissipation<dim>(scene, law, kind); });
    }
}

/// Expects that every variable has its value at the beginning of the step, computed here from
/// states and records, while a block slides on the ground.
void expect_variables(const Assignments &more, double ground_speed, bool has_slip) {
  const std::string text = "2 + slip_speed/7 + pressure/1e5 + x/3 + y/5 + t/11" +
                           std::string(has_slip ? " + slip/13" : "");
  Assignments assignments = friction_assignments(sliding_block, text);
  assignments.insert(assignments.end(), more.begin(), more.end());
  Stepped<2> run(cases_in_space::build<2>(file_of(sliding_block), assignments));
  const Boundary<2> &boundary = *run.c.boundary;
  std::vector<ContactAccount<2>> accounts;
  StepRecord<2> last;
  unsigned int n_slipped = 0;
  for (unsigned int k = 0; k < 60; ++k) {
    const State<2> begin = run.state;
    const TraceField q0 = boundary.trace.gather(begin.q), v0 = boundary.trace.gather(begin.v);
    const StepRecord<2> record = run.advance();
    for (const auto &contact : record.contacts) {
      const ContactPoint<2> &point = boundary.points[contact.point];
      const auto is_same = [&](const auto &entry) { return entry.key == contact.key; };
      const auto was = std::find_if(last.contacts.begin(), last.contacts.end(), is_same);
      const auto slid = std::find_if(accounts.begin(), accounts.end(), is_same);
      const double pressure = was == last.contacts.end()
                                  ? 0.
                                  : was->percussion[0] / (run.c.choices.h * contact.area),
                   slip = slid == accounts.end() ? 0. : slid->slip;
      const auto x = point.position + boundary.value_at(point, q0);
      const double speed = std::abs(boundary.value_at(point, v0)[0] - ground_speed);
      const double expected = 2 + speed / 7 + pressure / 1e5 + x[0] / 3 + x[1] / 5 +
                              begin.time / 11 + (has_slip ? slip / 13 : 0.);
      EXPECT_NEAR(contact.friction, expected, 1e-11);
      n_slipped += slip > 0. && pressure > 0.;
    }
    add_accounts(record.accounts, accounts);
    last = record;
  }
  EXPECT_GT(n_slipped, 10u);
}

/// Contacts at nodes and between them; in Nitsche's method, tractions belong to the rows of H, and
/// not to the slip speed.
TEST(FrictionFormulas, TakeTheirVariablesAtTheBeginning) {
  for (const std::string scheme :
       {"moreau-jean-fremond", "pdas-leapfrog", "augmented-lagrangian", "nitsche-symmetric"})
    for (const double ground_speed : {0., 0.25}) {
      SCOPED_TRACE(scheme + ", " + std::to_string(ground_speed));
      const bool has_slip = scheme != "nitsche-symmetric";
      Assignments more = {"Time/Scheme=" + scheme};
      if (!has_slip)
        more.emplace_back("Material/Viscosity=0");
      if (ground_speed != 0.)
        more.push_back("Contact/ground/Motion x=" + std::to_string(ground_speed) + "*t");
      expect_variables(more, ground_speed, has_slip);
    }
}

/// Two crossed boxes touch with one edge each: the contact is no vertex of either.
TEST(FrictionFormulas, KnowThePositionOfACrossingOfEdges) {
  const auto box = [](const std::string &name, const std::string &placement) {
    return "subsection Rigid bodies\n  subsection " + name +
           "\n    set Shape = box\n    set Mass = 1\n" + placement + "  end\nend\n";
  };
  // Half the diagonal of the sections, 1 by 1, is √½ = 0.70710678...
  const std::string text =
      box("lower", "    set Size = 9, 1, 1\n    set Axis = 1, 0, 0\n"
                   "    set Angle = 0.7853981633974483\n    set Position = 0, -0.25, 0\n") +
      box("upper", "    set Size = 1, 9, 1\n    set Axis = 0, 1, 0\n"
                   "    set Angle = 0.7853981633974483\n"
                   "    set Position = 0.5, 0, 1.414213562373095\n") +
      R"(subsection Contact
  subsection boxes
    set Bodies = upper
    set Surface = rigid bodies
    set Against = lower
    set Friction coefficient = 10 + x + y/10 + z/100
  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -1
end
)" + rigid_runs::moving;
  auto run = rigid_runs::stepped<3>(text);
  const auto &record = run.advance();
  ASSERT_EQ(record.contacts.size(), 1u);
  EXPECT_NEAR(record.contacts[0].friction, 10 + 0.5 - 0.025 + 0.0070710678, 1e-8);
}

// ---- input ----

class FrictionInput : public cases::CheckedCase {
protected:
  cases::Outcome check(const std::string &friction, const Assignments &more = {}) const {
    Assignments all = {"Contact/ground/Friction coefficient=" + friction};
    all.insert(all.end(), more.begin(), more.end());
    write("case.prm", case_file);
    return check_with(all);
  }
};

TEST_F(FrictionInput, IsANumberOrAFormula) {
  for (const char *const friction :
       {"0.3", "3*0.1", "0.2 + 0.1*exp(-slip_speed/0.01)", "pressure/(pressure + 1)", "0.1 + slip",
        "0.3*(x > 0.5)", "0.3 + 0.1*y", "0.1*abs(sin(t))"})
    EXPECT_EQ(check(friction).status, 0) << friction;
  write("mu.csv", "0, 0.3\n1, 0.2\n");
  EXPECT_EQ(check("table(\"mu.csv\", slip_speed)").status, 0);
  expect_refusal(check("-0.3"),
                 {"'Contact/ground/Friction coefficient' is '-0.3': allowed is a number >= 0, or a "
                  "formula of x, y, t, slip_speed, pressure, slip"});
  expect_refusal(check("0.3*slipspeed"),
                 {"'slipspeed' is no variable", "allowed is a number >= 0"});
  expect_refusal(check("0.3*slip_speed + speed"),
                 {"not a formula: 'speed' is no variable (t, x, y, slip_speed, pressure, slip)"});
  expect_refusal(check("0.3*slip_speed + z"), {"'z' is no variable"});
  expect_refusal(check("0.3*(slip_speed"), {"not a formula: missing parenthesis"});
  expect_refusal(check("table(\"none.csv\", slip)"), {"none.csv"});
}

TEST_F(FrictionInput, HasNoVariableWithTheNameOfAConstant) {
  const Assignments constant = {"Constants/slip=0.3"};
  EXPECT_EQ(check("0.3 + x", constant).status, 0);
  expect_refusal(check("0.3 + slip", constant),
                 {"'slip' is a variable of this formula and a constant of the file"});
}

TEST_F(FrictionInput, IsPositiveAtTheFirstMoment) {
  expect_refusal(check("slip - 0.1"), {"Contact/ground/Friction coefficient",
                                       "the coefficient is -0.1 at t = 0 for a contact without "
                                       "pressure and slip; it must be a number >= 0"});
  expect_refusal(check("0.3*pressure^(-1/3)"), {"the coefficient is inf at t = 0"});
}

TEST_F(FrictionInput, HasNoPressureAtPointsOfRigidBodies) {
  write("case.prm", std::string(case_file) + R"(subsection Rigid bodies
  subsection brick
    set Mass = 1
    set Position = 5, 5
  end
end
subsection Contact
  subsection brick
    set Bodies = brick
    set Friction coefficient = 0.1 + pressure
  end
end
)");
  expect_refusal(check_with({}), {"Contact/brick/Friction coefficient",
                                  "points of rigid bodies have no area and hence no pressure"});
}

/// A coefficient that becomes negative, infinite or no table's value ends the run with status 1.
TEST_F(FrictionInput, MayFailInARun) {
  write("case.prm", case_file);
  write("mu.csv", "0, 0.3\n0.005, 0.2\n");
  const std::vector<std::pair<std::string, std::string>> laws = {
      {"0.005 - t + 0*x", ": the value is -0.001, and must be a number >= 0"},
      {"1/(x - 0.5)^2", "the value is inf, and must be a number >= 0"},
      {"sqrt(0.0055 - t) + 0*x", "the value is "},
      {"table(\"mu.csv\", t)*(x > -1)", "has no value at"}};
  for (const auto &[law, words] : laws) {
    SCOPED_TRACE(law);
    const auto outcome = start("percussion", {"case.prm", "--output", "results", "--set",
                                              "Contact/ground/Friction coefficient=" + law});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(
        cases::has(outcome.error, "contact 'ground': Friction coefficient '" + law + "' at t = "))
        << outcome.error;
    EXPECT_TRUE(cases::has(outcome.error, words)) << outcome.error;
    cases::fs::remove_all(folder / "results");
  }
}

} // namespace friction_cases
