// Elastic bodies that slide over each other keep their contact: forces and depths do not depend on
// the distance that they have slid.

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"
#include "support/csv.h"
#include <cmath>
#include <numeric>
#include <random>

namespace {

using namespace cases;
using percussion::State;
using percussion::StepRecord;
using Assignments = std::vector<std::string>;

const std::string ends = "end\n";

/// Steps of a case with one contact pair between elastic bodies.
template <int dim>
class Slide {
public:
  /// Round-off of the strain energy of a block with the modulus 1e5 that has been displaced by 1.3:
  /// of q · K q if it is linear [energy].
  double round_off() const { return c.bodies->operators.linear ? 2e-11 : 1e-10; }

  Slide(const fs::path &folder, const Assignments &assignments)
      : c(build(folder, assignments)), step(*c.bodies, *c.boundary, c.choices, c.cone),
        state(c.initial) {
    step.initialise(state);
  }

  /// Advances by a step. Expects a ledger that closes.
  void advance() {
    const StepRecord<dim> &record =
        step.advance(state, c.span.start + (state.step + 1) * c.choices.h);
    largest_energy = std::max(largest_energy, state.energy());
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * largest_energy + round_off());
    force = tangential = 0;
    for (const auto &contact : record.contacts) {
      force += contact.percussion[0] / c.choices.h;
      tangential += std::abs(contact.percussion[1]) / c.choices.h;
    }
    deepest = record.penetration_max;
    largest_work = std::max(largest_work, record.normal_work_max);
    largest_friction_work = std::max(largest_friction_work, record.tangential_work_max);
  }
  double time() const { return state.time; }

  /// Sums of the forces of all contacts, the largest depth, and the largest normal and tangential
  /// works of a contact.
  double force = 0, tangential = 0, deepest = 0, largest_work = 0, largest_friction_work = 0;
  double largest_energy = 0;
  percussion::Case<dim> c;

private:
  static percussion::Case<dim> build(const fs::path &folder, const Assignments &assignments) {
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    return percussion::build_case<dim>(
        percussion::Parameters(percussion::declare_case(&file), file), file);
  }

public:
  percussion::Step<dim> step;
  State<dim> state;
};

class Sliding : public CheckedCase {
protected:
  /// Writes a mesh of n × m quadrilaterals.
  void write_rectangle(const std::string &name, double x, double y, double width, double height,
                       unsigned int n, unsigned int m) const {
    std::ostringstream geo;
    geo << "Point(1) = {" << x << ", " << y << ", 0}; Point(2) = {" << x + width << ", " << y
        << ", 0};\nPoint(3) = {" << x + width << ", " << y + height << ", 0}; Point(4) = {" << x
        << ", " << y + height << ", 0};\nLine(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; "
        << "Line(4) = {4, 1};\nCurve Loop(1) = {1 : 4}; Plane Surface(1) = {1};\n"
        << "Transfinite Curve {1, 3} = " << n + 1 << "; Transfinite Curve {2, 4} = " << m + 1
        << ";\nTransfinite Surface {1}; Recombine Surface {1};\nPhysical Surface(\"" << name
        << "\") = {1};\nPhysical Curve(\"" << name << " bottom\") = {1};\nPhysical Curve(\"" << name
        << " top\") = {3};\n";
    write(name + ".geo", geo.str());
  }

  /// Writes a block that is pressed into a table by 1e-3 in one second and then dragged over it.
  void write_dragged_block(unsigned int table_length = 4) const {
    write_rectangle("block", 0.53, 0., 1., 0.5, 3, 1);
    write_rectangle("table", 0., -0.5, table_length, 0.5, 3 * table_length, 1);
    write("case.prm", R"(subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Young modulus = 1e5
  set Poisson ratio = 0.3
end
subsection Constants
  set start = 0
end
subsection Boundary conditions
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
  end
  subsection block top
    set Displacement x = start*min(t, 1) + if(t < 1, 0, 0.13*(t - 1))
    set Displacement y = -1e-3*min(t, 1)
  end
end
subsection Contact
  subsection c
    set Region = block bottom
    set Surface = region
    set Against = table top
  end
end
subsection Time
  set Inertia = none
  set Theta = 1
  set End = 11
  set Step = 0.2
end
)");
  }

