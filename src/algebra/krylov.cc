#include <percussion/algebra/krylov.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

/// Number of directions that GMRES keeps.
constexpr unsigned int n_directions = 40;

double inner_product(const std::vector<double> &x, const std::vector<double> &y) {
  double sum[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= x.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k)
      sum[k] += x[i + k] * y[i + k];
  for (; i < x.size(); ++i)
    sum[0] += x[i] * y[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

void add_multiple(double factor, const std::vector<double> &x, std::vector<double> &y) {
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] += factor * x[i];
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

/// Orthogonalises y against the directions. Returns their coefficients and, last, the norm of
/// the remainder, which becomes a unit vector.
std::vector<double> orthogonalise(const std::vector<std::vector<double>> &directions,
                                  std::vector<double> &y) {
  std::vector<double> column(directions.size() + 1, 0.);
  for (std::size_t k = 0; k < directions.size(); ++k) {
    column[k] = inner_product(directions[k], y);
    add_multiple(-column[k], directions[k], y);
  }
  const double length = std::sqrt(inner_product(y, y));
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
                                 unsigned int max_iterations, std::vector<double> &x,
                                 std::vector<double> &r) {
  std::vector<double> z(r.size()), direction(r.size()), image(r.size());
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
                   std::vector<double> &x, std::vector<double> &r) {
  const std::size_t n = r.size();
  std::vector<double> z(n), image(n), y(n), root(n), inverse_root(n); // D^(1/2) and D^(-1/2)
  for (std::size_t i = 0; i < n; ++i) {
    inverse_root[i] = std::sqrt(system.inverse_diagonal[i]);
    root[i] = 1. / inverse_root[i];
  }
  // Applies D^(-1/2) A B⁻¹ D^(1/2), so that the Euclidean norm is the norm of residuals.
  const auto apply = [&](const std::vector<double> &direction) {
    for (std::size_t i = 0; i < n; ++i)
      y[i] = direction[i] * root[i];
    system.precondition(y, z);
    system.multiply(z, image);
    for (std::size_t i = 0; i < n; ++i)
      y[i] = image[i] * inverse_root[i];
  };
  unsigned int iterations = 0;
  for (double norm = residual_norm(r, system.inverse_diagonal);
       norm > limit && iterations < max_iterations;) {
    std::vector<std::vector<double>> directions(1, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i)
      directions[0][i] = r[i] * inverse_root[i] / norm;
    Hessenberg least_squares(norm);
    double estimate = norm;
    while (directions.size() <= n_directions && estimate > limit && iterations < max_iterations) {
      apply(directions.back());
      estimate = least_squares.append(orthogonalise(directions, y));
      directions.push_back(y);
      ++iterations;
    }
    const std::vector<double> coefficient = least_squares.solution();
    std::fill(y.begin(), y.end(), 0.);
    for (std::size_t k = 0; k < coefficient.size(); ++k)
      add_multiple(coefficient[k], directions[k], y);
    directions.clear();
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
