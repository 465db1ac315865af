// Bodies that begin at rest stay at rest: bodies of all kinds, on supports of all kinds, with all
// schemes, in a thousand steps.

#include <percussion/base/format.h>

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

namespace rest_cases {

namespace fs = std::filesystem;
using namespace percussion;
using cases_in_space::Stepped;

std::string section(const std::string &name, const std::string &entries) {
  return "subsection " + name + "\n" + entries + "end\n";
}

/// Forces of a step: contact forces by component, and the impulses of links.
template <int dim>
std::vector<double> impulses(const StepRecord<dim> &record) {
  std::vector<double> sums(dim, 0.);
  for (const auto &contact : record.contacts)
    for (unsigned int d = 0; d < dim; ++d)
      sums[d] += contact.percussion[d];
  for (const auto &link : record.link_impulses)
    sums.insert(sums.end(), link.begin(), link.end());
  return sums;
}

/// Largest changes of a body at rest.
struct Tolerances {
  double displacements = 1e-10; ///< relative to a size
  double forces = 1e-10;        ///< relative to the largest force, in the first step
  double growth = 0.;           ///< of the tolerance of forces in each step
};

/// Expects that neither forces nor displacements, relative to `size`, change.
template <int dim>
void expect_rest(Stepped<dim> run, double size, const Tolerances &tolerances) {
  constexpr unsigned int n_steps = 1000;
  const Vector start = run.state.q;
  std::vector<double> first;
  for (unsigned int k = 0; k < n_steps; ++k) {
    const auto &record = run.advance();
    ASSERT_EQ(record.n_cuts, 0u) << k;
    const std::vector<double> now = impulses(record);
    first = k == 0 ? now : first;
    ASSERT_EQ(now.size(), first.size()) << k;
    double largest = 0;
    for (const double impulse : first)
      largest = std::max(largest, std::abs(impulse));
    const double tolerance = (tolerances.forces + k * tolerances.growth) * largest;
    for (std::size_t i = 0; i < now.size(); ++i)
      ASSERT_NEAR(now[i], first[i], tolerance) << k << ' ' << i;
  }
  Vector change = run.state.q;
  change -= start;
  EXPECT_LT(change.linfty_norm(), tolerances.displacements * size);
}

/// Links and laws for gaps hold the positions of rigid bodies to round-off, which changes forces by
/// a multiple of ε size / (g h²) of the weight. Newmark's rule and the midpoint rule with
/// Signorini's condition at the time of the forces determine forces up to one that alternates from
/// step to step, to which each step adds its round-off.
template <int dim>
void expect_rest(Stepped<dim> run, const Scheme &scheme, double size) {
  const bool is_for_gaps = scheme.gap != GapLaw::rate;
  Tolerances tolerances;
  if (!run.c.bodies->links.empty() || (is_for_gaps && run.c.bodies->elastic.empty()))
    tolerances.forces = 1e-9;
  else if (scheme.integrator == Integrator::newmark ||
           (scheme.gap == GapLaw::middle && scheme.penalty == Penalty::none))
    tolerances.growth = 1e-11;
  expect_rest(std::move(run), size, tolerances);
}

// ---- elastic bodies ----

/// Fixture with a block of 1 × 0.5 and an elastic table.
class ElasticBodiesAtRest : public cases::CheckedCase {
protected:
  ElasticBodiesAtRest() {
    write_rectangle("block", 0., 0., 1., 0.5);
    write_rectangle("table", -0.25, -0.5, 1.25, 0.);
  }

  void write_rectangle(const std::string &name, double x0, double y0, double x1, double y1) const {
    const auto point = [](unsigned int number, double x, double y) {
      return format("Point(%u) = {%g, %g, 0};\n", number, x, y);
    };
    write(name + ".geo",
          point(1, x0, y0) + point(2, x1, y0) + point(3, x1, y1) + point(4, x0, y1) +
              "Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};\n"
              "Transfinite Curve {1, 3} = 4; Transfinite Curve {2, 4} = 3;\n"
              "Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1}; Transfinite Surface {1};\n"
              "Recombine Surface {1};\nPhysical Surface(\"" +
              name + "\") = {1};\nPhysical Curve(\"" + name + " bottom\") = {1};\n" +
              "Physical Curve(\"" + name + " right\") = {2};\nPhysical Curve(\"" + name +
              " top\") = {3};\n");
  }

