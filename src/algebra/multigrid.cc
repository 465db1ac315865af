#include <percussion/algebra/multigrid.h>
#include <percussion/base/error.h>

#include <Epetra_CrsMatrix.h>
#include <Teuchos_ParameterList.hpp>
#include <deal.II/lac/trilinos_precondition.h>
#include <deal.II/lac/trilinos_sparse_matrix.h>
#include <deal.II/lac/trilinos_vector.h>

#include <cmath>
#include <ml_MultiLevelPreconditioner.h>

namespace percussion {

/// Preconditioner: the inverse of the diagonal, or a cycle of multigrid, which costs as much as a
/// few products.
struct Multigrid::Preconditioner {
  /// Inverse of the diagonal in the range of this process; has no entries if there is a cycle.
  std::optional<std::vector<double>> inverse_diagonal;
  bool is_tried = false; ///< true during the test of the diagonal
  dealii::TrilinosWrappers::PreconditionAMG cycle;
  dealii::TrilinosWrappers::SparseMatrix matrix; ///< rows of this process, for the cycle
  std::vector<double> modes; ///< one mode after the other, in the range of this process
  mutable dealii::TrilinosWrappers::MPI::Vector argument, image; ///< entries of this process

  void set_rows(const NodeMatrix &A, const std::vector<bool> &is_free, const Partition &partition);
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

/// Returns the free rows and columns of A, with a diagonal for the fixed ones: rows of a unit
/// matrix, times a diagonal entry. A process has the rows of its range.
dealii::TrilinosWrappers::SparseMatrix
free_rows(const NodeMatrix &A, const std::vector<bool> &is_free, const Partition &partition) {
  const unsigned int begin = partition.begin(), n = partition.end() - begin;
  double largest = 0;
  std::vector<unsigned int> length(n, 0);
  const auto visit_entries = [&](const auto &visit) {
    A.visit_rows([&](unsigned int i, unsigned int j, double value) {
      if (i == j || (is_free[i] && is_free[j]))
        visit(i - begin, j, i == j && !is_free[i] ? largest : value);
    });
  };
  for (unsigned int i = begin; i < partition.end(); ++i)
    largest = std::max(largest, A.entry(i, i));
  largest = partition.largest(largest);
  visit_entries([&](unsigned int row, unsigned int, double) { ++length[row]; });
  std::vector<std::vector<unsigned int>> columns(n);
  std::vector<std::vector<double>> values(n);
  for (unsigned int row = 0; row < n; ++row) {
    columns[row].reserve(length[row]);
    values[row].reserve(length[row]);
  }
  visit_entries([&](unsigned int row, unsigned int j, double value) {
    columns[row].push_back(j);
    values[row].push_back(value);
  });
  dealii::TrilinosWrappers::SparseMatrix matrix(partition.owned(), partition.communicator(),
                                                length);
  for (unsigned int row = 0; row < n; ++row) {
    matrix.set(begin + row, columns[row], values[row]);
    columns[row] = {};
    values[row] = {};
  }
  matrix.compress(dealii::VectorOperation::insert);
  return matrix;
}

} // namespace

void Multigrid::Preconditioner::set_rows(const NodeMatrix &A, const std::vector<bool> &is_free,
                                         const Partition &partition) {
  matrix.copy_from(free_rows(A, is_free, partition));
  argument.reinit(partition.owned(), partition.communicator());
  image = argument;
}

Multigrid::Multigrid(std::vector<bool> free, unsigned int block_size, Modes motions,
                     const Partition &p, double tol, Precision chosen_precision)
    : is_free(std::move(free)), block(block_size), modes(std::move(motions)), partition(p),
      tolerance(tol), preconditioner(std::make_unique<Preconditioner>()),
      precision(block_size == 3 ? chosen_precision : Precision::full) {}

Multigrid::~Multigrid() = default;

void Multigrid::set_matrix(const MatrixRows &A) {
  const std::size_t n = is_free.size();
  matrix = NodeMatrix(A, is_free, block, partition);
  exchange = Exchange(partition, matrix.needed_dofs());
  single_copy.reset();
  invert_diagonal();
  // For short steps, whose mass terms are large beside the stiffness, the diagonal suffices. A
  // fixed vector decides, so that equal matrices give equal decisions.
  std::vector<double> trial(n), x(n);
  for (unsigned int i = 0; i < n; ++i)
    trial[i] = 1. + std::sin(1. + 3. * i);
  preconditioner->is_tried = true;
  solve(trial.data(), x.data());
  preconditioner->is_tried = false;
  vectors = {}; // with projected contacts, there may be no further solution
  // A process without unknowns has no aggregates.
  if (n_iterations < most_by_diagonal || partition.has_empty_range())
    return copy_to_single();
  preconditioner->set_rows(matrix, is_free, partition);
  make_cycle();
}

void Multigrid::set_pattern(const MatrixRows &A, bool takes_diagonal) {
  changing = Changing{takes_diagonal};
  AssertThrow(takes_diagonal || !partition.is_shared(), dealii::ExcInternalError());
  matrix = NodeMatrix(A, is_free, block, partition);
  exchange = Exchange(partition, matrix.needed_dofs());
  if (!takes_diagonal)
    preconditioner->set_rows(matrix, is_free, partition);
}

bool Multigrid::update(bool keeps_cycle) {
  changing->met_indefinite_matrix = false;
  bool is_positive = true;
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    is_positive = is_positive && (matrix.entry(i, i) > 0. || !is_free[i]);
  if (partition.any(!is_positive))
    return false;
  if (changing->takes_diagonal) {
    invert_diagonal();
    copy_to_single();
  } else if (!keeps_cycle) {
    copy_nodes_to_rows();
    make_cycle();
  }
  return true;
}

double Multigrid::inverse_entry(unsigned int i) const {
  const double entry = matrix.entry(i, i);
  return changing && !(entry > 0.) ? 1. : 1. / entry;
}

void Multigrid::invert_diagonal() {
  std::vector<double> &inverse = preconditioner->inverse_diagonal.emplace();
  inverse.reserve(partition.end() - partition.begin());
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    inverse.push_back(inverse_entry(i));
}

/// Copies the matrix for iterations in single precision, if they are to use it.
void Multigrid::copy_to_single() {
  if (precision != Precision::mixed)
    return;
  SingleCopy copy{partition.zeros<float>(is_free.size()), {}};
  for (unsigned int i = partition.begin(); i < partition.end(); ++i)
    if (is_free[i])
      copy.scale[i] = static_cast<float>(std::sqrt(inverse_entry(i)));
  exchange(copy.scale.data());
  copy.matrix = SingleNodeMatrix(matrix, copy.scale);
  single_copy = std::move(copy);
  preconditioner->inverse_diagonal.emplace(); // these iterations do not need it
}

/// Makes a cycle of the rows of the preconditioner.
void Multigrid::make_cycle() {
  const unsigned int begin = partition.begin(), end = partition.end();
  if (preconditioner->modes.empty())
    for (const std::vector<double> &mode : modes())
      for (unsigned int i = begin; i < end; ++i)
        preconditioner->modes.push_back(is_free[i] ? mode[i] : 0.);
  preconditioner->inverse_diagonal.reset();
  preconditioner->cycle.initialize(preconditioner->matrix,
                                   smoothed_aggregation(block, preconditioner->modes, end - begin));
}

/// Copies the matrix by nodes to the rows that multigrid needs. By rows of blocks, entries come in
/// the order of the columns of each row, also of the transposed entries.
void Multigrid::copy_nodes_to_rows() {
  const auto n = static_cast<unsigned int>(is_free.size());
  const Epetra_CrsMatrix &rows = preconditioner->matrix.trilinos_matrix();
  std::vector<int> next(n, 0);
  double largest = 0;
  for (unsigned int i = 0; i < n; ++i)
    largest = std::max(largest, matrix.entry(i, i));
  const auto append = [&](unsigned int i, unsigned int j, double value) {
    int size = 0, *column = nullptr;
    double *row_values = nullptr;
    rows.ExtractMyRowView(static_cast<int>(i), size, row_values, column);
    AssertThrow(next[i] < size && column[next[i]] == static_cast<int>(j),
                dealii::ExcInternalError());
    row_values[next[i]++] = value;
  };
  const std::vector<double> &values = matrix.block_values();
  matrix.visit_entries([&](unsigned int i, unsigned int j, std::size_t index) {
    if (i == j)
      append(i, i, is_free[i] ? values[index] : largest);
    else if (is_free[i] && is_free[j]) {
      append(i, j, values[index]);
      append(j, i, values[index]);
    }
  });
}

void Multigrid::precondition(const std::vector<double> &r, std::vector<double> &z) const {
  const unsigned int begin = partition.begin(), end = partition.end();
  if (is_diagonal()) {
    for (unsigned int i = begin; i < end; ++i)
      z[i] =
          (single_copy ? inverse_entry(i) : (*preconditioner->inverse_diagonal)[i - begin]) * r[i];
    return;
  }
  std::copy(r.data() + begin, r.data() + end, preconditioner->argument.begin());
  preconditioner->cycle.vmult(preconditioner->image, preconditioner->argument);
  std::copy_n(preconditioner->image.begin(), end - begin, z.data() + begin);
}

bool Multigrid::is_diagonal() const { return preconditioner->inverse_diagonal.has_value(); }

double Multigrid::product(const std::vector<double> &x, const std::vector<double> &y) const {
  return partition.sum(partition.size(), [&](unsigned int begin, unsigned int end) {
    return dot(&x[begin], &y[begin], end - begin);
  });
}

namespace {

/// Throws if the residual is not finite.
void check_residual(double square) {
  if (!std::isfinite(square))
    throw RunError("conjugate gradients: the right-hand side is not finite, or the matrix not "
                   "positive definite");
}

[[noreturn]] void throw_indefinite() {
  throw RunError("conjugate gradients: the system matrix is not positive definite; Solver/Linear "
                 "systems = direct names the cause");
}

[[noreturn]] void throw_unconverged(unsigned int n_iterations) {
  throw RunError("conjugate gradients have not converged after " + std::to_string(n_iterations) +
                 " iterations: Solver/Linear systems = direct needs none");
}

constexpr unsigned int most_of_solution = 1000; ///< largest number of iterations

} // namespace

/// Solves the system by iterations in single precision between residuals in double precision.
double Multigrid::solve_mixed(const double *b, double *x, Limits limits) {
  const unsigned int begin = partition.begin(), end = partition.end();
  std::vector<double> &sum = vectors.direction, &image = vectors.image;
  for (std::vector<double> *const vector : {&sum, &image})
    *vector = partition.zeros(is_free.size());
  const double square = partition.sum(partition.size(), [&](unsigned int first, unsigned int last) {
    double squares = 0;
    for (unsigned int i = first; i < last; ++i)
      squares += is_free[i] ? b[i] * b[i] * inverse_entry(i) : 0.;
    return squares;
  });
  check_residual(square);
  const double norm = square > 0. ? std::sqrt(square) : 1.;
  const auto set_residual = [&](std::vector<float> &r) {
    for (unsigned int i = begin; i < end; ++i)
      r[i] = is_free[i]
                 ? static_cast<float>((b[i] - image[i]) / norm * double(single_copy->scale[i]))
                 : 0.F;
  };
  const MixedSystem system{[&](auto &y, auto &y_image) {
                             exchange(y.data());
                             single_copy->matrix.multiply(y.data(), y_image.data());
                           },
                           {},
                           [&](auto &change, auto &r) {
                             for (unsigned int i = begin; i < end; ++i)
                               sum[i] += norm * (double(single_copy->scale[i]) * double(change[i]));
                             exchange(sum.data());
                             matrix.multiply(sum.data(), image.data());
                             set_residual(r);
                           },
                           partition};
  mixed_vectors.residual = partition.zeros<float>(is_free.size());
  set_residual(mixed_vectors.residual);
  const double limit = std::max(tolerance * std::max(1., limits.scale / norm), limits.reduction);
  const MixedResult result =
      mixed_conjugate_gradients(system, limit, most_of_solution, mixed_vectors);
  mixed_vectors = {};
  n_iterations = result.n_iterations;
  const bool is_unconverged = n_iterations == most_of_solution && result.residual > limit;
  if (changing)
    changing->met_indefinite_matrix = result.is_indefinite || is_unconverged;
  else if (result.is_indefinite)
    throw_indefinite();
  else if (is_unconverged)
    throw_unconverged(n_iterations);
  std::copy(sum.begin(), sum.end(), x);
  partition.gather(x);
  return norm * std::sqrt(result.squared_energy_norm);
}

double Multigrid::solve(const double *b, double *x, double scale, double reduction) {
  if (single_copy)
    return solve_mixed(b, x, {scale, reduction});
  const bool is_tried = preconditioner->is_tried;
  const unsigned int max_iterations = is_tried ? most_by_diagonal : most_of_solution;
  const unsigned int begin = partition.begin(), end = partition.end();
  auto &[residual, direction, image, preconditioned] = vectors;
  for (std::vector<double> *const vector : {&residual, &image, &preconditioned})
    vector->resize(is_free.size());
  direction.assign(is_free.size(), 0.);
  std::fill(x, x + is_free.size(), 0.);
  for (unsigned int i = begin; i < end; ++i)
    residual[i] = is_free[i] ? b[i] : 0.;
  n_iterations = 0;
  if (changing)
    changing->met_indefinite_matrix = false;
  double last = 0, limit = 0, norm_of_x = 0;
  for (;; ++n_iterations) {
    precondition(residual, preconditioned);
    const double rz = product(residual, preconditioned);
    if (n_iterations == 0)
      limit =
          std::max(tolerance * tolerance * std::max(rz, scale * scale), reduction * reduction * rz);
    check_residual(rz);
    if (changing && (rz < 0. || n_iterations == max_iterations)) {
      changing->met_indefinite_matrix = true;
      break;
    }
    if (!(rz > limit) || (n_iterations == max_iterations && is_tried))
      break;
    if (n_iterations == max_iterations)
      throw_unconverged(max_iterations);
    const double ratio = n_iterations == 0 ? 0. : rz / last;
    last = rz;
    for (unsigned int i = begin; i < end; ++i)
      direction[i] = ratio * direction[i] + preconditioned[i];
    exchange(direction.data());
    matrix.multiply(direction.data(), image.data());
    const double resistance = product(direction, image);
    if (changing && !(resistance > 0.)) {
      changing->met_indefinite_matrix = true;
      break;
    }
    if (!(resistance > 0.))
      throw_indefinite();
    const double step = rz / resistance;
    for (unsigned int i = begin; i < end; ++i) {
      x[i] += step * direction[i];
      residual[i] -= step * image[i];
    }
    norm_of_x += step * rz; // ‖x‖²_A, since the directions are conjugate
  }
  partition.gather(x);
  return std::sqrt(norm_of_x);
}

} // namespace percussion
