// Elastic rings and shafts that turn in each other keep their forces: the facets of both sides pass
// over each other, and the gaps stay.

#include "cases/checked_case.h"
#include "cases/stepped.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

using namespace cases;
using Assignments = std::vector<std::string>;

class Turning : public CheckedCase {
protected:
  /// Writes a mesh of a ring of n × m quadrilaterals, whose first node is at the angle `phase`.
  void write_ring(const std::string &name, double inner, double outer, unsigned int n,
                  unsigned int m, double phase = 0.) const {
    std::ostringstream geo;
    geo.precision(17);
    geo << "Point(1) = {0, 0, 0};\n";
    for (unsigned int k = 0; k < 8; ++k) {
      const double radius = k < 4 ? inner : outer, angle = phase + 0.5 * dealii::numbers::PI * k;
      geo << "Point(" << 2 + k << ") = {" << radius * std::cos(angle) << ", "
          << radius * std::sin(angle) << ", 0};\n";
    }
    for (unsigned int k = 0; k < 8; ++k)
      geo << "Circle(" << 1 + k << ") = {" << 2 + k << ", 1, " << (k % 4 == 3 ? k - 1 : 3 + k)
          << "};\n";
    for (unsigned int k = 0; k < 4; ++k)
      geo << "Line(" << 9 + k << ") = {" << 2 + k << ", " << 6 + k << "};\n";
    for (unsigned int k = 0; k < 4; ++k)
      geo << "Curve Loop(" << 1 + k << ") = {" << 9 + k << ", " << 5 + k << ", -" << 9 + (k + 1) % 4
          << ", -" << 1 + k << "}; Plane Surface(" << 1 + k << ") = {" << 1 + k << "};\n";
    geo << "Transfinite Curve {1 : 8} = " << n / 4 + 1 << "; Transfinite Curve {9 : 12} = " << m + 1
        << ";\nTransfinite Surface {1 : 4}; Recombine Surface {1 : 4};\nPhysical Surface(\"" << name
        << "\") = {1 : 4};\nPhysical Curve(\"" << name << " inside\") = {1 : 4};\nPhysical Curve(\""
        << name << " outside\") = {5 : 8};\n";
    write(name + ".geo", geo.str());
  }

