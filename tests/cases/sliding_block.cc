// AC24's sliding block: the shipped cases compared with the statements of the paper, and the same
// cases on the authors' mesh compared with their results.

#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/csv.h"
#include "support/sparse_matrices.h"
#include <cmath>
#include <filesystem>

namespace {

using namespace percussion;

using Assignments = std::vector<std::string>;

Case<2> sliding_block(const Assignments &assignments) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/sliding_block.prm");
  for (const auto &assignment : assignments)
    file.override_with(assignment);
  return build_case<2>(Parameters(declare_case(&file), file), file);
}

double frobenius(const SparseMatrix &A, const std::vector<unsigned int> &rows) {
  std::vector<bool> wanted(A.n_rows(), false);
  for (const unsigned int row : rows)
    wanted[row] = true;
  double sum = 0;
  test::visit_entries(A, [&](unsigned int i, unsigned int j, double value) {
    if (wanted[i] && wanted[j])
      sum += value * value;
  });
  return std::sqrt(sum);
}

double trace(const SparseMatrix &A) {
  double sum = 0;
  for (unsigned int i = 0; i < A.n_rows(); ++i)
    sum += A(i, i);
  return sum;
}

// ---- our own mesh: the energy statements ----

struct Extremes {
  double normal_max = 0, tangential_max = 0, residual_max = 0, energy_max = 0;
  std::vector<unsigned int> active;
  std::vector<double> kinetic, strain;
};

Extremes extremes_of(const Case<2> &c) {
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  Extremes extremes;
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    const auto &record = step.advance(state, k * c.choices.h);
    extremes.normal_max = std::max(extremes.normal_max, record.normal_work_max);
    extremes.tangential_max = std::max(extremes.tangential_max, record.tangential_work_max);
    extremes.residual_max = std::max(extremes.residual_max, std::abs(record.balance_residual));
    extremes.energy_max = std::max(extremes.energy_max, state.energy());
    extremes.active.push_back(static_cast<unsigned int>(record.contacts.size()));
    extremes.kinetic.push_back(state.kinetic);
    extremes.strain.push_back(state.strain);
  }
  return extremes;
}

TEST(SlidingBlock, FremondDissipatesContactByContact) {
  const Extremes extremes = extremes_of(sliding_block({}));
  EXPECT_LE(extremes.tangential_max, 1e-12);
  EXPECT_LE(extremes.normal_max, 1e-12);
  EXPECT_LE(extremes.residual_max, 1e-13 * extremes.energy_max);
  EXPECT_GT(extremes.energy_max, 100.);
}

TEST(SlidingBlock, TheClassicalLawCreatesTangentialWork) {
  const Extremes extremes = extremes_of(sliding_block({"Time/Scheme=moreau-jean"}));
  EXPECT_GT(extremes.tangential_max, 1e-3);
  EXPECT_LE(extremes.residual_max, 1e-13 * extremes.energy_max);
}

TEST(SlidingBlock, BothSolversGiveTheSameRun) {
  const Assignments tight = {"Solver/Tolerance=1e-13"};
  const Extremes newton = extremes_of(sliding_block(tight));
  const Extremes nsgs =
      extremes_of(sliding_block({"Solver/Tolerance=1e-13", "Solver/Method=nsgs"}));
  EXPECT_EQ(newton.active, nsgs.active);
  for (std::size_t k = 0; k < newton.kinetic.size(); ++k) {
    ASSERT_NEAR(newton.kinetic[k], nsgs.kinetic[k], 1e-9 * newton.kinetic[k]) << k;
    ASSERT_NEAR(newton.strain[k], nsgs.strain[k], 1e-9 * newton.strain[k]) << k;
  }
}

// ---- the authors' mesh: their results (tests/reference) ----

class Reference : public ::testing::Test {
protected:
  const std::string folder = PERCUSSION_REFERENCE_DIR "/sliding_block/";

  Case<2> reference_case(const std::string &scheme, const std::string &gap_tolerance) const {
    return sliding_block(
        {"Mesh/File=" + std::filesystem::absolute(folder).string() + "sliding_block.msh",
         "Contact/Separating contacts=as in the paper", "Contact/Gap tolerance=" + gap_tolerance,
         "Time/Scheme=" + scheme});
  }

  /// Returns our node for each of the authors' nodes, by position.
  static std::vector<unsigned int>
  our_nodes(const Case<2> &c, const std::map<std::string, std::vector<double>> &theirs) {
    std::map<std::pair<long, long>, unsigned int> at;
    const auto key = [](double x, double y) {
      return std::pair(std::lround(x * 1e7), std::lround(y * 1e7));
    };
    for (unsigned int i = 0; i < c.bodies->elastic.front()->space.n_nodes(); ++i)
      at[key(c.bodies->elastic.front()->space.nodes[i][0],
             c.bodies->elastic.front()->space.nodes[i][1])] = i;
    std::vector<unsigned int> ours;
    for (std::size_t k = 0; k < theirs.at("x").size(); ++k)
      ours.push_back(at.at(key(theirs.at("x")[k], theirs.at("y")[k])));
    return ours;
  }
};

