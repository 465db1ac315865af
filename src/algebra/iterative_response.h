#pragma once

#include <percussion/algebra/iterative_solver.h>
#include <percussion/algebra/prescribed_columns.h>
#include <percussion/algebra/response.h>

#include <algorithm>

namespace percussion {

/// Response of elastic bodies by conjugate gradients: one solution for b, one for all forces, and
/// one for each degree of freedom at the first use of its compliance.
class IterativeResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  IterativeResponse(IterativeSolver &s, const SystemPattern &p, const PrescribedColumns &c,
                    const std::vector<unsigned int> &dofs)
      : solver(s), pattern(p), columns(c), used_dofs(dofs), right_side(p.n_coupled),
        solution(p.n_coupled), force(p.n_coupled, 0.) {}

  void start(const Vector &b, Vector &x) override {
    right_side.assign(b.data(), b.data() + pattern.n_coupled);
    columns.subtract_from(x, [&](unsigned int dof, double value) { right_side[dof] -= value; });
    // Without contacts, a correction among several may be inexact; percussions need exact ones.
    constexpr double sufficient = 1e-3;
    const double reduction = pattern.is_constant() || !used_dofs.empty() ? 0. : sufficient;
    solution_norm = solver.multigrid().solve(right_side.data(), solution.data(), 0., reduction);
    std::fill(force.begin(), force.end(), 0.);
    for (const unsigned int dof : used_dofs)
      if (pattern.is_elastic(dof))
        x[dof] = solution[dof];
  }

  void add_force(const std::vector<double> &added) override {
    for (std::size_t k = 0; k < used_dofs.size(); ++k)
      if (pattern.is_elastic(used_dofs[k]))
        force[used_dofs[k]] += added[k];
  }

  /// Adds the change of the solution by forces to the result of start().
  void finish(Vector &x) override {
    std::vector<double> change(pattern.n_coupled, 0.);
    if (std::any_of(force.begin(), force.end(), [](double f) { return f != 0.; }))
      solver.multigrid().solve(force.data(), change.data(), solution_norm);
    for (unsigned int i = 0; i < pattern.n_coupled; ++i)
      if (pattern.is_elastic(i))
        x[i] = solution[i] + change[i];
  }

  double compliance(unsigned int i, unsigned int j) override {
    return pattern.is_elastic(used_dofs[i]) && pattern.is_elastic(used_dofs[j])
               ? solver.compliance(used_dofs[i], used_dofs[j])
               : 0.;
  }

private:
  IterativeSolver &solver;
  const SystemPattern &pattern;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> used_dofs;
  std::vector<double> right_side, solution, force; ///< vectors of elastic bodies
  double solution_norm = 0;                        ///< norm ‖x‖_Â of `solution`
};

} // namespace percussion
