// Rigid bodies that slide over the seam of flush fixed bodies, or whose own pieces are flush, have
// the contacts of one plane.

#include <percussion/base/format.h>

#include "cases/rigid_runs.h"

namespace rigid_runs {

/// Variant of a body that falls 5 cm on two flush tiles and slides without friction over their
/// seam, all rotated by an angle.
struct TileScene {
  double angle = 0;
  bool is_one_body = false; ///< true if the second tile is welded to the first
  bool lists_body_first = false;
  double height = 0.05; ///< of the fall; not positive: minus the depth at the start
  std::string shape = "set Width = 0.4\n set Height = 0.2\n"; ///< with a half height of 0.1
  std::string time = "set Step = 1e-3\n";
  std::string body_name = "a";

  std::string point(double x, double y) const {
    return format("%.17g, %.17g", std::cos(angle) * x - std::sin(angle) * y,
                  std::sin(angle) * x + std::cos(angle) * y);
  }
  std::string text() const {
    const std::string turned = "set Density = 1\n set Angle = " + format("%.17g", angle);
    const std::string fixed =
        "set Velocity x = 0\n set Velocity y = 0\n set Angular velocity = 0\n";
    const std::string tiles = "subsection t1\n" + turned + "\n" + fixed +
                              "set Position = " + point(0, -0.5) + "\nend\nsubsection t2\n" +
                              turned + "\n" + (is_one_body ? "set Part of = t1\n" : fixed) +
                              "set Position = " + point(1, -0.5) + "\nend\n";
    const std::string body = "subsection " + body_name + "\n" + shape +
                             format("set Angle = %.17g\n", angle) +
                             "set Mass = 1\nset Position = " + point(0.2037, 0.1 + height) +
                             "\nset Initial velocity = " + point(0.3, 0) + "\nend\n";
    return "subsection Rigid bodies\n" + (lists_body_first ? body + tiles : tiles + body) +
           "end\nsubsection Boundary conditions\n set Gravity = " + point(0, -9.81) +
           "\nend\nsubsection Contact\n subsection c\n set Bodies = " + body_name +
           "\n set Surface = rigid bodies\n set Against = t1" + (is_one_body ? "" : ", t2") +
           "\n end\nend\nsubsection Time\n set End = 0.9\n" + time + "end\n";
  }
  unsigned int body() const { return lists_body_first ? 0 : is_one_body ? 1 : 2; }