  /// Writes a box with the edges a, b and c in x, y and z, extruded from n × m quadrilaterals.
  void write_box(const std::string &name, const dealii::Point<3> &x,
                 const dealii::Tensor<1, 3> &edges, unsigned int n, unsigned int m) const {
    std::ostringstream geo;
    geo << "Point(1) = {" << x[0] << ", " << x[1] << ", " << x[2] << "}; Point(2) = {"
        << x[0] + edges[0] << ", " << x[1] << ", " << x[2] << "};\nPoint(3) = {" << x[0] + edges[0]
        << ", " << x[1] + edges[1] << ", " << x[2] << "}; Point(4) = {" << x[0] << ", "
        << x[1] + edges[1] << ", " << x[2] << "};\nLine(1) = {1, 2}; Line(2) = {2, 3}; "
        << "Line(3) = {3, 4}; Line(4) = {4, 1};\nCurve Loop(1) = {1 : 4}; "
        << "Plane Surface(1) = {1};\nTransfinite Curve {1, 3} = " << n + 1
        << "; Transfinite Curve {2, 4} = " << m + 1
        << ";\nTransfinite Surface {1}; Recombine Surface {1};\nout[] = Extrude {0, 0, " << edges[2]
        << "} { Surface{1}; Layers{1}; Recombine; };\nPhysical Volume(\"" << name
        << "\") = {out[1]};\nPhysical Surface(\"" << name
        << " bottom\") = {1};\nPhysical Surface(\"" << name << " top\") = {out[0]};\n";
    write(name + ".geo", geo.str());
  }

  /// Writes the block and the table with a depth of one element and with edges that do not match,
  /// which are dragged obliquely.
  void write_dragged_box() const {
    write_dragged_block();
    write_box("block", {0.53, 0.21, 0.}, dealii::Point<3>(1., 0.6, 0.5), 3, 2);
    write_box("table", {0., 0., -0.5}, dealii::Point<3>(3., 1.2, 0.5), 9, 3);
    std::string text = read(folder / "case.prm");
    const auto replace = [&text](const std::string &old_text, const std::string &new_text) {
      const auto position = text.find(old_text);
      ASSERT_NE(position, std::string::npos) << old_text;
      text.replace(position, old_text.size(), new_text);
    };
    replace("set Displacement x = 0\n    set Displacement y = 0",
            "set Displacement x = 0\n    set Displacement y = 0\n    set Displacement z = 0");
    replace("set Displacement y = -1e-3*min(t, 1)",
            "set Displacement y = 0.2*(start*min(t, 1) + if(t < 1, 0, 0.1*(t - 1)))\n"
            "    set Displacement z = -1e-3*min(t, 1)");
    replace("0.13*(t - 1)", "0.1*(t - 1)");
    write("case.prm", text);
  }

  /// Writes a rubber block that slides over a rubber table with 1 m/s under its weight.
  void write_sliding_block(unsigned int table_length = 4) const {
    write_rectangle("block", 0.53, 0., 1., 0.5, 8, 4);
    write_rectangle("table", 0., -0.5, table_length, 0.5, 8 * table_length, 4);
    write("case.prm", R"(subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
  set Viscosity = 300
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
  end
end
subsection Initial state
  set Velocity x = if(y > -1e-9, 1, 0)
end
subsection Contact
  subsection c
    set Region = block bottom
    set Surface = region
    set Against = table top
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 2
  set Step = 1e-3
end
subsection Output
  set Number of instants = 1
end
subsection Probes
  subsection depth
    set Point = 1, 0.25
  end
  subsection force
    set Kind = force
    set Contact = c
  end
end
)");
  }