  /// Returns the case without its supports.
  static std::string body(const std::string &meshes, const std::string &material) {
    return section("Mesh", "  set File = " + meshes + "\n") +
           section("Material", "  set Density = 1000\n  set Young modulus = 1e6\n"
                               "  set Poisson ratio = 0.3\n" +
                                   material) +
           section("Boundary conditions", "  set Gravity = 0, -9.81\n") +
           (material.empty() ? "" : section("Solver", "  set Newton tolerance = 1e-12\n")) +
           section("Time", "  set Step = 1e-3\n  set End = 1\n");
  }
  static std::string held(const std::string &region) {
    return section("Boundary conditions",
                   section(region, "  set Displacement x = 0\n  set Displacement y = 0\n"));
  }
  static std::string contact(const std::string &surface) {
    return section("Contact", section("c", "  set Region = block bottom\n"
                                           "  set Friction coefficient = 0.5\n" +
                                               surface));
  }
  static std::string preload(const std::string &entries = "") {
    return section("Initial state",
                   "  set Static preload = true\n  set Preload gravity = true\n" + entries);
  }

  /// Returns the cases by the names of their supports.
  static std::vector<std::pair<std::string, std::string>> supported(const std::string &material) {
    const std::string alone = body("block.geo", material), ground = "  set Surface = half-plane\n";
    return {
        {"held", alone + held("block bottom") + preload()},
        {"ground", alone + contact(ground) + preload()},
        {"pulled",
         alone + contact(ground) + preload("  set Preload tractions = true\n") +
             section("Boundary conditions", section("block right", "  set Traction x = 1000\n"))},
        {"table", body("block.geo, table.geo", material) + held("table bottom") +
                      contact("  set Surface = region\n  set Against = table top\n") + preload()}};
  }

  Stepped<2> run(const std::string &text, const std::vector<std::string> &assignments) const {
    write("case.prm", text);
    return Stepped<2>(
        cases_in_space::build<2>(ParameterFile::read(folder / "case.prm"), assignments));
  }