  /// Expects the velocity of the approach, and no motion across the tiles once the body has landed,
  /// from the start to beyond the seam. `h` is the step.
  void expect_plane(double h) const {
    auto run = stepped<2>(text());
    const double c = std::cos(angle), s = std::sin(angle);
    double landed = 0;
    while (run.state.time < 0.9 - 0.5 * h) {
      run.advance();
      const double *const v = velocity(run, body()), *const q = displacement(run, body());
      ASSERT_NEAR(c * v[0] + s * v[1], 0.3, 1e-6) << "t = " << run.state.time;
      const double y = -s * q[0] + c * q[1];
      if (run.state.time < 0.3)
        landed = y;
      else
        ASSERT_NEAR(y, landed, 1e-3) << "t = " << run.state.time;
    }
    EXPECT_LT(landed, 1e-6 - height);
  }
};

TEST(FlushTiles, ABoxSlidesOverTheirSeamWithEveryStep) {
  for (const double h : {2e-3, 1e-3, 1e-4}) {
    TileScene scene;
    scene.time = format("set Step = %g\n", h);
    scene.expect_plane(h);
  }
}

TEST(FlushTiles, ABoxSlidesOverTheirSeamWithEveryScheme) {
  for (const char *scheme : {"moreau-jean", "moreau-jean-fremond", "pdas-leapfrog"}) {
    SCOPED_TRACE(scheme);
    TileScene scene;
    scene.time = "set Step = 1e-3\n set Scheme = " + std::string(scheme) + "\n";
    if (std::string(scheme) == "pdas-leapfrog") // has no restitution: the body starts on the tiles
      scene.height = -1e-4;
    scene.expect_plane(1e-3);
  }
}

TEST(FlushTiles, ABoxSlidesOverTheirSeamInEveryOrderAndOrientation) {
  for (const double angle : {0., 0.7, -2.})
    for (const bool is_one_body : {false, true})
      for (const bool lists_body_first : {false, true}) {
        SCOPED_TRACE(format("angle %g, one body %d, body first %d", angle, int(is_one_body),
                            int(lists_body_first)));
        TileScene scene;
        scene.angle = angle;
        scene.is_one_body = is_one_body;
        scene.lists_body_first = lists_body_first;
        if (lists_body_first)
          scene.body_name = "z";
        scene.expect_plane(1e-3);
      }
}

/// A depth of 1e-9 m suffices to throw a body back that meets the hidden side of a tile.
TEST(FlushTiles, ABoxSlidesOverTheirSeamAtEveryDepth) {
  for (const double depth : {1e-9, 1e-6, 4e-4}) {
    SCOPED_TRACE(depth);
    TileScene scene;
    scene.height = -depth;
    scene.expect_plane(1e-3);
  }
}

TEST(FlushTiles, ADiscSlidesOverTheirSeam) {
  for (const bool is_one_body : {false, true}) {
    TileScene scene;
    scene.shape = "set Shape = disc\n set Radius = 0.1\n";
    scene.is_one_body = is_one_body;
    scene.expect_plane(1e-3);
  }
}

/// A body of two flush pieces slides over a narrow support: its seam meets the support's corner.
TEST(FlushTiles, ABodyOfFlushPiecesSlidesOverACorner) {
  const std::string fixed = "set Density = 1\n set Velocity x = 0\n set Velocity y = 0\n"
                            "set Angular velocity = 0\n";
  auto run =
      stepped<2>("subsection Rigid bodies\nsubsection s1\n set Width = 0.3\n" + fixed +
                 "set Position = -0.4, -0.5\nend\nsubsection s2\n set Width = 0.3\n" + fixed +
                 R"(set Position = 0.4, -0.5
end
subsection a
  set Height = 0.2
  set Mass = 1
  set Position = -0.5, 0.15
  set Initial velocity = 0.3, 0
end
subsection b
  set Height = 0.2
  set Mass = 1
  set Position = 0.5, 0.15
  set Part of = a
end
end
subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = s1, s2
  end
end
subsection Time
  set End = 1.6
  set Step = 1e-3
end
)");
  for (unsigned int k = 0; k < 1600; ++k) {
    run.advance();
    ASSERT_NEAR(velocity(run, 2)[0], 0.3, 1e-9) << "t = " << run.state.time;
  }
  EXPECT_NEAR(displacement(run, 2)[1], -0.05, 1e-3);
}

/// Returns the scene with the second tile elsewhere.
std::string moved_tile(const TileScene &scene, const std::string &new_position) {
  std::string text = scene.text();
  const std::string position = "set Position = " + scene.point(1, -0.5);
  return text.replace(text.find(position), position.size(), "set Position = " + new_position);
}

/// A body meets the side of a tile that is lower and beyond a gap deeper than its top.
TEST(FlushTiles, ABoxSlidesOntoATileThatIsLowerOrApart) {
  for (const char *position : {"1.00001, -0.5", "1.0001, -0.5", "1.00001, -0.50001"}) {
    SCOPED_TRACE(position);
    TileScene scene;
    scene.height = -1e-4;
    auto run = stepped<2>(moved_tile(scene, position));
    for (unsigned int k = 0; k < 900; ++k)
      run.advance();
    EXPECT_NEAR(velocity(run, 2)[0], 0.3, 1e-9);
  }
}

/// A side that no flush neighbour covers stops a body.
TEST(FlushTiles, AStepStopsABox) {
  TileScene scene;
  scene.height = -1e-5;
  auto run = stepped<2>(moved_tile(scene, "1, -0.48"));
  double farthest = 0;
  for (unsigned int k = 0; k < 900; ++k) {
    run.advance();
    farthest = std::max(farthest, displacement(run, 2)[0]);
  }
  // It tips a little at the edge of the step.
  EXPECT_NEAR(farthest, 0.5 - 0.2 - 0.2037, 5e-3);
  EXPECT_LT(velocity(run, 2)[0], 0.1);
}

/// Returns four flush boxes around the origin, and a body that falls 5 cm and slides over the edges
/// or over the common corner with a velocity.
std::string four_boxes(const std::string &shape, const std::string &velocity, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const auto point = [&](double x, double y, double z) {
    return format("%.17g, %.17g, %.17g", c * x - s * y, s * x + c * y, z);
  };
  std::string text = "subsection Rigid bodies\n";
  for (unsigned int i = 0; i < 4; ++i) {
    text += format("subsection t%u\n set Shape = box\n set Density = 1\n set Angle = %.17g\n", i,
                   angle) +
            "set Position = " + point(i % 2 ? 0.5 : -0.5, i / 2 ? 0.5 : -0.5, -0.5) + "\n";
    for (const char *entry : {"Velocity x", "Velocity y", "Velocity z", "Angular velocity x",
                              "Angular velocity y", "Angular velocity z"})
      text += "set " + std::string(entry) + " = 0\n";
    text += "end\n";
  }
  return text + "subsection a\n" + shape + "set Mass = 1\nset Position = -0.15, -0.12, 0.15\n" +
         "set Initial velocity = " + velocity + R"(
end
end
subsection Boundary conditions
  set Gravity = 0, 0, -9.81
end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = t0, t1, t2, t3
  end
end
subsection Time
  set End = 0.9
  set Step = 1e-3
end
)";
}