  /// Writes a half ring whose facets are longer than those of the soft block below it, over which
  /// it is dragged.
  void write_half_ring() const {
    write_rectangle("block", 0., -1., 5., 1., 30, 4);
    write("ring.geo", R"(Point(1) = {1.53, 1, 0}; Point(2) = {0.53, 1, 0}; Point(3) = {0.83, 1, 0};
Point(4) = {2.53, 1, 0}; Point(5) = {2.23, 1, 0}; Point(6) = {1.53, 0, 0}; Point(7) = {1.53, 0.3, 0};
Circle(1) = {2, 1, 6}; Circle(2) = {6, 1, 4}; Circle(3) = {3, 1, 7}; Circle(4) = {7, 1, 5};
Line(5) = {2, 3}; Line(6) = {6, 7}; Line(7) = {4, 5};
Transfinite Curve {1 : 4} = 9; Transfinite Curve {5 : 7} = 3;
Curve Loop(1) = {1, 6, -3, -5}; Plane Surface(1) = {1};
Curve Loop(2) = {2, 7, -4, -6}; Plane Surface(2) = {2};
Transfinite Surface {1, 2}; Recombine Surface {1, 2};
Physical Surface("ring") = {1, 2}; Physical Curve("ring outside") = {1, 2};
Physical Curve("ring ends") = {5, 7};
)");
    write("case.prm", R"(subsection Mesh
  set File = ring.geo, block.geo
end
subsection Material
  set Law = neo-hooke
  set Poisson ratio = 0.3
  set Young modulus = 100
  subsection ring
    set Young modulus = 1000
  end
end
subsection Boundary conditions
  subsection block bottom
    set Displacement x = 0
    set Displacement y = 0
  end
  subsection ring ends
    set Displacement x = 1.5*max(t - 1, 0)
    set Displacement y = -0.15*min(t, 1)
  end
end
subsection Contact
  subsection c
    set Region = ring outside
    set Surface = region
    set Against = block top
  end
end
subsection Time
  set Inertia = none
  set Theta = 1
  set End = 1.5
  set Step = 0.05
end
)");
  }

  /// Range of the normal forces from a time on, the ratio of friction to the last one, and the
  /// largest normal work of one contact in one step, over the largest energy.
  struct Forces {
    double smallest = 1e300, largest = 0, last = 0, friction_ratio = 0, work_ratio = 0;
  };
  template <int dim = 2>
  Forces drag(const Assignments &assignments, double begin = 1.) const {
    Slide<dim> slide(folder, assignments);
    Forces forces;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      if (slide.time() < begin - 1e-9)
        continue;
      forces.smallest = std::min(forces.smallest, slide.force);
      forces.largest = std::max(forces.largest, slide.force);
      forces.last = slide.force;
      forces.friction_ratio = slide.tangential / slide.force;
    }
    forces.work_ratio = slide.largest_work / slide.largest_energy;
    return forces;
  }
  /// Returns the force of pressing the block down.
  template <int dim>
  double press(Assignments assignments) const {
    assignments.emplace_back("Time/End=1");
    Slide<dim> slide(folder, assignments);
    while (slide.time() < 1. - 1e-9)
      slide.advance();
    return slide.force;
  }
};

