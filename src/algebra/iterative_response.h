#pragma once

#include <percussion/algebra/iterative_solver.h>
#include <percussion/algebra/prescribed_columns.h>
#include <percussion/algebra/response.h>

namespace percussion {

/// Response of elastic bodies by conjugate gradients: one solution for b, one for all forces, and
/// one for each degree of freedom at the first use of its compliance.
class IterativeResponse final : public Response {
public:
  /// Stores references, which must outlive this object.
  IterativeResponse(IterativeSolver &solver, const SystemPattern &pattern,
                    const PrescribedColumns &columns, const std::vector<unsigned int> &in_use);

  void start(const Vector &b, Vector &x) override;
  void add_force(const std::vector<double> &force) override;
  void finish(Vector &x) override;
  double compliance(unsigned int i, unsigned int j) override;

private:
  IterativeSolver &solver;
  const SystemPattern &pattern;
  const PrescribedColumns &columns;
  const std::vector<unsigned int> in_use;
  std::vector<double> right_side, solution, force; ///< vectors of elastic bodies
  double solution_norm = 0;                        ///< norm ‖x‖_Â of `solution`
};

} // namespace percussion
