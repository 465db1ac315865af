// Round bodies that fall on plates of longer, flatter facets touch them where their faces do, not
// when the mean gap of such a facet closes.

#include <percussion/run/release_setup.h>

#include "cases/checked_case.h"
#include "cases/stepped.h"

namespace {

using namespace cases;
using cases_in_space::Stepped;
using Assignments = std::vector<std::string>;

/// A disc or ball with the radius 1 that falls with the velocity 1 from the height 0.01.
class CoarsePlate : public CheckedCase {
protected:
  void write_case(int dim) const {
    const bool is_plane = dim == 2;
    write("ball.geo", is_plane ? R"(Point(1) = {0.3, 1.01, 0}; Point(2) = {0.3, 0.01, 0};
Point(3) = {1.3, 1.01, 0}; Point(4) = {0.3, 2.01, 0}; Point(5) = {-0.7, 1.01, 0};
Circle(1) = {2, 1, 3}; Circle(2) = {3, 1, 4}; Circle(3) = {4, 1, 5}; Circle(4) = {5, 1, 2};
Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1}; Transfinite Curve {1 : 4} = 9;
Physical Surface("ball") = {1}; Physical Curve("face") = {1 : 4};
)"
                               : R"(SetFactory("OpenCASCADE"); Sphere(1) = {0.3, 0.2, 1.01, 1};
MeshSize {:} = 0.4; Physical Volume("ball") = {1}; Physical Surface("face") = {1};
)");
    write("plate.geo", is_plane ? R"(Point(1) = {-4, -2, 0}; Point(2) = {4, -2, 0};
Point(3) = {4, 0, 0}; Point(4) = {-4, 0, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1 : 4}; Plane Surface(1) = {1}; Transfinite Curve {1, 3} = 9;
Transfinite Curve {2, 4} = 3; Transfinite Surface {1}; Recombine Surface {1};
Physical Surface("plate") = {1}; Physical Curve("bottom") = {1}; Physical Curve("top") = {3};
)"
                                : R"(SetFactory("OpenCASCADE"); Box(1) = {-3, -3, -1, 6, 6, 1};
MeshSize {:} = 1.5; Physical Volume("plate") = {1}; Physical Surface("bottom") = {5};
Physical Surface("top") = {6};
)");
    const std::string up = is_plane ? "y" : "z";
    write("case.prm", R"(subsection Mesh
  set File = ball.geo, plate.geo
end
subsection Material
  set Density = 1
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  subsection bottom
    set Fixed = true
  end
end
subsection Initial state
  set Velocity )" + up + " = if(" +
                          up + R"( > 0.005, -1, 0)
end
subsection Contact
  subsection c
    set Region = face
    set Surface = region
    set Against = top
  end
end
subsection Time
  set End = 0.03
  set Step = 5e-4
end
)");
  }

  /// Expects that the ball touches the plate after it has fallen by its height, and sinks in by no
  /// more than this fraction of its radius.
  template <int dim>
  void expect_touch(const Assignments &choice, double largest_depth) const {
    for (const bool is_exchanged : {false, true}) {
      Assignments all = choice;
      if (is_exchanged)
        all.insert(all.end(), {"Contact/c/Region=top", "Contact/c/Against=face"});
      Stepped<dim> run(cases_in_space::build<dim>(
          percussion::ParameterFile::read((folder / "case.prm").string()), all));
      double first = 0, deepest = 0;
      for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
        const auto &record = run.advance();
        deepest = std::max(deepest, record.penetration_max);
        if (first == 0. && std::any_of(record.contacts.begin(), record.contacts.end(),
                                       [](const auto &contact) { return contact.carries(); }))
          first = run.state.time;
      }
      EXPECT_NEAR(first, 0.0105, 0.0011) << dim << "D " << choice.front() << is_exchanged;
      EXPECT_LT(deepest, largest_depth) << dim << "D " << choice.front() << is_exchanged;
    }
  }
};

TEST_F(CoarsePlate, IsTouchedAtTheContact) {
  write_case(2);
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog", "signorini-midpoint"})
    for (const std::string points : {"mortar", "nodes of both sides"})
      expect_touch<2>({"Contact/c/Discretisation=" + points, "Time/Scheme=" + scheme}, 1e-3);
}

TEST_F(CoarsePlate, IsTouchedAtTheContactIn3D) {
  write_case(3);
  for (const std::string points : {"mortar", "nodes of both sides"})
    expect_touch<3>({"Contact/c/Discretisation=" + points}, 1e-2);
}

/// Nodes of the plate alone cannot see the disc between them; a warning has both sizes.
TEST_F(CoarsePlate, IsWarnedOfWithItsOwnNodes) {
  write_case(2);
  const Outcome outcome = validate_with(
      {"Contact/c/Region=top", "Contact/c/Against=face", "Contact/c/Discretisation=nodes"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_TRUE(has(outcome.out, "which is finer (mean edge 0.196 against 1)")) << outcome.out;
}

} // namespace