/// Points of contact of a side.
struct Points {
  std::string discretisation;
  bool is_of_table;
  bool is_even; ///< false for nodes of the table, whose number under the block varies
};
Assignments entries_of(const Points &points) {
  Assignments entries = {"Contact/c/Discretisation=" + points.discretisation};
  if (points.is_of_table)
    entries.insert(entries.end(), {"Contact/c/Region=table top", "Contact/c/Against=block bottom"});
  return entries;
}
Assignments joined(Assignments entries, const Assignments &more) {
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

/// Frictionless equilibrium of linear bodies is unique: the force after the slide is the force of
/// pressing the block where it has come to, whatever the side of the multipliers and the step. Gaps
/// at the end of a step are zero to a hundred units of round-off, hence the work of contacts.
TEST_F(Sliding, ForcesDoNotDependOnThePath) {
  write_dragged_block();
  for (const Points &points :
       {Points{"mortar of region", false, true}, Points{"mortar of region", true, true},
        Points{"nodes of both sides", false, true}, Points{"nodes", false, true},
        Points{"nodes", true, false}}) {
    const Assignments choice = entries_of(points);
    const double pressed = press<2>(joined(choice, {"Constants/start=1.3"}));
    for (const std::string step : {"0.2", "0.5"}) {
      const std::string name =
          points.discretisation + (points.is_of_table ? " of the table " : " ") + step;
      const Forces forces = drag(joined(choice, {"Time/Step=" + step}));
      EXPECT_GT(forces.smallest, (points.is_even ? 0.95 : 0.85) * forces.largest) << name;
      EXPECT_LT(forces.work_ratio, points.is_even ? 1e-9 : 1e-8) << name;
      // Nodes of both sides have redundant constraints at facets, which the path may choose.
      const bool is_unique = points.discretisation != "nodes of both sides";
      EXPECT_NEAR(forces.last, pressed, (is_unique ? 1e-6 : 1e-2) * pressed) << name;
    }
  }
}

/// Forces of an independent implementation, with nodes of both sides, before and after the slide.
TEST_F(Sliding, ForcesAreThoseOfAnotherImplementation) {
  write_dragged_block();
  const std::string points = "Contact/c/Discretisation=nodes of both sides";
  EXPECT_NEAR(press<2>({points}), 143.5, 0.05);
  EXPECT_NEAR(drag({points, "Time/Step=0.1"}).last, 143.8, 0.05);
}

TEST_F(Sliding, ForcesStayOverTenElements) {
  write_dragged_block(6);
  for (const std::string friction : {"0", "0.3"})
    for (const std::string step : {"0.2", "0.5", "1"}) {
      const Forces forces =
          drag({"Contact/c/Friction coefficient=" + friction, "Time/Step=" + step, "Time/End=27"},
               friction == "0" ? 1. : 2.);
      EXPECT_GT(forces.smallest, 0.95 * forces.largest) << friction << ' ' << step;
      EXPECT_NEAR(forces.friction_ratio, std::stod(friction), 1e-6) << step;
    }
}

/// The same with other materials, friction, and other points of contact.
TEST_F(Sliding, ForcesStayWithFrictionAndOtherMaterials) {
  write_dragged_block();
  const std::string rough = "Contact/c/Friction coefficient=0.3";
  EXPECT_GT(drag({rough}).smallest, 0.95 * drag({rough}).largest);
  // Corners stick until they are dragged, and nodes at facets vary by 4 % without friction, too.
  const Forces node_forces = drag({"Contact/c/Discretisation=nodes of both sides", rough}, 1.2);
  EXPECT_GT(node_forces.smallest, 0.955 * node_forces.largest);
  EXPECT_NEAR(node_forces.friction_ratio, 0.3, 1e-3);
  const std::string rubber = "Material/Law=neo-hooke";
  const double pressed = press<2>({rubber, "Constants/start=1.3"});
  const Forces forces = drag({rubber});
  EXPECT_GT(forces.smallest, 0.95 * forces.largest);
  EXPECT_NEAR(forces.last, pressed, 1e-6 * pressed);
}

TEST_F(Sliding, ForcesDoNotDependOnThePathIn3D) {
  write_dragged_box();
  const double pressed = press<3>({"Constants/start=1", "Time/Step=0.05"});
  const Forces forces = drag<3>({"Time/Step=0.5"});
  EXPECT_GT(forces.smallest, 0.95 * forces.largest);
  EXPECT_LT(forces.work_ratio, 1e-9);
  EXPECT_NEAR(forces.last, pressed, 1e-6 * pressed);
  // A fifth of the time slides over 0.6 elements, the whole of it over three.
  for (const std::string step : {"0.2", "0.5", "1"})
    EXPECT_NEAR(press<3>({"Constants/start=1", "Time/Step=" + step}), pressed, 1e-6 * pressed)
        << step;
}

TEST_F(Sliding, AHalfRingKeepsItsForceOnASoftBlock) {
  write_half_ring();
  for (const std::string points : {"mortar", "nodes of both sides"}) {
    const Forces forces = drag({"Contact/c/Discretisation=" + points});
    EXPECT_GT(forces.smallest, 0.98 * forces.largest) << points;
    EXPECT_GT(forces.last, 9.);
  }
}

/// The whole face slips.
TEST_F(Sliding, AHalfRingIronsASoftBlockWithFriction) {
  write_half_ring();
  const Forces forces = drag({"Contact/c/Friction coefficient=0.2"}, 1.2);
  EXPECT_GT(forces.smallest, 0.98 * forces.largest);
  EXPECT_NEAR(forces.friction_ratio, 0.2, 1e-6);
}

/// Returns the mean of a column between two times, without rows of no force.
double mean_between(const std::map<std::string, std::vector<double>> &table,
                    const std::string &column, double begin, double end) {
  double sum = 0, n = 0;
  for (std::size_t k = 0; k < table.at("time").size(); ++k)
    if (table.at("time")[k] >= begin && table.at("time")[k] < end &&
        !std::isnan(table.at(column)[k])) {
      sum += table.at(column)[k];
      ++n;
    }
  return sum / n;
}

/// A block that slides over sixteen edges of the table stays at the depth of its weight, and its
/// contact carries its weight.
TEST_F(Sliding, ABlockUnderItsWeightStaysAtItsDepth) {
  write_sliding_block();
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Outcome outcome = run_with({"Time/Scheme=" + scheme});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (const double begin : {0.5, 1., 1.5})
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 0.5), -0.0036, 3e-4)
          << scheme << ' ' << begin;
    EXPECT_NEAR(mean_between(probes, "force.force_normal", 1., 2.), 4905., 50.) << scheme;
  }
}

