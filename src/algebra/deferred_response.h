#pragma once

#include <percussion/algebra/block_diagonal.h>
#include <percussion/algebra/prescribed_columns.h>
#include <percussion/algebra/response.h>

namespace percussion {

/// Response that a solver of x and f together finds: start() stores the right-hand side and sets x
/// to zero on the degrees of freedom in use, and finish() writes the solution of the solver.
class DeferredResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  DeferredResponse(const SystemPattern &p, const BlockDiagonal &b, const PrescribedColumns &c,
                   std::vector<unsigned int> dofs)
      : pattern(p), blocks(b), columns(c), in_use(std::move(dofs)) {}

  void start(const Vector &b, Vector &x) override;
  void add_force(const std::vector<double> &) override {} // the solution contains the force
  void finish(Vector &x) override;
  double compliance(unsigned int i, unsigned int j) override;

  /// Right-hand side without contact forces, with the terms of prescribed degrees of freedom, which
  /// are 0 themselves.
  std::vector<double> right_side;
  std::vector<double> solution;

private:
  const SystemPattern &pattern;
  const BlockDiagonal &blocks;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> in_use;
};

} // namespace percussion
