// Several elastic bodies, and materials by region: independent bodies move as if alone, and equal
// materials act as one.

#include <percussion/case/reference.h>

#include "cases/checked_case.h"
#include "cases/reference_runs.h"
#include <fstream>

namespace {

using namespace cases;

/// Fixture with the shipped case, complete or with one of its bodies only.
class TwoBlocks : public ::testing::Test {
protected:
  /// Returns the text without "  subsection NAME … end" in a subsection.
  static std::string without(std::string text, const std::string &of, const std::string &name) {
    const auto section = text.find("\nsubsection " + of + "\n");
    const auto begin = text.find("\n  subsection " + name, section);
    const auto end = text.find("\n  end\n", begin);
    EXPECT_NE(section, std::string::npos);
    EXPECT_NE(end, std::string::npos);
    return text.erase(begin, end + 6 - begin);
  }

  static Case<2> build(const std::string &text, const Assignments &assignments) {
    auto file = ParameterFile::parse(text, PERCUSSION_SOURCE_DIR "/params/two_blocks.prm");
    for (const auto &assignment : assignments)
      file.override_with(assignment);
    return build_case<2>(Parameters(declare_case(&file), file), file);
  }

  static std::string shipped() { return read(PERCUSSION_SOURCE_DIR "/params/two_blocks.prm"); }

  /// Assignments for runs that differ by round-off only.
  const Assignments tight = {"Solver/Tolerance=1e-13", "Time/End=0.5"};
  const Assignments tight_newton = tight + Assignments{"Solver/Newton tolerance=1e-13"};
};

/// Kinetic and strain energy of each body after each step, and the largest residual.
struct Energies {
  std::vector<std::vector<std::array<double, 2>>> body_energies; ///< [body][step]
  double largest = 0, residual = 0;
  unsigned int n_cuts = 0, n_contact_steps = 0, n_slip_steps = 0;
  std::vector<double> q;
};

/// Returns ½ xᵀ A x over the degrees of freedom of one body.
double quadratic(const SparseMatrix &A, const Vector &x, const ElasticBody<2> &body) {
  Vector part = x, image = x;
  part = 0.;
  for (const auto &dofs : body.space.node_dofs)
    for (const unsigned int dof : dofs)
      part[dof] = x[dof];
  multiply(A, part, image);
  return 0.5 * (part * image);
}

Energies energies_of(const Case<2> &c) {
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  Energies energies;
  energies.body_energies.resize(c.bodies->elastic.size());
  Vector deformed = state.q;
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    const auto &record = step.advance(state, k * c.choices.h);
    energies.largest = std::max(energies.largest, state.energy());
    energies.residual = std::max(energies.residual, std::abs(record.balance_residual));
    energies.n_cuts += record.n_cuts;
    energies.n_contact_steps += !record.contacts.empty();
    energies.n_slip_steps += record.n_sliding > 0;
    c.bodies->deformation(state.q, deformed);
    double strain = state.strain; // strain energy of the last body: the remainder
    for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b) {
      const auto &body = *c.bodies->elastic[b];
      const bool is_last = b + 1 == c.bodies->elastic.size();
      const double own =
          is_last ? strain : quadratic(c.bodies->operators.stiffness, deformed, body);
      strain -= own;
      energies.body_energies[b].push_back(
          {quadratic(c.bodies->operators.mass, state.v, body), own});
    }
  }
  energies.q.assign(state.q.begin(), state.q.end());
  return energies;
}

TEST_F(TwoBlocks, TheBalanceClosesInEveryStep) {
  const Energies energies = energies_of(build(shipped(), {}));
  EXPECT_LE(energies.residual, 1e-13 * energies.largest);
  EXPECT_EQ(energies.n_cuts, 0u);
  EXPECT_GT(energies.n_contact_steps, 50u);
  EXPECT_GT(energies.n_slip_steps, 20u);
}

TEST_F(TwoBlocks, EachMovesAsItWouldAlone) {
  const Energies both = energies_of(build(shipped(), tight_newton));
  const std::string stiff_alone =
      without(without(shipped(), "Material", "rubber"), "Contact", "rubber");
  const Energies stiff =
      energies_of(build(stiff_alone, tight + Assignments{"Mesh/File=../meshes/block_q4.geo"}));
  const Energies rubber =
      energies_of(build(without(shipped(), "Contact", "stiff"),
                        tight_newton + Assignments{"Mesh/File=../meshes/rubber_block.geo"}));
  ASSERT_EQ(both.body_energies.size(), 2u);
  for (std::size_t k = 0; k < both.body_energies[0].size(); ++k)
    for (unsigned int e = 0; e < 2; ++e) {
      ASSERT_NEAR(both.body_energies[0][k][e], stiff.body_energies[0][k][e], 1e-10 * both.largest)
          << k;
      ASSERT_NEAR(both.body_energies[1][k][e], rubber.body_energies[0][k][e], 1e-10 * both.largest)
          << k;
    }
  EXPECT_GT(both.n_contact_steps, 50u);
}

TEST_F(TwoBlocks, TheOrderOfTheMeshesIsOfNoImportance) {
  const Energies both = energies_of(build(shipped(), tight_newton));
  const Energies swapped = energies_of(build(
      shipped(),
      tight_newton + Assignments{"Mesh/File=../meshes/rubber_block.geo, ../meshes/block_q4.geo"}));
  // Kinetic energies are compared: energies_of() computes the strain energies of linear bodies
  // only, and of the last body as the remainder.
  for (std::size_t k = 0; k < both.body_energies[0].size(); ++k)
    for (unsigned int b = 0; b < 2; ++b)
      ASSERT_NEAR(both.body_energies[b][k][0], swapped.body_energies[1 - b][k][0],
                  1e-10 * both.largest)
          << k;
}