TEST(FlushTiles, BodiesSlideOverFourBoxesAsOverAPlane) {
  const std::string box = "set Shape = box\n set Size = 0.3, 0.2, 0.2\n",
                    sphere = "set Shape = sphere\n set Radius = 0.1\n";
  for (const auto &[shape, v] : {std::pair{box, std::pair{0.4, 0.}},
                                 {box, {0.3, 0.24}},
                                 {box, {0.05, 0.4}},
                                 {sphere, {0.4, 0.}},
                                 {sphere, {0.3, 0.24}}})
    for (const double angle : {0., 0.3}) {
      SCOPED_TRACE(shape + format("velocity %g, %g, angle %g", v.first, v.second, angle));
      auto run = stepped<3>(four_boxes(shape, format("%g, %g, 0", v.first, v.second), angle));
      for (unsigned int k = 0; k < 900; ++k) {
        run.advance();
        ASSERT_NEAR(velocity(run, 4)[0], v.first, 1e-6) << "t = " << run.state.time;
        ASSERT_NEAR(velocity(run, 4)[1], v.second, 1e-6) << "t = " << run.state.time;
      }
      EXPECT_NEAR(displacement(run, 4)[2], -0.05, 1e-3);
    }
}

/// A wheel of eight edges rolls over ten tiles as over one.
TEST(FlushTiles, AWheelRollsOverTenAsOverOne) {
  const auto wheel = [](unsigned int n) {
    std::string vertices;
    for (unsigned int i = 0; i < 8; ++i)
      vertices += format("%s%.17g, %.17g", i ? "; " : "", 0.1 * std::cos(0.785398163397448279 * i),
                         0.1 * std::sin(0.785398163397448279 * i));
    return "subsection Rigid bodies\nsubsection a\n set Shape = polygon\n set Vertices = " +
           vertices +
           format(R"(
  set Density = 100
  set Position = 0.033, 0.11
  set Initial velocity = 2, 0
  set Initial angular velocity = -20
end
subsection t
  set Width = %.17g
  set Height = 0.2
  set Density = 1
  set Position = %.17g, -0.1
%s  set Velocity x = 0
  set Velocity y = 0
  set Angular velocity = 0
end
end
)",
                  2. / n, 1. / n,
                  n > 1 ? format("  set Copies = %u\n  set Offset = %.17g, 0\n", n, 2. / n).c_str()
                        : "") +
           R"(subsection Boundary conditions
  set Gravity = 0, -9.81
end
subsection Contact
  subsection c
    set Bodies = a
    set Surface = rigid bodies
    set Against = t
    set Friction coefficient = 0.5
  end
end
subsection Time
  set End = 0.6
  set Step = 5e-4
end
)";
  };
  auto over_ten = stepped<2>(wheel(10)), over_one = stepped<2>(wheel(1));
  for (unsigned int k = 0; k < 1200; ++k) {
    over_ten.advance();
    over_one.advance();
    for (unsigned int d = 0; d < 3; ++d)
      ASSERT_NEAR(displacement(over_ten, 0)[d], displacement(over_one, 0)[d], 1e-6)
          << "t = " << over_one.state.time;
  }
  EXPECT_GT(displacement(over_one, 0)[0], 0.5);
}

} // namespace rigid_runs
