// Elastic bodies that slide over each other keep their contact: forces and depths do not depend on
// the distance that they have slid.

#include <percussion/dynamics/step.h>

#include "cases/checked_case.h"
#include "support/csv.h"
#include <cmath>
#include <numeric>

namespace {

using namespace cases;
using percussion::State;
using percussion::StepRecord;
using Assignments = std::vector<std::string>;

const std::string ends = "end\n";

/// Steps of a case with one contact pair between elastic bodies.
class Slide {
public:
  /// Round-off of q · K q of a block with the modulus 1e5 that has been displaced by 1.3 [energy].
  static constexpr double round_off = 2e-11;

  Slide(const fs::path &folder, const Assignments &assignments)
      : c(build(folder, assignments)), step(*c.bodies, *c.boundary, c.choices, c.cone),
        state(c.initial) {
    step.initialise(state);
  }

  /// Advances by a step. Expects a ledger that closes, and no contact whose normal percussion does
  /// positive work with inertia.
  void advance() {
    const StepRecord<2> &record =
        step.advance(state, c.span.start + (state.step + 1) * c.choices.h);
    largest_energy = std::max(largest_energy, state.energy());
    EXPECT_LT(std::abs(record.balance_residual), 1e-13 * largest_energy + round_off);
    largest_drift =
        std::max(largest_drift, record.defects.defect(percussion::DefectKind::drift).value);
    force = tangential = 0;
    for (const auto &contact : record.contacts) {
      force += contact.percussion[0] / c.choices.h;
      tangential += contact.percussion[1] / c.choices.h;
    }
    deepest = record.penetration_max;
    largest_work = std::max(largest_work, record.normal_work_max);
  }
  double time() const { return state.time; }

  double force = 0, tangential = 0, deepest = 0, largest_drift = 0, largest_work = 0;
  double largest_energy = 0;
  percussion::Case<2> c;

private:
  static percussion::Case<2> build(const fs::path &folder, const Assignments &assignments) {
    auto file = percussion::ParameterFile::read((folder / "case.prm").string());
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    return percussion::build_case<2>(percussion::Parameters(percussion::declare_case(&file), file),
                                     file);
  }

public:
  percussion::Step<2> step;
  State<2> state;
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
  void write_dragged_block() const {
    write_rectangle("block", 0.53, 0., 1., 0.5, 3, 1);
    write_rectangle("table", 0., -0.5, 4., 0.5, 12, 1);
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

  /// Writes a rubber block that slides over a rubber table with 1 m/s under its weight.
  void write_sliding_block() const {
    write_rectangle("block", 0.53, 0., 1., 0.5, 8, 4);
    write_rectangle("table", 0., -0.5, 4., 0.5, 32, 4);
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

  /// Range of the forces after the block has been pressed down.
  struct Forces {
    double smallest = 1e300, largest = 0, last = 0;
  };
  Forces drag(Assignments assignments) const {
    Slide slide(folder, assignments);
    Forces forces;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      if (slide.time() < 1. - 1e-9)
        continue;
      forces.smallest = std::min(forces.smallest, slide.force);
      forces.largest = std::max(forces.largest, slide.force);
      forces.last = slide.force;
    }
    return forces;
  }
};

/// Frictionless equilibrium of linear bodies is unique: the force after the slide is the force of
/// pressing the block where it has come to, whatever the side of the multipliers and the step.
TEST_F(Sliding, ForcesDoNotDependOnThePath) {
  write_dragged_block();
  for (const std::string discretisation : {"mortar", "mortar of region", "nodes of both sides"}) {
    const std::string choice = "Contact/c/Discretisation=" + discretisation;
    Slide pressed(folder, {choice, "Constants/start=1.3", "Time/End=1"});
    while (pressed.time() < 1. - 1e-9)
      pressed.advance();
    for (const std::string step : {"0.2", "0.5"}) {
      const Forces forces = drag({choice, "Time/Step=" + step});
      EXPECT_GT(forces.smallest, 0.95 * forces.largest) << discretisation << ' ' << step;
      // Nodes of both sides have redundant constraints at facets, which the path may choose.
      const bool is_unique = discretisation != "nodes of both sides";
      EXPECT_NEAR(forces.last, pressed.force, (is_unique ? 1e-6 : 1e-2) * pressed.force)
          << discretisation << ' ' << step;
    }
  }
}

/// Returns the mean of a column between two times.
double mean_between(const std::map<std::string, std::vector<double>> &table,
                    const std::string &column, double begin, double end) {
  double sum = 0, n = 0;
  for (std::size_t k = 0; k < table.at("time").size(); ++k)
    if (table.at("time")[k] >= begin && table.at("time")[k] < end) {
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

} // namespace
