// Mortar contact at the edge of the body below.

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"

namespace {

using namespace cases;
using percussion::State;

/// A block of side length 0.3 lies on a plate with a third of its width.
class Overhang : public CheckedCase {
protected:
  void write_rectangle(const std::string &name, double x, double y, double width, double height,
                       unsigned int n, unsigned int m) const {
    std::ostringstream geo;
    geo << "Point(1) = {" << x << ", " << y << ", 0}; Point(2) = {" << x + width << ", " << y
        << ", 0}; Point(3) = {" << x + width << ", " << y + height << ", 0}; Point(4) = {" << x
        << ", " << y + height << ", 0};\nLine(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; "
        << "Line(4) = {4, 1};\nCurve Loop(1) = {1 : 4}; Plane Surface(1) = {1};\n"
        << "Transfinite Curve {1, 3} = " << n + 1 << "; Transfinite Curve {2, 4} = " << m + 1
        << ";\nTransfinite Surface {1}; Recombine Surface {1};\nPhysical Surface(\"" << name
        << "\") = {1};\nPhysical Curve(\"" << name << " bottom\") = {1};\nPhysical Curve(\"" << name
        << " top\") = {3};\n";
    write(name + ".geo", geo.str());
  }

  /// Kinetic energy after 0.2 s, and largest penetration up to this time.
  struct End {
    double kinetic, penetration;
  };
  /// With a step this depth below the plate, if it is not 0.
  End fall(unsigned int n, const std::string &discretisation, double step_depth = 0.,
           const std::vector<std::string> &entries = {}, bool is_mirrored = false) const {
    const auto left_end = [&](double x, double width) { return is_mirrored ? -x - width : x; };
    write_rectangle("plate", left_end(0., 1.2), -0.3, 1.2, 0.3, 6, 2);
    write_rectangle("step", left_end(1.2, 0.4), -0.25 - step_depth, 0.4, 0.25, 2, 1);
    write_rectangle("block", left_end(1.1, 0.3), 0., 0.3, 0.3, n, n);
    write("case.prm", R"(subsection Mesh
  set File = plate.geo, block.geo
end
subsection Material
  set Density       = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection plate bottom
    set Displacement x = 0
    set Displacement y = 0
  end
end
subsection Contact
  subsection edge
    set Region  = block bottom
    set Surface = region
    set Against = plate top
    set Friction coefficient = 1
  end
end
subsection Time
  set End  = 0.2
  set Step = 1e-3
end
)");
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    file.override_with("Contact/edge/Discretisation=" + discretisation);
    for (const std::string &entry : entries)
      file.override_with(entry);
    if (step_depth > 0.) {
      file.override_with("Mesh/File=plate.geo, block.geo, step.geo");
      file.override_with("Contact/edge/Against=plate top, step top");
      for (const std::string component : {"x", "y"})
        for (const std::string side : {"top", "bottom"}) // all nodes
          file.override_with("Boundary conditions/step " + side + "/Displacement " + component +
                             "=0");
    }
    const auto c = percussion::build_case<2>(
        percussion::Parameters(percussion::declare_case(&file), file), file);
    percussion::Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
    State<2> state = c.initial;
    step.initialise(state);
    End end{0, 0};
    for (unsigned int k = 0; k < c.span.n_steps; ++k) {
      step.advance(state, (k + 1) * c.choices.h);
      EXPECT_LT(std::abs(step.last().balance_residual), 1e-12 * 20.);
      end.penetration = std::max(end.penetration, step.last().penetration_max);
    }
    end.kinetic = state.kinetic;
    return end;
  }
};

/// The block tips about the edge with any mesh, as with contacts at nodes, which detect the edge.
TEST_F(Overhang, ABlockTipsAboutTheEdge) {
  for (const unsigned int n : {1u, 2u, 3u}) {
    const End nodes = fall(n, "nodes of both sides");
    EXPECT_GT(nodes.kinetic, 10.);
    for (const std::string discretisation : {"mortar", "mortar of region"}) {
      const End mortar = fall(n, discretisation);
      EXPECT_NEAR(mortar.kinetic / nodes.kinetic, 1., 0.02) << n << ' ' << discretisation;
      EXPECT_LT(mortar.penetration, 1e-3) << n << ' ' << discretisation;
    }
  }
}

/// A step 0.15 below the plate is in front of the block's bottom, and is not touched.
TEST_F(Overhang, AStepBelowTheEdgeHasNoEffect) {
  for (const unsigned int n : {1u, 2u})
    for (const std::string discretisation : {"mortar", "mortar of region"}) {
      const End alone = fall(n, discretisation), above_step = fall(n, discretisation, 0.15);
      EXPECT_NEAR(above_step.kinetic / alone.kinetic, 1., 1e-9) << n << ' ' << discretisation;
      EXPECT_NEAR(above_step.penetration, alone.penetration, 1e-9) << n << ' ' << discretisation;
    }
}

/// The step has no effect either on the springs, stresses and bonds of other laws. The multipliers
/// of an augmented Lagrangian extend over all points that a side within reach covers: for them the
/// step is deeper. Rows follow gaps to 1e-11, which hops of the block amplify: with bonds to 1e-6
/// after 0.2 s, also if the step is 1 below the plate, and to 1e-9 after 0.1 s.
TEST_F(Overhang, AStepBelowTheEdgeHasNoEffectOnOtherLaws) {
  const std::vector<std::pair<std::vector<std::string>, double>> laws = {
      {{"Time/Scheme=penalty"}, 0.15},
      {{"Time/Scheme=hauret"}, 0.15},
      {{"Time/Scheme=augmented-lagrangian"}, 0.25},
      {{"Time/Scheme=nitsche-skew"}, 0.15},
      {{"Contact/edge/Bond strength=1e4", "Contact/edge/Fracture energy=1", "Time/End=0.1"}, 0.15}};
  for (const auto &[law, depth] : laws) {
    const End alone = fall(2, "mortar of region", 0., law),
              above_step = fall(2, "mortar of region", depth, law);
    EXPECT_NEAR(above_step.kinetic / alone.kinetic, 1., 1e-6) << law.front();
    EXPECT_NEAR(above_step.penetration, alone.penetration, 1e-9) << law.front();
  }
}

/// The mirror image of a fall is a fall: an edge may end, or begin, where the plate does.
TEST_F(Overhang, AMirrorImageTipsAlike) {
  const End right = fall(2, "mortar of region", 0.15),
            left = fall(2, "mortar of region", 0.15, {}, true);
  EXPECT_NEAR(left.kinetic / right.kinetic, 1., 1e-9);
  EXPECT_NEAR(left.penetration, right.penetration, 1e-9);
}

} // namespace
