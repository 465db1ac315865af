// Cases of elastic bodies that slide over each other.

#pragma once

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"
#include <cmath>

namespace sliding {

using namespace cases;
using percussion::State;
using percussion::StepRecord;
using Assignments = std::vector<std::string>;

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

} // namespace sliding
