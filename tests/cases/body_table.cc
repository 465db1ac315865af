// Tables of rigid bodies: rows as input, the final state as output, and rows that are refused.

#include <percussion/case/case.h>

#include "cases/support.h"
#include <cmath>
#include <tuple>

namespace {

using namespace percussion;
using cases::has;

class BodyTables : public cases::CaseFolder {
protected:
  template <int dim>
  Case<dim> build(const std::string &name) const {
    const auto file = ParameterFile::read((folder / name).string());
    return build_case<dim>(Parameters(declare_case(&file), file), file);
  }

  /// Writes a case with a section `grains` of rigid bodies in free flight.
  void write_case(const std::string &name, const std::string &grains,
                  const std::string &time = "set Step = 1e-3\n  set End = 0.05") const {
    write(name, "subsection Rigid bodies\n  subsection grains\n" + grains +
                    "  end\nend\nsubsection Boundary conditions\n  set Gravity = 0, -9.81" +
                    (has(grains, "sphere") ? ", 0" : "") +
                    "\nend\nsubsection Time\n  set Scheme = moreau-jean-fremond\n  set Theta = 0.5"
                    "\n  " +
                    time + "\nend\nsubsection Output\n  set Number of instants = 1\nend\n");
  }

  void expect_refused(const std::string &table, const std::string &words) const {
    write("grains.csv", table);
    write_case("case.prm", "    set Mass = 1\n    set Shape = disc\n    set File = grains.csv\n");
    const auto refusal = start("percussion", {"case.prm", "--validate"});
    EXPECT_EQ(refusal.status, 2) << table;
    EXPECT_PRED2(has, refusal.error, words);
    EXPECT_PRED2(has, refusal.error, "'Rigid bodies/grains/File'");
    EXPECT_FALSE(has(refusal.error, "there is no body")) << refusal.error;
  }
};

TEST_F(BodyTables, ARowIsABodyOfTheSection) {
  write("grains.csv", "# a comment\n"
                      "shape, radius, width, height, x, y, angle, vx, mass\n"
                      "disc, 0.25,,, 1, 2,, 3, 5\n"
                      "rectangle,, 4, 2, -7, 0.5, 0.5,, 6\n"
                      ",,,, 20, 0,,,\n");
  write_case("case.prm", "    set Shape = disc\n    set Radius = 0.75\n    set Mass = 2\n"
                         "    set Initial velocity = 0, 1\n    set File = grains.csv\n");
  const auto c = build<2>("case.prm");
  ASSERT_EQ(c.bodies->rigid.size(), 3u);
  const auto &[disc, plate, last] =
      std::tie(c.bodies->rigid[0], c.bodies->rigid[1], c.bodies->rigid[2]);
  EXPECT_EQ(disc.name, "grains 1");
  EXPECT_EQ(disc.mass, 5.);
  EXPECT_EQ(disc.inertia, 5. * 0.25 * 0.25 / 2);
  EXPECT_EQ(disc.largest_radius(), 0.25);
  EXPECT_EQ(plate.mass, 6.);
  EXPECT_NEAR(plate.inertia, 6. * (16. + 4.) / 12, 1e-14);
  EXPECT_EQ(plate.centre, dealii::Point<2>(-7, 0.5));
  EXPECT_NEAR(plate.outline[0][0], -7 - 2 * std::cos(0.5) + 1 * std::sin(0.5), 1e-14);
  EXPECT_EQ(last.largest_radius(), 0.75);
  EXPECT_EQ(last.mass, 2.);
  const double *const v = c.initial.v.data();
  EXPECT_EQ(v[c.bodies->rigid_dof(0)], 3.);
  EXPECT_EQ(v[c.bodies->rigid_dof(0) + 1], 1.); // of the section
  EXPECT_EQ(v[c.bodies->rigid_dof(1)], 0.);
}

// Half of a motion, and its second half from the table of the first, end where the whole ends.
template <int dim>
void expect_same_end(const Case<dim> &whole, const Case<dim> &second) {
  ASSERT_EQ(whole.bodies->rigid.size(), second.bodies->rigid.size());
  for (std::size_t b = 0; b < whole.bodies->rigid.size(); ++b) {
    const auto &expected = whole.bodies->rigid[b], &found = second.bodies->rigid[b];
    EXPECT_LT(expected.centre.distance(found.centre), 1e-12);
    EXPECT_NEAR(expected.mass, found.mass, 1e-12 * expected.mass);
    ASSERT_EQ(expected.outline.size(), found.outline.size());
    for (std::size_t i = 0; i < expected.outline.size(); ++i)
      EXPECT_LT(expected.outline[i].distance(found.outline[i]), 1e-12) << b;
    for (unsigned int d = 0; d < RigidBody<dim>::n_dofs; ++d)
      EXPECT_NEAR(whole.initial.v[whole.bodies->rigid_dof(b) + d],
                  second.initial.v[second.bodies->rigid_dof(b) + d], 1e-12);
  }
}

TEST_F(BodyTables, TheFinalStateIsTheInputOfAnotherRun) {
  const std::string copies = "    set Mass = 2\n    set Width = 0.5\n    set Height = 0.25\n"
                             "    set Angle = 0.3\n    set Initial velocity = 1, 2\n"
                             "    set Initial angular velocity = 20\n    set Copies = 3\n"
                             "    set Offset = 3, 1\n    set Turn = 0.2\n";
  write_case("whole.prm", copies);
  write_case("first.prm", copies, "set Step = 1e-3\n  set End = 0.025");
  write_case("second.prm", "    set File = output/first/bodies_grains.csv\n",
             "set Step = 1e-3\n  set End = 0.025");
  for (const char *name : {"whole", "first", "second"}) {
    ASSERT_EQ(start("percussion", {std::string(name) + ".prm"}).status, 0) << name;
    write_case(std::string("end of ") + name + ".prm",
               "    set File = output/" + std::string(name) + "/bodies_grains.csv\n");
  }
  expect_same_end(build<2>("end of whole.prm"), build<2>("end of second.prm"));
}

TEST_F(BodyTables, TheFinalStateIsTheInputOfAnotherRunIn3D) {
  write("grains.csv",
        "shape,size_x,size_y,size_z,radius,length,height,x,y,z,qw,qx,qy,qz,vx,wx,wy,wz\n"
        "capsule,,,,0.2,0.7,,0,5,0,0.9,0.1,0.2,-0.3,1,10,20,-5\n"
        "cylinder,,,,0.3,,0.4,0,-5,0,0.9,0.3,0.2,-0.3,1,10,2,30\n"
        "box,1,2,3,,,,0,0,0,0.9,0.1,0.2,-0.3,1,10,20,-5\n"
        "sphere,,,,0.5,,,5,5,5,1,0,0,0,0,0,3,4\n"
        "box,1,1,0.5,,,,-5,0,1,0.5,0.5,0.5,0.5,-1,20,0.1,0.1\n");
  const auto section = [](const std::string &file) {
    return "    set Shape = sphere\n    set Density = 3\n    set File = " + file + "\n";
  };
  const std::string half = "set Step = 1e-3\n  set End = 0.025";
  write_case("whole.prm", section("grains.csv"));
  write_case("first.prm", section("grains.csv"), half);
  write_case("second.prm", section("output/first/bodies_grains.csv"), half);
  for (const char *name : {"whole", "first", "second"}) {
    ASSERT_EQ(start("percussion", {std::string(name) + ".prm"}).status, 0) << name;
    write_case(std::string("end of ") + name + ".prm",
               section("output/" + std::string(name) + "/bodies_grains.csv"));
  }
  expect_same_end(build<3>("end of whole.prm"), build<3>("end of second.prm"));
}

TEST_F(BodyTables, AResumedRunNeedsTheSameSurface) {
  const auto pyramid = [](const std::string &height) {
    return "v 0 0 0\nv 3 0 0\nv 3 3 0\nv 0 3 0\nv 0 0 " + height +
           "\nf 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
  };
  write("stone.obj", pyramid("4"));
  write("case.prm", "subsection Rigid bodies\n  subsection stone\n    set Shape = polyhedron\n"
                    "    set Density = 2\n    set Surface mesh = stone.obj\n  end\nend\n"
                    "subsection Time\n  set Scheme = moreau-jean\n  set Step = 1e-3\n"
                    "  set End = 0.01\nend\n");
  ASSERT_EQ(start("percussion", {"case.prm"}).status, 0);
  const auto resume = [&](const std::string &name) {
    return start("percussion",
                 {name, "--output", "output/case", "--resume", "--set", "Time/End=0.02"});
  };
  write("stone.obj", pyramid("5"));
  const auto changed = resume("case.prm");
  EXPECT_EQ(changed.status, 2);
  EXPECT_PRED2(has, changed.error,
               "surface mesh of Rigid bodies/stone differs from the earlier run");
  write("other.obj", pyramid("5"));
  const auto renamed =
      start("percussion", {"case.prm", "--output", "output/case", "--resume", "--set",
                           "Time/End=0.02", "--set", "Rigid bodies/stone/Surface mesh=other.obj"});
  EXPECT_EQ(renamed.status, 2);
  EXPECT_PRED2(has, renamed.error,
               "surface mesh of Rigid bodies/stone differs from the earlier run");
  write("stone.obj", pyramid("4"));
  // The effective parameters find the surface from the folder of the results.
  EXPECT_EQ(resume("output/case/parameters.prm").status, 0);
  const auto from = [&] {
    return start("percussion", {"case.prm", "--output", "second", "--set",
                                "Initial state/From=output/case", "--set", "Time/End=0.03"});
  };
  const auto continued = from();
  EXPECT_EQ(continued.status, 0) << continued.error;
  write("stone.obj", pyramid("5"));
  const auto refused = from();
  EXPECT_EQ(refused.status, 2);
  EXPECT_PRED2(has, refused.error, "surface mesh of Rigid bodies/stone");
}

TEST_F(BodyTables, AResumedRunNeedsTheSameTable) {
  const std::string table = "x, y, radius\n1, 2, 3\n10, 2, 4\n";
  write("grains.csv", table);
  write_case("case.prm", "    set Mass = 1\n    set Shape = disc\n    set File = grains.csv\n");
  ASSERT_EQ(start("percussion", {"case.prm"}).status, 0);
  const auto resume = [&](const std::string &name) {
    return start("percussion",
                 {name, "--output", "output/case", "--resume", "--set", "Time/End=0.06"});
  };
  write("grains.csv", "x, y, radius\n1, 2, 3\n10, 2, 4.5\n");
  const auto changed = resume("case.prm");
  EXPECT_EQ(changed.status, 2);
  EXPECT_PRED2(has, changed.error, "table of bodies grains differs from the earlier run");
  write("grains.csv", table);
  // The effective parameters find the table from the folder of the results.
  EXPECT_EQ(resume("output/case/parameters.prm").status, 0);
  const auto from = [&](const std::string &name) {
    return start("percussion", {name, "--output", "second", "--set",
                                "Initial state/From=output/case", "--set", "Time/End=0.02"});
  };
  EXPECT_EQ(from("case.prm").status, 0);
  write("grains.csv", "x, y, radius\n1, 2, 3\n10, 2, 4.5\n");
  EXPECT_EQ(from("case.prm").status, 2);
}

// Discs of a table that have settled rest when another run begins with the table of their end.
TEST_F(BodyTables, APackingThatHasSettledRests) {
  write("grains.csv", "x, y, radius\n0, 0.5, 0.5\n1.2, 0.4, 0.4\n0.65, 1.3, 0.3\n");
  const auto packing = [&](const std::string &name, const std::string &file) {
    write_case(name, "    set Density = 1\n    set Shape = disc\n    set File = " + file + "\n",
               "set Step = 2e-3\n  set End = 3");
    write(name, read(name) + "subsection Contact\n"
                             "  subsection among\n    set Bodies = all\n"
                             "    set Surface = rigid bodies\n"
                             "    set Friction coefficient = 0.5\n  end\n"
                             "  subsection floor\n    set Bodies = all\n"
                             "    set Surface = half-plane\n"
                             "    set Friction coefficient = 0.5\n  end\n"
                             "  subsection left\n    set Bodies = all\n"
                             "    set Surface = half-plane\n    set Normal = 1, 0\n"
                             "    set Point = -0.5, 0\n  end\n"
                             "  subsection right\n    set Bodies = all\n"
                             "    set Surface = half-plane\n    set Normal = -1, 0\n"
                             "    set Point = 1.6, 0\n  end\nend\n");
    ASSERT_EQ(start("percussion", {name}).status, 0);
  };
  packing("first.prm", "grains.csv");
  packing("second.prm", "output/first/bodies_grains.csv");
  write_case("end.prm", "    set File = output/second/bodies_grains.csv\n");
  write_case("begin.prm", "    set File = output/first/bodies_grains.csv\n");
  const auto begin = build<2>("begin.prm"), end = build<2>("end.prm");
  for (std::size_t b = 0; b < 3; ++b)
    EXPECT_LT(begin.bodies->rigid[b].centre.distance(end.bodies->rigid[b].centre), 1e-3) << b;
}

TEST_F(BodyTables, UnfitTables) {
  expect_refused("x, y, radios\n1, 2, 3\n", "has no column 'radios'");
  expect_refused("x, y, radios\n1, 2, 3\n", "did you mean 'radius'?");
  expect_refused("x, radius\n1, 2\n", "the column 'y' is missing");
  expect_refused("x, y, x\n1, 2, 3\n", "grains.csv:1: two columns have the name 'x'");
  expect_refused("x, y, radius\n1, 2, 3\n1, 2\n", "grains.csv:3: 2 values for 3 columns");
  expect_refused("x, y, radius\n1, 2, 3\n1, 2, -1\n",
                 "grains.csv:3: 'radius' is '-1': allowed is a number > 0");
  for (const std::string radius : {"1e-300", "1e300"})
    expect_refused("x, y, radius\n1, 2, 3\n1, 2, " + radius + "\n",
                   "grains.csv:3: the moment of inertia of this body is not a positive number");
  expect_refused("x, y, shape, length, density\n1, 2, stick, 1, 1\n",
                 "grains.csv:2: a stick has no area; give its mass");
  expect_refused("x, y, shape\n1, 2, sphere\n", "grains.csv:2: 'shape' is 'sphere'");
  expect_refused("x, y\n1, word\n", "grains.csv:2: 'y' is 'word': allowed is a finite number");
  expect_refused("x, y\n1,\n", "grains.csv:2: 'y' is missing");
  expect_refused("x, y\n", "it has no rows");
  expect_refused("x, y, mass, density\n1, 2, 3, 4\n", "exclude each other");
  write_case("case.prm", "    set Mass = 1\n    set File = none.csv\n");
  EXPECT_PRED2(has, start("percussion", {"case.prm", "--validate"}).error, "no such file");
  write("grains.csv", "x, y\n1, 2\n");
  write_case(
      "case.prm",
      "    set Mass = 1\n    set File = grains.csv\n    set Copies = 2\n    set Offset = 2, 0\n");
  EXPECT_PRED2(has, start("percussion", {"case.prm", "--validate"}).error,
               "no effect with File, whose rows are the bodies");
}

} // namespace