TEST_F(TwoBlocks, EffectiveParametersNameBothMeshes) {
  const std::string text = effective_parameters(
      ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/two_blocks.prm"), true);
  const auto file = ParameterFile::parse(text, "/elsewhere/copy.prm");
  const auto c = build_case<2>(Parameters(declare_case(&file), file), file);
  ASSERT_EQ(c.meshes.size(), 2u);
  EXPECT_EQ(c.meshes[1]->file, PERCUSSION_SOURCE_DIR "/meshes/rubber_block.geo");
  EXPECT_FALSE(c.bodies->elastic[1]->materials.are_linear());
  EXPECT_TRUE(c.bodies->elastic[0]->materials.are_linear());
}

// ---- materials by region ----

class MaterialOfARegion : public cases::CheckedCase {
protected:
  /// Writes the mesh of these tests with a second physical surface: the lower right quadrilateral.
  MaterialOfARegion() {
    std::string mesh = block_mesh;
    replace(mesh, "6\n1 1 \"bottom\"", "7\n1 1 \"bottom\"");
    replace(mesh, "2 5 \"block\"\n", "2 5 \"block\"\n2 7 \"core\"\n");
    replace(mesh, "11 3 2 5 1 2 3 6 5", "11 3 2 7 2 2 3 6 5");
    write("block.msh", mesh);
  }

  static void replace(std::string &text, const std::string &part, const std::string &other) {
    const auto at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    text.replace(at, part.size(), other);
  }

  /// Returns the rows of energy.csv after a run with these entries.
  std::string energies_with(const Assignments &assignments) const {
    fs::remove_all(folder / "output");
    const auto outcome = run_with(assignments);
    EXPECT_EQ(outcome.status, 0) << outcome.error;
    const std::string text = read("output/case/energy.csv");
    return text.substr(text.find("step,time"));
  }

  std::vector<double> totals_with(const Assignments &assignments) const {
    energies_with(assignments);
    return test::read_csv((folder / "output/case/energy.csv").string()).at("total");
  }

  const Assignments pulled = {"Material/Poisson ratio=0.2", "Boundary conditions/top/Traction x=1"};
  const Assignments equal = {"Material/core/Density=1", "Material/core/Young modulus=100"};
};

TEST_F(MaterialOfARegion, EqualLinearMaterialsAreOneBitForBit) {
  const std::string one = energies_with(pulled);
  EXPECT_EQ(one, energies_with(pulled + equal));
  EXPECT_NE(one, energies_with(pulled + Assignments{"Material/core/Young modulus=90"}));
  EXPECT_NE(one, energies_with(pulled + Assignments{"Material/core/Density=2"}));
}

/// Hyperelastic cells are summed material by material: the same sums in another order.
TEST_F(MaterialOfARegion, EqualHyperelasticMaterialsAreOne) {
  const Assignments soft = pulled + Assignments{"Material/Law=neo-hooke"};
  const auto one = totals_with(soft), two = totals_with(soft + equal);
  const auto other = totals_with(soft + Assignments{"Material/core/Young modulus=90"});
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t k = 0; k < one.size(); ++k)
    EXPECT_NEAR(one[k], two[k], 1e-13 * one.back());
  EXPECT_GT(std::abs(one.back() - other.back()), 1e-4 * one.back());
}

TEST_F(MaterialOfARegion, WhatItDoesNotSayIsAsInAllOthers) {
  const Assignments all = {"Material/Poisson ratio=0.2"};
  EXPECT_EQ(
      energies_with(all + Assignments{"Material/core/Density=3"}),
      energies_with(all + Assignments{"Material/core/Density=3", "Material/core/Poisson ratio=0.2",
                                      "Material/core/Young modulus=100"}));
}

TEST_F(MaterialOfARegion, MixedLawsCloseTheBalance) {
  const auto outcome = run_with({"Material/core/Law=neo-hooke", "Material/core/Young modulus=50",
                                 "Boundary conditions/top/Traction x=1"});
  ASSERT_EQ(outcome.status, 0) << outcome.error;
  const auto history = test::read_csv((folder / "output/case/energy.csv").string());
  const auto largest = *std::max_element(history.at("total").begin(), history.at("total").end());
  EXPECT_GT(largest, 0.);
  for (const double residual : history.at("balance_residual"))
    EXPECT_LE(std::abs(residual), 1e-13 * largest);
}

TEST_F(MaterialOfARegion, WrongNamesAreRefusedWithTheList) {
  expect_refusal(check_with({"Material/cor/Density=2"}),
                 {"subsection 'Material/cor': a region of cells is needed here (Gmsh: Physical "
                  "Surface); did you mean 'core'? Regions of the mesh: block, core"});
  expect_refusal(check_with({"Material/bottom/Density=2"}),
                 {"subsection 'Material/bottom': a region of cells is needed here",
                  "Regions of the mesh: block, core"});
}

TEST_F(MaterialOfARegion, WrongValuesAreRefusedWhereTheyStand) {
  std::string text = case_file;
  replace(text, "  set Young modulus = 100\n",
          "  set Young modulus = 100\n  subsection core\n    set Density = -1\n    set Lwa = "
          "neo-hooke\n  end\n");
  write("case.prm", text);
  expect_refusal(
      check_with({}),
      {"case.prm:7: 'Material/core/Density' is '-1': allowed is a number > 0, or nothing",
       "case.prm:8: unknown entry 'Material/core/Lwa'; did you mean 'Law'?"});
}

} // namespace