  void expect_rest_of(const std::string &material, const std::vector<Scheme> &schemes) const {
    for (const auto &[support, text] : supported(material))
      for (const Scheme &scheme : schemes) {
        SCOPED_TRACE(support + ' ' + scheme.name);
        // The preload of hyperelastic bodies finds no equilibrium of multipliers if contacts slip.
        const bool may_slip = support == "pulled" || support == "table";
        if ((scheme.redistributes_inertia && support == "held") ||
            (scheme.formulation == Formulation::multipliers && may_slip && !material.empty()))
          continue;
        Stepped<2> stepped = run(text, {format("Time/Scheme=%s", scheme.name)});
        const double size = stepped.state.q.linfty_norm();
        EXPECT_GT(size, 1e-4);
        expect_rest(std::move(stepped), scheme, size);
      }
  }
};

TEST_F(ElasticBodiesAtRest, StayWithAllSchemes) { expect_rest_of("", schemes()); }

TEST_F(ElasticBodiesAtRest, StayIfTheyAreHyperelastic) {
  std::vector<Scheme> nonlinear;
  for (const Scheme &scheme : schemes())
    if (scheme.integrator == Integrator::theta && scheme.formulation != Formulation::nitsche &&
        !scheme.redistributes_inertia)
      nonlinear.push_back(scheme);
  EXPECT_GE(nonlinear.size(), 8u);
  expect_rest_of("  set Law = neo-hooke\n", nonlinear);
}

/// The equilibrium of a material with memory is the end of a run without inertia, of steps that are
/// long beside the times of relaxation.
TEST_F(ElasticBodiesAtRest, StayIfTheyHaveAMemory) {
  for (const std::string material :
       {"  set Law = elastoplastic\n  set Yield stress = 2000\n  set Hardening modulus = 1e5\n",
        "  set Law = viscoelastic\n  set Prony moduli = 3e5\n  set Prony times = 0.05\n"}) {
    SCOPED_TRACE(material);
    const std::string text = body("block.geo", material + "  set Element = mean dilatation\n") +
                             contact("  set Surface = half-plane\n"),
                      first = (folder / "first").string();
    fs::remove_all(first);
    write("case.prm", text);
    const auto outcome =
        run_with({"Time/Inertia=none", "Time/Theta=1", "Time/Step=1", "Time/End=40",
                  "Output/Number of instants=1", "Output/Directory=" + first});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    for (const std::string name : {"moreau-jean", "moreau-jean-fremond", "pdas-leapfrog"}) {
      SCOPED_TRACE(name);
      Stepped<2> stepped = run(text, {"Time/Scheme=" + name, "Initial state/From=" + first,
                                      "Time/Start=40", "Time/End=41"});
      const double size = stepped.state.q.linfty_norm();
      EXPECT_GT(size, 1e-4);
      expect_rest(std::move(stepped), scheme(name), size);
    }
  }
}

// ---- rigid bodies ----

const std::string rigid_step = "  set Step = 1e-3\n  set End = 1\n";

std::string brick(const std::string &name, const std::string &position) {
  return section(name, "  set Width = 1\n  set Height = 0.5\n  set Mass = 500\n  set Position = " +
                           position + "\n");
}
std::string spring(const std::string &name, const std::string &x) {
  return section(name, "  set First point = " + x +
                           ", 2\n  set Second = brick\n"
                           "  set Second point = " +
                           x +
                           ", 0.5\n  set Stiffness = 1e4\n"
                           "  set Tension at start = 2452.5\n");
}
std::string link(const std::string &type) {
  return section(type, "  set Type = " + type +
                           "\n  set First = brick\n"
                           "  set First point = -0.5, 0.5\n");
}

/// Returns rigid bodies with their supports; each is of size 1.
std::vector<std::pair<std::string, std::string>> supported_bricks() {
  const auto bodies = [](const std::string &more, const std::string &gravity = "0") {
    return section("Rigid bodies", brick("brick", "0, 0.25") + more) +
           section("Boundary conditions", "  set Gravity = " + gravity + ", -9.81\n");
  };
  const std::string ground = section("ground", "  set Bodies = brick\n  set Surface = half-plane\n"
                                               "  set Friction coefficient = 0.5\n"),
                    pile = section("pile", "  set Bodies = top\n  set Surface = rigid bodies\n"
                                           "  set Against = brick\n"
                                           "  set Friction coefficient = 0.5\n");
  return {
      {"ground", bodies("") + section("Contact", ground)},
      {"slope", bodies("", "3") + section("Contact", ground)},
      {"pile", bodies(brick("top", "0.1, 0.75")) + section("Contact", ground + pile)},
      {"springs", bodies("") + section("Links", spring("left", "-0.5") + spring("right", "0.5"))},
      {"pin", bodies("") + section("Links", link("pin") + spring("right", "0.5"))},
      {"weld", bodies("") + section("Links", link("weld"))}};
}

TEST(RigidBodiesAtRest, StayWithAllSchemes) {
  for (const auto &[support, text] : supported_bricks())
    for (const Scheme &scheme : schemes()) {
      SCOPED_TRACE(support + ' ' + scheme.name);
      const bool has_links = text.find("subsection Links") != std::string::npos;
      if (has_links ? scheme.integrator != Integrator::theta
                    : scheme.penalty != Penalty::none || scheme.formulation == Formulation::nitsche)
        continue; // refused: for bodies without links; for springs without a stiffness
      expect_rest(
          Stepped<2>(cases_in_space::build<2>(ParameterFile::parse(
              text + section("Time", format("  set Scheme = %s\n", scheme.name) + rigid_step),
              "case.prm"))),
          scheme, 1.);
    }
}

/// A box on joints in 3D: welded; on a hinge with a motor that holds; on a slider with a spring; on
/// a ball and a rope.
TEST(RigidBodiesAtRest, StayOnJoints) {
  const std::string box =
      section("Rigid bodies", section("box", "  set Shape = box\n  set Size = 1, 0.5, 0.5\n"
                                             "  set Mass = 500\n  set Position = 0, 0, 0\n")) +
      section("Boundary conditions", "  set Gravity = 0, 0, -9.81\n");
  const auto joint = [](const std::string &kind, const std::string &x, const std::string &entries) {
    return section(kind, "  set Kind = " + kind + "\n  set Bodies = box\n  set Point = " + x +
                             ", 0, 0\n" + entries);
  };
  const std::vector<std::pair<std::string, std::string>> supports = {
      {"weld", joint("weld", "-0.5", "")},
      {"hinge", joint("hinge", "-0.5", "  set Axis = 0, 1, 0\n  set Motor torque = -2452.5\n")},
      {"slider", joint("slider", "0",
                       "  set Axis = 0, 0, 1\n  set Stiffness = 1e5\n"
                       "  set Motor force = 4905\n")},
      {"rope",
       joint("ball", "-0.5", "") + joint("distance", "0.5", "  set Second point = 0.5, 0, 2\n")}};
  for (const auto &[support, text] : supports)
    for (const std::string name : {"moreau-jean-fremond", "pdas-leapfrog", "signorini-midpoint"}) {
      SCOPED_TRACE(support + ' ' + name);
      expect_rest(Stepped<3>(cases_in_space::build<3>(ParameterFile::parse(
                      box + section("Joints", text) +
                          section("Time", "  set Scheme = " + name + "\n" + rigid_step),
                      "case.prm"))),
                  scheme(name), 1.);
    }
}

} // namespace rest_cases