TEST_F(Reference, AssemblyAndInitialState) {
  const auto c = reference_case("moreau-jean", "1e-12");
  nlohmann::json expected;
  std::ifstream(folder + "sliding_assembly.json") >> expected;
  const auto near = [&](double value, const char *key) {
    EXPECT_NEAR(value, expected[key].get<double>(), 1e-12 * expected[key].get<double>()) << key;
  };
  std::vector<unsigned int> all(c.bodies->n_dofs());
  for (unsigned int i = 0; i < all.size(); ++i)
    all[i] = i;
  EXPECT_EQ(c.bodies->elastic.front()->space.n_nodes(), expected["nodes"].get<unsigned int>());
  EXPECT_EQ(c.boundary->points.size(), expected["contacts"].get<unsigned int>());
  near(frobenius(c.bodies->operators.mass, all), "M_fro");
  near(trace(c.bodies->operators.mass), "M_trace");
  near(frobenius(c.bodies->operators.stiffness, all), "K_fro");
  near(trace(c.bodies->operators.stiffness), "K_trace");

  // W = H Â⁻¹ Hᵀ of all contacts is posed in the first step, in which all contacts are closed.
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  near(state.strain, "strain0");
  near(state.q.l2_norm(), "q0_norm");
  step.advance(state, c.choices.h);
  ASSERT_NE(step.posed_problem(), nullptr);
  const auto &problem = step.posed_problem()->problem;
  ASSERT_EQ(problem.n_contacts, c.boundary->points.size());
  const double unit =
      step.posed_problem()->percussion_unit / step.posed_problem()->velocity_unit * c.choices.theta;
  double squares = 0, diagonal = 0;
  const std::size_t n = 2 * problem.n_contacts;
  for (std::size_t i = 0; i < n; ++i) {
    diagonal += problem.W[i * n + i] / unit;
    for (std::size_t j = 0; j < n; ++j)
      squares += std::pow(problem.W[i * n + j] / unit, 2);
  }
  near(std::sqrt(squares), "W_MJ_fro");
  near(diagonal, "W_MJ_trace");

  const auto nodes = test::read_csv(folder + "mesh_nodes.csv");
  const auto q = test::read_csv(folder + "sliding_initial_q.csv");
  const auto ours = our_nodes(c, nodes);
  for (std::size_t k = 0; k < ours.size(); ++k) {
    const auto &dofs = c.bodies->elastic.front()->space.node_dofs[ours[k]];
    ASSERT_NEAR(c.initial.q[dofs[0]], q.at("ux")[k], 1e-12 * 5e-3);
    ASSERT_NEAR(c.initial.q[dofs[1]], q.at("uy")[k], 1e-12 * 5e-3);
  }
}

/// The authors' own step from a stored state to the next one, with their plain test g ≤ 0.
class ReferenceStep : public Reference,
                      public ::testing::WithParamInterface<std::pair<const char *, const char *>> {
};

TEST_P(ReferenceStep, IsReproduced) {
  const auto [scheme_name, file] = GetParam();
  const auto c = reference_case(scheme_name, "0");
  const auto states = test::read_csv(folder + file + ".csv");
  const auto ours = our_nodes(c, states);
  State<2> state = c.initial;
  const auto k = static_cast<unsigned int>(
      std::stoi(std::string(file).substr(std::string(file).rfind('k') + 1)));
  state.step = k;
  state.time = k * c.choices.h;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto &dofs = c.bodies->elastic.front()->space.node_dofs[ours[i]];
    state.q[dofs[0]] = states.at("qx_k")[i];
    state.q[dofs[1]] = states.at("qy_k")[i];
    state.v[dofs[0]] = states.at("vx_k")[i];
    state.v[dofs[1]] = states.at("vy_k")[i];
  }
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  step.initialise(state);
  const auto record = step.advance(state, (k + 1) * c.choices.h);

  double v_max = 0;
  for (std::size_t i = 0; i < ours.size(); ++i)
    v_max = std::max({v_max, std::abs(states.at("vx_k1")[i]), std::abs(states.at("vy_k1")[i])});
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto &dofs = c.bodies->elastic.front()->space.node_dofs[ours[i]];
    ASSERT_NEAR(state.v[dofs[0]], states.at("vx_k1")[i], 1e-9 * v_max);
    ASSERT_NEAR(state.v[dofs[1]], states.at("vy_k1")[i], 1e-9 * v_max);
    ASSERT_NEAR(state.q[dofs[0]], states.at("qx_k1")[i], 1e-12);
    ASSERT_NEAR(state.q[dofs[1]], states.at("qy_k1")[i], 1e-12);
  }
  const auto contacts = test::read_csv(folder + file + "_contacts.csv");
  std::map<unsigned int, ContactRecord<2>> node_contacts; // contacts of the step by node
  for (const auto &contact : record.contacts)
    node_contacts[c.boundary->points[contact.point].mesh_node()->node] = contact;
  double p_max = 0;
  for (const double p : contacts.at("pN"))
    p_max = std::max(p_max, p);
  for (std::size_t i = 0; i < contacts.at("node").size(); ++i) {
    const auto found = node_contacts.find(ours[static_cast<std::size_t>(contacts.at("node")[i])]);
    ASSERT_EQ(found != node_contacts.end(), contacts.at("active")[i] == 1.);
    const auto p =
        found != node_contacts.end() ? found->second.percussion : std::array<double, 2>{};
    ASSERT_NEAR(p[0], contacts.at("pN")[i], 1e-9 * p_max);
    ASSERT_NEAR(p[1], contacts.at("pT")[i], 1e-9 * p_max);
  }
}

