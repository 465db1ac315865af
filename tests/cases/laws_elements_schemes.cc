// The energy balance of every law with every element, in plane strain, bodies of revolution and
// space, with the schemes in turn: a block that lands obliquely on the ground and slides.

#include <percussion/dynamics/scheme.h>
#include <percussion/material/hyperelastic.h>

#include "cases/stepped.h"
#include "cases/support.h"
#include <algorithm>
#include <map>
#include <set>

namespace cases_in_space {
namespace {

using namespace percussion;

const std::string linear_elastic = "linear elastic";

/// Writes two cells in each direction, divided into simplices or not, as a mesh of Gmsh with the
/// regions bottom and block. The first coordinate begins with x0.
class GridMesh {
public:
  GridMesh(int dimension, bool of_simplices, double x0) : dim(dimension), simplices(of_simplices) {
    const int n_z = dim == 3 ? 3 : 1;
    for (int k = 0; k < n_z; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i)
          nodes += std::to_string(node(i, j, k)) + ' ' + std::to_string(x0 + 0.5 * i) + ' ' +
                   std::to_string(0.5 * j) + ' ' + std::to_string(0.5 * k) + '\n';
    for (int k = 0; k < (dim == 3 ? 2 : 1); ++k)
      for (int j = 0; j < 2; ++j)
        for (int i = 0; i < 2; ++i)
          add_cell(i, j, k);
  }
  std::string text() const {
    return "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n" + std::to_string(dim - 1) +
           " 1 \"bottom\"\n" + std::to_string(dim) + " 2 \"block\"\n$EndPhysicalNames\n$Nodes\n" +
           (dim == 3 ? "27\n" : "9\n") + nodes + "$EndNodes\n$Elements\n" +
           std::to_string(n_elements) + '\n' + elements + "$EndElements\n";
  }

private:
  int node(int i, int j, int k) const { return 1 + i + 3 * (j + 3 * k); }
  void add(int type, int region, const std::vector<int> &corners) {
    elements += std::to_string(++n_elements) + ' ' + std::to_string(type) + " 2 " +
                std::to_string(region) + ' ' + std::to_string(region);
    for (const int corner : corners)
      elements += ' ' + std::to_string(corner);
    elements += '\n';
  }
  /// Adds the simplices along all paths of edges from corner to corner of a cell.
  void add_paths(int type, int region, const std::vector<std::vector<int>> &edges, int first) {
    std::vector<std::size_t> order(edges.size());
    for (std::size_t d = 0; d < order.size(); ++d)
      order[d] = d;
    do {
      std::vector<int> corners = {first};
      for (const std::size_t d : order)
        corners.push_back(corners.back() + edges[d][0]);
      add(type, region, corners);
    } while (std::next_permutation(order.begin(), order.end()));
  }
  void add_cell(int i, int j, int k) {
    const std::vector<int> square = {node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k),
                                     node(i, j + 1, k)};
    const int first = square[0];
    if (dim == 2) {
      if (j == 0)
        add(1, 1, {square[0], square[1]});
      if (simplices)
        add_paths(2, 2, {{1}, {3}}, first);
      else
        add(3, 2, square);
      return;
    }
    if (k == 0 && simplices)
      add_paths(2, 1, {{1}, {3}}, first);
    else if (k == 0)
      add(3, 1, square);
    if (simplices)
      return add_paths(4, 2, {{1}, {3}, {9}}, first);
    std::vector<int> cube = square;
    for (const int corner : square)
      cube.push_back(corner + 9);
    add(5, 2, cube);
  }

  int dim;
  bool simplices;
  std::string nodes, elements;
  int n_elements = 0;
};

/// Returns the entries of a law, of the same stiffness for all laws.
std::vector<std::string> entries_of(const std::string &name) {
  static const std::map<std::string, std::string> values = {{"Young modulus", "100"},
                                                            {"Poisson ratio", "0.3"},
                                                            {"C10", "20"},
                                                            {"C01", "10"},
                                                            {"C1", "15"},
                                                            {"C2", "5"},
                                                            {"D", "10"},
                                                            {"Bulk modulus", "80"},
                                                            {"Shear modulus", "40"},
                                                            {"Fibre stiffness", "30"},
                                                            {"Fibre exponent", "2"},
                                                            {"Yield stress", "2"},
                                                            {"Hardening modulus", "10"}};
  std::vector<std::string> entries = {"Law=" + name};
  if (name == linear_elastic)
    return {"Law=" + name, "Young modulus=100", "Poisson ratio=0.3", "Viscosity=0.1"};
  const auto &laws = hyperelastic_laws();
  const auto law =
      std::find_if(laws.begin(), laws.end(), [&](const auto &row) { return row.name == name; });
  for (const MaterialConstant &constant : law->constants) {
    if (const auto value = values.find(constant.name); value != values.end())
      entries.push_back(std::string(constant.name) + "=" + value->second);
    else if (constant.is_required)
      entries.push_back(std::string(constant.name) + "=" + constant.default_value);
  }
  for (const MaterialDirection &direction : law->directions)
    entries.push_back(std::string(direction.name) + "=1, 0.5, " +
                      (entries.size() % 2 != 0u ? "0.3" : "-0.3"));
  for (const MaterialList &list : law->lists)
    if (list.is_required)
      entries.push_back(std::string(list.name) +
                        (std::string(list.name) == "Prony moduli" ? "=30, 10" : "=0.1, 0.01"));
  return entries;
}

/// Balances of the runs, and what they have covered.
class LawsElementsSchemes : public cases::CaseFolder {
protected:
  static constexpr unsigned int n_steps = 24;

