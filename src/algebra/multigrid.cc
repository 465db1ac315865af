#include <percussion/algebra/multigrid.h>
#include <percussion/base/error.h>

#include <Teuchos_ParameterList.hpp>
#include <deal.II/lac/trilinos_precondition.h>

#include <cmath>
#include <ml_MultiLevelPreconditioner.h>

namespace percussion {

/// Preconditioner: the inverse of the diagonal, or a cycle of multigrid, which costs as much as a
/// few products.
struct Multigrid::Preconditioner {
  std::vector<double> inverse_diagonal; ///< empty: a cycle of multigrid
  bool is_tried = false;                ///< true during the test of the diagonal
  dealii::TrilinosWrappers::PreconditionAMG cycle;

  void apply(const Vector &r, Vector &z) const {
    if (inverse_diagonal.empty())
      return cycle.vmult(z, r);
    for (unsigned int i = 0; i < n_owned(r); ++i)
      entries(z)[i] = inverse_diagonal[i] * entries(r)[i];
  }
};

namespace {

/// Number of iterations with the diagonal that cost about as much as a solution with multigrid.
constexpr unsigned int most_by_diagonal = 150;

Teuchos::ParameterList smoothed_aggregation(unsigned int block, std::vector<double> &modes,
                                            std::size_t n) {
  Teuchos::ParameterList settings;
  ML_Epetra::SetDefaults("SA", settings);
  settings.set("ML output", 0);
  settings.set("PDE equations", static_cast<int>(block));
  settings.set("smoother: type", "Chebyshev");
  settings.set("smoother: sweeps", 2);
  settings.set("coarse: type", "Amesos-KLU");
  settings.set("coarse: max size", 2000);
  settings.set("null space: type", "pre-computed");
  settings.set("null space: dimension", static_cast<int>(modes.size() / n));
  settings.set("null space: vectors", modes.data());
  settings.set("null space: add default vectors", false);
  return settings;
}

/// Returns the free rows and columns of A, with a diagonal for the fixed ones.
SparseMatrix free_part(const SparseMatrix &A, const std::vector<bool> &is_free) {
  const auto n = static_cast<unsigned int>(is_free.size());
  std::vector<unsigned int> length(n, 1);
  const auto is_coupled = [&](unsigned int i, int j) {
    return is_free[i] && static_cast<unsigned int>(j) < n && is_free[static_cast<unsigned int>(j)];
  };
  double largest = 0;
  for (unsigned int i = 0; i < n; ++i) {
    const SparseRow of_dof = row(A, i);
    if (is_free[i])
      length[i] = static_cast<unsigned int>(std::count_if(
          of_dof.column, of_dof.column + of_dof.size, [&](int j) { return is_coupled(i, j); }));
    largest = std::max(largest, A.diag_element(i));
  }
  SparseMatrix free_matrix(n, n, length);
  std::vector<unsigned int> columns;
  std::vector<double> values;
  for (unsigned int i = 0; i < n; ++i) {
    columns.clear();
    values.clear();
    const SparseRow of_dof = row(A, i);
    for (int k = 0; k < of_dof.size; ++k)
      if (is_coupled(i, of_dof.column[k])) {
        columns.push_back(static_cast<unsigned int>(of_dof.column[k]));
        values.push_back(of_dof.value[k]);
      }
    if (!is_free[i]) {
      columns.push_back(i);
      values.push_back(largest);
    }
    free_matrix.set(i, columns, values);
  }
  free_matrix.compress(dealii::VectorOperation::insert);
  return free_matrix;
}

} // namespace

Multigrid::Multigrid(std::vector<bool> free, unsigned int block_size,
                     std::vector<std::vector<double>> motions, bool by_nodes, double tol)
    : is_free(std::move(free)), block(block_size), stores_nodes(by_nodes), tolerance(tol),
      preconditioner(std::make_unique<Preconditioner>()) {
  for (const auto &mode : motions)
    for (std::size_t i = 0; i < is_free.size(); ++i)
      modes.push_back(is_free[i] ? mode[i] : 0.);
  for (Vector *work : {&residual, &direction, &product, &preconditioned})
    *work = make_vector(static_cast<unsigned int>(is_free.size()));
}

Multigrid::~Multigrid() = default;

void Multigrid::set_matrix(const SparseMatrix &A) {
  const std::size_t n = is_free.size();
  if (stores_nodes) // rows take three times the memory: only multigrid needs them
    node_matrix = NodeMatrix(A, is_free, block);
  else
    matrix.copy_from(free_part(A, is_free));
  std::vector<double> &diagonal = preconditioner->inverse_diagonal;
  diagonal.resize(n);
  for (unsigned int i = 0; i < n; ++i)
    diagonal[i] = 1. / (stores_nodes ? node_matrix.of_node(i, i) : matrix.diag_element(i));
  // For short steps, whose mass terms are large beside the stiffness, the diagonal suffices. A
  // fixed vector decides, so that equal matrices give equal decisions.
  std::vector<double> trial(n), x(n);
  for (unsigned int i = 0; i < n; ++i)
    trial[i] = 1. + std::sin(1. + 3. * i);
  preconditioner->is_tried = true;
  solve(trial.data(), x.data());
  preconditioner->is_tried = false;
  if (n_iterations < most_by_diagonal)
    return;
  diagonal.clear();
  if (stores_nodes)
    matrix.copy_from(free_part(A, is_free));
  preconditioner->cycle.initialize(matrix, smoothed_aggregation(block, modes, n));
}

void Multigrid::multiply(const Vector &x, Vector &y) const {
  if (stores_nodes)
    node_matrix.multiply(entries(x), entries(y));
  else
    percussion::multiply(matrix, x, y);
}

void Multigrid::precondition(const Vector &r, Vector &z) const { preconditioner->apply(r, z); }

bool Multigrid::is_diagonal() const { return !preconditioner->inverse_diagonal.empty(); }

double Multigrid::solve(const double *b, double *x, double scale) {
  const bool is_tried = preconditioner->is_tried;
  const unsigned int max_iterations = is_tried ? most_by_diagonal : 1000;
  const std::size_t n = is_free.size();
  std::fill(x, x + n, 0.);
  double *const r = entries(residual);
  for (std::size_t i = 0; i < n; ++i)
    r[i] = is_free[i] ? b[i] : 0.;
  n_iterations = 0;
  double last = 0, limit = 0, norm_of_x = 0;
  for (;; ++n_iterations) {
    preconditioner->apply(residual, preconditioned);
    const double rz = dot(residual, preconditioned);
    if (n_iterations == 0)
      limit = tolerance * tolerance * std::max(rz, scale * scale);
    if (!(rz > limit))
      return std::isfinite(rz) ? std::sqrt(norm_of_x)
                               : throw RunError("conjugate gradients: the right-hand side is not "
                                                "finite, or the matrix not positive definite");
    if (n_iterations == max_iterations && is_tried)
      return 0;
    if (n_iterations == max_iterations)
      throw RunError("conjugate gradients have not converged after " +
                     std::to_string(max_iterations) +
                     " iterations: Solver/Linear systems = direct needs none");
    if (n_iterations == 0)
      direction = preconditioned;
    else
      direction.sadd(rz / last, preconditioned);
    last = rz;
    multiply(direction, product);
    const double resistance = dot(direction, product);
    if (!(resistance > 0.))
      throw RunError(
          "conjugate gradients: the system matrix is not positive definite; Solver/Linear "
          "systems = direct names the cause");
    const double step = rz / resistance;
    const double *const p = entries(direction), *const q = entries(product);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
    }
    norm_of_x += step * rz; // ‖x‖²_A, since the directions are conjugate
  }
}

} // namespace percussion