INSTANTIATE_TEST_SUITE_P(SavedStates, ReferenceStep,
                         ::testing::Values(std::pair{"moreau-jean-fremond", "onestep_MJF_k0"},
                                           std::pair{"moreau-jean-fremond", "onestep_MJF_k1000"},
                                           std::pair{"moreau-jean-fremond", "onestep_MJF_k2500"},
                                           std::pair{"moreau-jean", "onestep_MJ_k1000"}));

/// Archard's wear is k p s/A; the work of sliding friction is −μ p s.
TEST(SlidingBlock, WearsInProportionToTheWorkOfSlidingFriction) {
  constexpr double coefficient = 1e-3, mu = 0.5;
  auto c = sliding_block({"Contact/ground/Wear coefficient=1e-3"});
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  unsigned int n_slips = 0;
  for (unsigned int k = 1; k <= 300; ++k) {
    const auto &record = step.advance(state, k * c.choices.h);
    for (const auto &account : record.accounts) {
      const auto *const contact = find_key(record.contacts, account.key);
      if (contact == nullptr || contact->status != ContactStatus::slip ||
          !(account.tangential_work < -1e-12))
        continue;
      ++n_slips;
      EXPECT_NEAR(account.wear * account.area, -coefficient * account.tangential_work / mu,
                  1e-12 * account.wear * account.area);
    }
  }
  EXPECT_GT(n_slips, 1000u);
}

/// Compares ten thousand steps.
class ReferenceRun : public Reference,
                     public ::testing::WithParamInterface<std::pair<const char *, const char *>> {};

TEST_P(ReferenceRun, IsReproduced) {
  const auto [scheme_name, file] = GetParam();
  const auto c = reference_case(scheme_name, "1e-12");
  const auto series = test::read_csv(folder + file + ".csv");
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  Works works;
  std::size_t row = 0;
  const auto &steps = series.at("step");
  const auto compare = [&](unsigned int active) {
    if (row >= steps.size() || steps[row] != state.step)
      return;
    const auto of = [&](const char *name) { return series.at(name)[row]; };
    const std::string where = "step " + std::to_string(state.step);
    ASSERT_NEAR(state.kinetic, of("kinetic"), 1e-8 * of("kinetic")) << where;
    ASSERT_NEAR(state.strain, of("strain"), 1e-8 * of("strain")) << where;
    ASSERT_NEAR(works.external, of("Wext66_cum"), 1e-6 * std::abs(of("Wext66_cum"))) << where;
    ASSERT_NEAR(works.contact_normal, of("wN_cum"), 1e-6 * std::abs(of("wN_cum")) + 1e-15) << where;
    ASSERT_NEAR(works.contact_tangential, of("wT_cum"), 1e-6 * std::abs(of("wT_cum")) + 1e-15)
        << where;
    ASSERT_EQ(active, of("n_active")) << where;
    ++row;
  };
  compare(0);
  for (unsigned int k = 1; k <= 10000; ++k) {
    const auto &record = step.advance(state, k * c.choices.h);
    works += record.works;
    compare(static_cast<unsigned int>(record.contacts.size()));
    if (HasFatalFailure())
      return;
  }
  EXPECT_EQ(row, steps.size());
  EXPECT_GT(row, 150u);

  const auto final_state = test::read_csv(folder + file + "_final.csv");
  const auto ours = our_nodes(c, final_state);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const auto &dofs = c.bodies->elastic.front()->space.node_dofs[ours[i]];
    ASSERT_NEAR(state.q[dofs[0]], final_state.at("ux")[i], 1e-9);
    ASSERT_NEAR(state.q[dofs[1]], final_state.at("uy")[i], 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, ReferenceRun,
                         ::testing::Values(std::pair{"moreau-jean-fremond", "sliding_MJF_gtol"},
                                           std::pair{"moreau-jean", "sliding_MJ_gtol"}));

} // namespace