/// The same over a hundred edges, also with contacts on the table, which the block comes to cover.
/// The vibration of the impact at the start decays.
TEST_F(Sliding, ABlockStaysAtItsDepthOverAHundredEdges) {
  write_sliding_block(15);
  const Assignments on_the_table = {"Contact/c/Region=table top", "Contact/c/Against=block bottom"};
  for (const auto &[points, sides] : {std::pair{"mortar", Assignments()},
                                      {"nodes of both sides", Assignments()},
                                      {"nodes", on_the_table},
                                      {"mortar of region", on_the_table}}) {
    Assignments assignments = {std::string("Contact/c/Discretisation=") + points, "Time/End=12.5",
                               "Time/Step=2e-3"};
    assignments.insert(assignments.end(), sides.begin(), sides.end());
    const Outcome outcome = run_with(assignments);
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (double begin = 2.5; begin < 12.; begin += 2.5) {
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 2.5), -0.0037, 2e-4)
          << points << ' ' << begin;
      EXPECT_NEAR(mean_between(probes, "force.force_normal", begin, begin + 2.5), 4905.,
                  begin > 5. ? 10. : 30.)
          << points << ' ' << begin;
    }
  }
}

/// Twenty times its weight presses the block in by a seventh of its height.
TEST_F(Sliding, AHeavyBlockStaysOnItsTable) {
  write_sliding_block();
  for (const std::string scheme : {"moreau-jean-fremond", "pdas-leapfrog"}) {
    const Outcome outcome =
        run_with({"Time/Scheme=" + scheme, "Boundary conditions/Gravity=0, -200"});
    ASSERT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    for (const double begin : {0., 0.5, 1., 1.5})
      EXPECT_NEAR(mean_between(probes, "depth.displacement_y", begin, begin + 0.5), -0.07, 0.005)
          << scheme << ' ' << begin;
    EXPECT_NEAR(mean_between(probes, "force.force_normal", 0.5, 2.), 1e5, 1e3) << scheme;
  }
}

/// No contact of a body that slides gains energy by its normal percussion; persistent contacts do
/// not lose any either.
TEST_F(Sliding, NormalPercussionsDoNoPositiveWork) {
  write_sliding_block();
  for (const std::string law : {"fremond", "persistent-dissipative"})
    for (const std::string friction : {"0", "0.3"}) {
      Slide<2> slide(folder,
                     {"Contact/c/Impact law=" + law, "Contact/c/Friction coefficient=" + friction});
      while (slide.time() < 0.5)
        slide.advance();
      EXPECT_LT(slide.largest_work, 1e-15 * slide.largest_energy) << law << ", " << friction;
      EXPECT_LT(slide.deepest, 0.02) << law << ", " << friction;
    }
}

