#include <percussion/algebra/krylov.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Number of directions that GMRES keeps.
constexpr unsigned int n_directions = 40;

double inner_product(const double *x, const double *y, std::size_t n) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4)
    for (std::size_t k = 0; k < 4; ++k)
      sum[k] += x[i + k] * y[i + k];
  for (; i < n; ++i)
    sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

double inner_product(const std::vector<double> &x, const std::vector<double> &y) {
  return inner_product(x.data(), y.data(), x.size());
}

void add_multiple(double factor, const double *x, std::size_t n, double *y) {
  for (std::size_t i = 0; i < n; ++i)
    y[i] += factor * x[i];
}

void add_multiple(double factor, const std::vector<double> &x, std::vector<double> &y) {
  add_multiple(factor, x.data(), x.size(), y.data());
}

/// Least-squares problem ‖H y − β e_1‖ of GMRES, with H made triangular by rotations.
class Hessenberg {
public:
  explicit Hessenberg(double beta) : right{beta} {}

  /// Appends a column of H. Returns the norm of the residual.
  double append(std::vector<double> column) {
    for (std::size_t k = 0; k < cosine.size(); ++k) {
      const double upper = cosine[k] * column[k] + sine[k] * column[k + 1];
      column[k + 1] = cosine[k] * column[k + 1] - sine[k] * column[k];
      column[k] = upper;
    }
    const std::size_t last = cosine.size();
    const double length = std::hypot(column[last], column[last + 1]);
    cosine.push_back(length > 0. ? column[last] / length : 1.);
    sine.push_back(length > 0. ? column[last + 1] / length : 0.);
    column[last] = length;
    column.pop_back();
    columns.push_back(std::move(column));
    right.push_back(-sine[last] * right[last]);
    right[last] *= cosine[last];
    return std::abs(right.back());
  }

  /// Returns the coefficients y of the directions.
  std::vector<double> solution() const {
    std::vector<double> y(columns.size());
    for (std::size_t k = columns.size(); k-- > 0;) {
      y[k] = right[k];
      for (std::size_t j = k + 1; j < columns.size(); ++j)
        y[k] -= columns[j][k] * y[j];
      y[k] = columns[k][k] > 0. ? y[k] / columns[k][k] : 0.;
    }
    return y;
  }

private:
  std::vector<std::vector<double>> columns;
  std::vector<double> cosine, sine, right;
};

/// Orthogonalises y against the first n directions (classical Gram–Schmidt; vectors are read in
/// pieces that remain in the cache). Returns their coefficients and, last, the norm of the
/// remainder, which becomes a unit vector.
std::vector<double> orthogonalise(const std::vector<std::vector<double>> &directions, std::size_t n,
                                  std::vector<double> &y) {
  constexpr std::size_t piece = 2048;
  std::vector<double> column(n + 1, 0.);
  for (std::size_t first = 0; first < y.size(); first += piece) {
    const std::size_t size = std::min(piece, y.size() - first);
    for (std::size_t k = 0; k < n; ++k)
      column[k] += inner_product(directions[k].data() + first, y.data() + first, size);
  }
  double square = 0;
  for (std::size_t first = 0; first < y.size(); first += piece) {
    const std::size_t size = std::min(piece, y.size() - first);
    double *const remainder = y.data() + first;
    for (std::size_t k = 0; k < n; ++k)
      add_multiple(-column[k], directions[k].data() + first, size, remainder);
    square += inner_product(remainder, remainder, size);
  }
  const double length = std::sqrt(square);
  column.back() = length;
  const double factor = length > 0. ? 1. / length : 1.;
  for (double &entry : y)
    entry *= factor;
  return column;
}

} // namespace

double residual_norm(const std::vector<double> &r, const std::vector<double> &inverse_diagonal) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= r.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k)
      sum[k] += r[i + k] * r[i + k] * inverse_diagonal[i + k];
  for (; i < r.size(); ++i)
    sum[0] += r[i] * r[i] * inverse_diagonal[i];
  return std::sqrt((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

unsigned int conjugate_gradients(const KrylovSystem &system, double limit,
                                 unsigned int max_iterations, KrylovVectors &vectors,
                                 std::vector<double> &x, std::vector<double> &r) {
  std::vector<double> &z = vectors.preconditioned, &image = vectors.image,
                      &direction = vectors.direction;
  for (auto *const vector : {&z, &image, &direction})
    vector->resize(r.size());
  double last = 0;
  for (unsigned int k = 0;; ++k) {
    if (!(residual_norm(r, system.inverse_diagonal) > limit) || k == max_iterations)
      return k;
    system.precondition(r, z);
    const double rz = inner_product(r, z);
    if (k == 0)
      direction = z;
    else
      for (std::size_t i = 0; i < z.size(); ++i)
        direction[i] = z[i] + rz / last * direction[i];
    last = rz;
    system.multiply(direction, image);
    const double resistance = inner_product(direction, image);
    if (!(resistance > 0.))
      return k;
    add_multiple(rz / resistance, direction, x);
    add_multiple(-rz / resistance, image, r);
  }
}

unsigned int gmres(const KrylovSystem &system, double limit, unsigned int max_iterations,
                   KrylovVectors &vectors, std::vector<double> &x, std::vector<double> &r) {
  const std::size_t n = r.size();
  auto &[z, image, y, root, inverse_root, directions] = vectors;
  for (auto *const vector : {&z, &image, &y, &root, &inverse_root})
    vector->resize(n);
  for (std::size_t i = 0; i < n; ++i) { // D^(-1/2) and D^(1/2)
    inverse_root[i] = std::sqrt(system.inverse_diagonal[i]);
    root[i] = 1. / inverse_root[i];
  }
  directions.resize(n_directions);
  unsigned int iterations = 0;
  for (double norm = residual_norm(r, system.inverse_diagonal);
       norm > limit && iterations < max_iterations;) {
    for (std::size_t i = 0; i < n; ++i)
      y[i] = r[i] * inverse_root[i] / norm;
    Hessenberg least_squares(norm);
    double estimate = norm;
    std::size_t n_used = 0;
    while (n_used < n_directions && estimate > limit && iterations < max_iterations) {
      directions[n_used++] = y;
      // Applies D^(-1/2) A B⁻¹ D^(1/2), so that the Euclidean norm is the norm of residuals.
      for (std::size_t i = 0; i < n; ++i)
        y[i] *= root[i];
      system.precondition(y, z);
      system.multiply(z, image);
      for (std::size_t i = 0; i < n; ++i)
        y[i] = image[i] * inverse_root[i];
      estimate = least_squares.append(orthogonalise(directions, n_used, y));
      ++iterations;
    }
    const std::vector<double> coefficient = least_squares.solution();
    std::fill(y.begin(), y.end(), 0.);
    for (std::size_t k = 0; k < coefficient.size(); ++k)
      add_multiple(coefficient[k], directions[k], y);
    for (std::size_t i = 0; i < n; ++i)
      y[i] *= root[i];
    system.precondition(y, z);
    add_multiple(1., z, x);
    system.multiply(z, image);
    add_multiple(-1., image, r);
    const double reached = residual_norm(r, system.inverse_diagonal);
    if (!(reached < 0.9 * norm)) // the residual is round-off
      break;
    norm = reached;
  }
  return iterations;
}

} // namespace percussion