  /// Writes two rings whose facets do not match. x and y are the displacements of the inside of the
  /// inner one.
  void write_rings(double shaft_radius, const std::string &x, const std::string &y) const {
    write_ring("shaft", 0.5, shaft_radius, 24, 2, 0.03);
    write_ring("bearing", 1., 1.5, 32, 2);
    write("case.prm", R"(subsection Mesh
  set File = shaft.geo, bearing.geo
end
subsection Material
  set Law = neo-hooke
  set Young modulus = 1000
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  subsection bearing outside
    set Displacement x = 0
    set Displacement y = 0
  end
  subsection shaft inside
    set Displacement x = )" +
                          x + "\n    set Displacement y = " + y + R"(
  end
end
subsection Contact
  subsection c
    set Region = shaft outside
    set Surface = region
    set Against = bearing inside
  end
end
subsection Time
  set Inertia = none
  set Theta = 1
  set End = 1.1
  set Step = 0.02
end
subsection Output
  set Number of instants = 1
end
subsection Probes
  subsection f
    set Kind = force
    set Contact = c
  end
end
)");
  }
  void write_press_fit() const {
    write_rings(1., "(1 + 0.02*min(10*t, 1))*(x*cos(2*pi*t) - y*sin(2*pi*t)) - x",
                "(1 + 0.02*min(10*t, 1))*(x*sin(2*pi*t) + y*cos(2*pi*t)) - y");
  }
  void write_shaft() const {
    write_rings(0.99, "x*cos(2*pi*t) - y*sin(2*pi*t) - x",
                "x*sin(2*pi*t) + y*cos(2*pi*t) - y - 0.03*min(10*t, 1)");
  }

  /// Writes a rubber shaft that turns and falls in its bearing, of n × m and n_bearing × m cells.
  void write_bouncing_shaft(unsigned int n, unsigned int n_bearing, unsigned int m) const {
    write_ring("shaft", 0.5, 0.98, n, m, 0.1);
    write_ring("bearing", 1., 1.4, n_bearing, m);
    write("case.prm", R"(subsection Mesh
  set File = shaft.geo, bearing.geo
end
subsection Material
  set Law = neo-hooke
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -9.81
  subsection bearing outside
    set Displacement x = 0
    set Displacement y = 0
  end
end
subsection Initial state
  set Velocity x = if(x*x + y*y < 0.99^2, -2*y, 0)
  set Velocity y = if(x*x + y*y < 0.99^2, 2*x, 0)
end
subsection Contact
  subsection c
    set Region = shaft outside
    set Surface = region
    set Against = bearing inside
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 0.5
  set Step = 2e-3
end
)");
  }

  /// Expects that only gravity changes the energy, and normal works below a fraction of it.
  void expect_constant_energy(const Assignments &assignments, double normal_work) const {
    cases_in_space::Stepped<2> run(cases_in_space::build<2>(
        percussion::ParameterFile::read((folder / "case.prm").string()), assignments));
    double work = 0, normal = 0, largest = 0, error = 0;
    const double initial = run.state.energy();
    unsigned int n_pressing = 0;
    for (unsigned int k = 0; k < run.c.span.n_steps; ++k) {
      const auto &record = run.advance();
      work += record.works.external;
      normal = std::max({normal, record.normal_work_max, -record.normal_work_min});
      largest = std::max(largest, run.state.energy());
      error = std::max(error, std::abs(run.state.energy() - initial - work));
      n_pressing += record.contacts.empty() ? 0 : 1;
    }
    EXPECT_LT(error, 1e-11 * largest);
    EXPECT_LT(normal, normal_work * largest);
    EXPECT_GT(n_pressing, run.c.span.n_steps / 2);
  }

  /// Half of the range of a column of the probes after the time 0.1, over its mean.
  double variation(const std::string &column, const Assignments &assignments) const {
    const Outcome outcome = run_with(assignments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const auto probes = percussion::test::read_csv((folder / "output/case/probes.csv").string());
    std::vector<double> values;
    for (std::size_t k = 0; k < probes.at("time").size(); ++k)
      if (probes.at("time")[k] > 0.1 - 1e-9)
        values.push_back(probes.at(column)[k]);
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    return 0.5 * (*largest - *least) /
           std::abs(std::accumulate(values.begin(), values.end(), 0.) / double(values.size()));
  }
};

/// The facets pass over each other, whatever part of one a step turns by: a full turn in 20, 50,
/// 200 and 800 steps. The gaps of corners, which nodes of both sides have, vary with the angle.
TEST_F(Turning, APressFitKeepsItsPressure) {
  write_press_fit();
  for (const std::string step : {"0.05", "0.02", "0.005", "0.00125"})
    EXPECT_LT(variation("f.force_normal", {"Time/Step=" + step}), step == "0.05" ? 1e-2 : 1e-3)
        << step;
  EXPECT_LT(variation("f.force_normal",
                      {"Contact/c/Discretisation=nodes of both sides", "Time/End=0.36"}),
            0.03);
}

TEST_F(Turning, AnEccentricShaftKeepsItsForce) {
  write_shaft();
  for (const std::string points : {"mortar", "nodes of both sides"}) {
    const std::string choice = "Contact/c/Discretisation=" + points;
    EXPECT_LT(variation("f.force_y", {choice}), 0.01) << points;
    EXPECT_LT(variation("f.force_y", {choice, "Time/Step=0.005", "Time/End=0.25"}), 0.01) << points;
  }
}

/// Without friction, contacts that keep their gaps do no work: the shaft bounces in its bearing and
/// keeps its energy, except for the tolerance of the momentum.
TEST_F(Turning, ARubberShaftKeepsItsEnergy) {
  write_bouncing_shaft(24, 32, 3);
  expect_constant_energy({}, 1e-15);
}

TEST_F(Turning, ARubberShaftKeepsItsEnergyForTenThousandSteps) {
  write_bouncing_shaft(16, 20, 1);
  expect_constant_energy({"Time/End=20", "Solver/Newton tolerance=1e-12"}, 1e-15);
}

} // namespace