/// Laws, schemes, discretisations and meshes drawn with a fixed seed: a block is thrown on a table
/// and slides, and no contact does positive work.
class RandomSlides : public Sliding {
protected:
  std::string draw(const std::vector<std::string> &values) {
    return values[random() % values.size()];
  }

  /// Writes a block that is thrown on a table, with meshes of other edges in each draw.
  void write_thrown(int dim) {
    const unsigned int n = 2 + random() % 3, m = 4 + random() % 5;
    const std::string down = dim == 2 ? "y" : "z", more = dim == 2 ? "" : "0, ";
    if (dim == 2) {
      write_rectangle("block", 0.53, 1e-3, 1., 0.5, n, 2);
      write_rectangle("table", 0., -0.5, 2., 0.5, m, 2);
    } else {
      write_box("block", {0.53, 0.21, 1e-3}, dealii::Point<3>(1., 0.6, 0.5), n, 2);
      write_box("table", {0., 0., -0.5}, dealii::Point<3>(2., 1.2, 0.5), m, 3);
    }
    write("case.prm", R"(subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, )" + more +
                          R"(-9.81
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
)" + (dim == 2 ? "" : "    set Displacement z = 0\n") +
                          R"(  end
end
subsection Initial state
  set Velocity x = if()" + down +
                          R"( > 5e-4, 1, 0)
  set Velocity )" + down + " = if(" +
                          down +
                          R"( > 5e-4, -0.5, 0)
end
subsection Contact
  subsection c
    set Region = block bottom
    set Surface = region
    set Against = table top
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 0.12
  set Step = 2e-3
end
)");
  }

  /// Advances the block to the end, and expects that no contact gains energy.
  template <int dim>
  void expect_no_gain(const Assignments &assignments) const {
    std::string drawn = std::to_string(dim) + "D";
    for (const auto &assignment : assignments)
      drawn += ", " + assignment;
    Slide<dim> slide(folder, assignments);
    double pressed = 0;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      pressed += slide.force;
    }
    EXPECT_GT(pressed, 0.) << drawn;
    EXPECT_LT(slide.largest_work, 1e-13 * slide.largest_energy) << drawn;
    EXPECT_LT(slide.largest_friction_work, 1e-13 * slide.largest_energy) << drawn;
  }

  std::mt19937 random{20260};
};

TEST_F(RandomSlides, NoContactDoesPositiveWork) {
  for (unsigned int k = 0; k < 24; ++k) {
    const int dim = k % 6 == 5 ? 3 : 2;
    write_thrown(dim);
    const std::string scheme = draw({"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez"});
    Assignments drawn = {"Time/Scheme=" + scheme,
                         "Contact/c/Friction coefficient=" + draw({"0", "0.2", "0.8"}),
                         "Contact/c/Discretisation=" +
                             draw({"mortar", "mortar of region", "nodes", "nodes of both sides"}),
                         "Material/Law=" + draw({"linear elastic", "neo-hooke"})};
    if (draw({"block", "table"}) == "table")
      drawn.insert(drawn.end(), {"Contact/c/Region=table top", "Contact/c/Against=block bottom"});
    drawn.push_back("Time/Step=" + draw({"2e-3", "1e-3"}));
    const std::string restitution = draw({"0", "0.5", "1", "persistent"});
    if (restitution == "persistent") {
      drawn.emplace_back("Contact/c/Impact law=persistent-dissipative");
    } else {
      drawn.emplace_back("Contact/c/Impact law=dissipative");
      drawn.emplace_back("Contact/c/Restitution=" + restitution);
    }
    dim == 2 ? expect_no_gain<2>(drawn) : expect_no_gain<3>(drawn);
  }
}

} // namespace
