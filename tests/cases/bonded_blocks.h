// Two bonded blocks, the upper one of which moves.

#pragma once

#include "cases/support.h"
#include "support/csv.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace bonded_blocks {

class BondedBlocks : public cases::CaseFolder {
protected:
  using Entries = std::vector<std::string>;

  BondedBlocks() {
    write("blocks.geo", R"(DefineConstant[ n = 4, m = 3 ];
SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 0.5};
Rectangle(2) = {0, 0.5, 0, 1, 0.5};
Transfinite Curve{1, 3} = n + 1; Transfinite Curve{2, 4} = 3;
Transfinite Curve{5, 7} = m + 1; Transfinite Curve{6, 8} = 3;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("lower") = {1}; Physical Surface("upper") = {2};
Physical Curve("base") = {1}; Physical Curve("lower face") = {3};
Physical Curve("upper face") = {5}; Physical Curve("top") = {7};
)");
    write("lower.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 0.5};
MeshSize{ PointsOf{ Volume{1}; } } = 0.6;
Physical Volume("lower") = {1};
Physical Surface("base") = {5}; Physical Surface("lower face") = {6};
)");
    write("upper.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0.5, 1, 1, 0.5};
MeshSize{ PointsOf{ Volume{1}; } } = 0.5;
Physical Volume("upper") = {1};
Physical Surface("upper face") = {5}; Physical Surface("top") = {6};
)");
    write("case.prm", text("blocks.geo", "", "y"));
    write("boxes.prm", text("lower.geo, upper.geo", "    set Displacement z = 0\n", "z"));
  }

  /// Returns a case of two bonded blocks, the upper one of which moves.
  static std::string text(const std::string &mesh, const std::string &held,
                          const std::string &axis) {
    return "subsection Mesh\n  set File = " + mesh + R"(
end
subsection Material
  set Law           = neo-hooke
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Constants
  set shear = 0
  set lift  = 0.05
end
subsection Boundary conditions
  subsection base
    set Displacement x = 0
    set Displacement y = 0
)" + held + R"(  end
  subsection top
    set Displacement x = shear*max(0, t - 0.5)
    set Displacement )" +
           axis + R"( = lift*min(t, lift < 0 ? 0.5 : 10)
  end
end
subsection Contact
  subsection glue
    set Region                = lower face
    set Surface               = region
    set Against               = upper face
    set Friction coefficient  = 0.3
    set Bond strength         = 2
    set Fracture energy       = 0.02
    set Shear bond strength   = 3
    set Shear fracture energy = 0.05
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set Theta  = 0.5
  set Step   = 0.01
  set End    = 1
end
subsection Output
  set Directory = results
  set Number of instants = 4
end
)";
  }

  /// Runs a case and returns its energies.
  std::map<std::string, std::vector<double>> run(const Entries &entries,
                                                 const std::string &file = "case.prm",
                                                 const std::string &results = "results") const {
    std::vector<std::string> arguments = {file, "--output", results};
    for (const auto &entry : entries) {
      arguments.emplace_back("--set");
      arguments.push_back(entry);
    }
    const auto outcome = start("percussion", arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    return percussion::test::read_csv((folder / results / "energy.csv").string());
  }

  static double largest(const std::vector<double> &column) {
    double value = 0;
    for (const double x : column)
      value = std::max(value, std::abs(x));
    return value;
  }
  static void expect_balance(const std::map<std::string, std::vector<double>> &table) {
    EXPECT_LT(largest(table.at("balance_residual")), 1e-13 * largest(table.at("total")));
    const auto &fracture = table.at("work_fracture");
    EXPECT_TRUE(std::is_sorted(fracture.rbegin(), fracture.rend()));
    // Contacts beside bonds obey Coulomb's law, and none of them creates energy.
    EXPECT_LT(largest(table.at("cone_violation")), 1e-9);
    for (const double work : table.at("tangential_work_max"))
      EXPECT_LE(work, 1e-14 * largest(table.at("total")));
  }
};

} // namespace bonded_blocks