  void write_case(int dim, bool simplices, bool axisymmetric) const {
    write("block.msh", GridMesh(dim, simplices, axisymmetric ? 0.5 : 0.).text());
    const std::string up = dim == 3 ? "z" : "y";
    write("case.prm", std::string("subsection Mesh\n set File = block.msh\nend\n") +
                          "subsection Material\n set Density = 1\n" +
                          (axisymmetric ? " set Plane = axisymmetric\n" : "") +
                          "end\nsubsection Initial state\n set Velocity x = 0.4\n set Velocity " +
                          up +
                          " = -1\nend\nsubsection Contact\n subsection ground\n"
                          "  set Region = bottom\n  set Point = " +
                          (dim == 3 ? "0, 0, -0.015" : "0, -0.015") +
                          "\n  set Friction coefficient = 0.3\n end\nend\n"
                          "subsection Time\n set Step = 0.005\n set End = 1\nend\n");
  }

  /// Takes the steps of a case, and expects what holds for every law.
  template <int dim>
  void expect_balance(Case<dim> the_case, const std::string &name) {
    Stepped<dim> run(std::move(the_case));
    double largest = run.state.energy(), worst = 0;
    unsigned int n_pressing = 0;
    for (unsigned int k = 0; k < n_steps; ++k) {
      const StepRecord<dim> &record = run.advance();
      largest = std::max(largest, run.state.energy());
      worst = std::max(worst, std::abs(record.balance_residual));
      n_pressing += std::any_of(record.contacts.begin(), record.contacts.end(),
                                [](const auto &contact) { return contact.carries(); });
      EXPECT_LE(record.works.plastic, 0.) << name;
      plastic_work += record.works.plastic;
      EXPECT_LE(record.works.viscous, 1e-15 * largest) << name;
    }
    EXPECT_LT(worst, 1e-13 * largest) << name;
    EXPECT_GT(n_pressing, 1u) << name;
  }

  /// Runs a law and an element with a scheme. Returns false if the case is refused.
  template <int dim>
  bool run_case(const std::string &law, const std::string &element, const std::string &cells,
                const std::string &scheme) {
    Assignments all = {"Time/Scheme=" + scheme, "Material/Element=" + element};
    for (const std::string &entry : entries_of(law))
      all.push_back("Material/" + entry);
    try {
      Case<dim> c = build<dim>(ParameterFile::read((folder / "case.prm").string()), all);
      expect_balance(std::move(c), law + ", " + element + ", " + cells + ", " + scheme);
    } catch (const InputError &error) {
      refusal = error.what();
      return false;
    } catch (const RunError &error) {
      ADD_FAILURE() << law << ", " << element << ", " << cells << ", " << scheme << ": "
                    << error.what();
    }
    used_schemes.insert(scheme);
    combinations.insert(law + ", " + element + ", " + cells);
    return true;
  }
  bool is_refused_for(const std::string &words) const {
    return refusal.find(words) != std::string::npos;
  }

  /// Runs a law and an element with the next of the schemes that take the law.
  template <int dim>
  void run_next_scheme(const std::string &law, const std::string &element,
                       const std::string &cells) {
    for (std::size_t attempt = 0; attempt < schemes().size(); ++attempt) {
      if (run_case<dim>(law, element, cells,
                        std::string(schemes()[next_scheme++ % schemes().size()].name)) ||
          is_refused_for("Material/Element")) // the element is not for this law or these cells
        return;
      ASSERT_TRUE(is_refused_for("Scheme") || is_refused_for("Nitsche's method"))
          << law << ", " << element << ": " << refusal;
    }
    ADD_FAILURE() << "no scheme takes " << law << " with " << element << " of " << cells;
  }

  template <int dim>
  void run_all(bool simplices, bool axisymmetric) {
    write_case(dim, simplices, axisymmetric);
    used_schemes.clear();
    plastic_work = 0;
    std::vector<std::string> laws = {linear_elastic};
    for (const HyperelasticLawEntry &law : hyperelastic_laws())
      laws.emplace_back(law.name);
    const std::string cells = std::string(dim == 3       ? "space"
                                          : axisymmetric ? "revolution"
                                                         : "plane") +
                              (simplices ? " of simplices" : " of hypercubes");
    for (const std::string &law : laws)
      for (const std::string element : {"standard", "incompatible modes", "mean dilatation",
                                        "macro-cells", "quadratic", "quadratic mean dilatation"})
        run_next_scheme<dim>(law, element, cells);
    for (const Scheme &scheme : schemes())
      run_case<dim>(linear_elastic, "standard", cells, std::string(scheme.name));
    EXPECT_EQ(used_schemes.size(), schemes().size()) << cells;
    EXPECT_LT(plastic_work, -1e-3) << cells; // metals flow
  }

  std::size_t next_scheme = 0;
  std::set<std::string> used_schemes, combinations;
  std::string refusal;     ///< reason of the last refused case
  double plastic_work = 0; ///< of all runs on the same cells
};

TEST_F(LawsElementsSchemes, BalanceClosesInThePlane) {
  run_all<2>(false, false);
  run_all<2>(true, false);
  EXPECT_GE(combinations.size(), 70u);
}

TEST_F(LawsElementsSchemes, BalanceClosesInBodiesOfRevolution) {
  run_all<2>(false, true);
  run_all<2>(true, true);
  EXPECT_GE(combinations.size(), 70u);
}

TEST_F(LawsElementsSchemes, BalanceClosesInSpace) {
  run_all<3>(false, false);
  run_all<3>(true, false);
  EXPECT_GE(combinations.size(), 70u);
}

} // namespace
} // namespace cases_in_space
