#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/prescribed_columns.h>
#include <percussion/algebra/response.h>

#include <stdexcept>

namespace percussion {

/// Response that a solver of x and f together finds: start() stores the right-hand side and sets x
/// to zero on the degrees of freedom in use, and finish() writes the solution of the solver.
class DeferredResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  DeferredResponse(const SystemPattern &p, const BlockDiagonal &b, const PrescribedColumns &c,
                   std::vector<unsigned int> dofs)
      : pattern(p), blocks(b), columns(c), used_dofs(std::move(dofs)) {}

  void start(const Vector &b, Vector &x) override {
    if (right_side.empty())
      right_side = pattern.partition.zeros(pattern.size());
    pattern.partition.visit_computed(pattern.size(), [&](std::size_t i) { right_side[i] = b[i]; });
    columns.subtract_from(x, [&](unsigned int dof, double value) {
      if (pattern.partition.owns(dof))
        right_side[dof] -= value;
    });
    for (unsigned int i = 0; i < blocks.size(); ++i) {
      const unsigned int first = blocks.block(i) * blocks.block_size();
      for (unsigned int j = first; j < first + blocks.block_size(); ++j)
        if (blocks.is_fixed(j))
          right_side[pattern.n_coupled + i] -= blocks(i, j) * x[pattern.n_coupled + j];
    }
    for (const unsigned int dof : pattern.prescribed)
      right_side[dof] = 0.;
    for (const unsigned int dof : used_dofs)
      if (!pattern.is_prescribed[dof])
        x[dof] = 0.;
    solution = {}; // with its memory, which iterations need
  }

  void add_force(const std::vector<double> &) override {} // the solution contains the force
  void finish(Vector &x) override {
    for (unsigned int i = 0; i < pattern.size(); ++i)
      if (!pattern.is_prescribed[i])
        x[i] = solution.empty() ? 0. : solution[i];
  }

  double compliance(unsigned int, unsigned int) override {
    throw std::logic_error("a deferred solution has no compliances");
  }

  /// Right-hand side without contact forces, with the terms of prescribed degrees of freedom, which
  /// are 0 themselves; of the entries that this process computes.
  std::vector<double> right_side;
  std::vector<double> solution; ///< empty: zero

private:
  const SystemPattern &pattern;
  const BlockDiagonal &blocks;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> used_dofs;
};

} // namespace percussion
