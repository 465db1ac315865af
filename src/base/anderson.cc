#include <percussion/base/anderson.h>
#include <percussion/base/lanes.h>

#include <cstring>

namespace percussion {
namespace {

/// Subtracts a multiple of b from a.
void subtract(double *a, double factor, const std::vector<double> &b) {
  for (std::size_t i = 0; i < b.size(); ++i)
    a[i] -= factor * b[i];
}

/// Returns the inner product. Two sums at a time keep the processor's adder busy.
double product(const std::vector<double> &a, const std::vector<double> &b) {
  Lanes sums[2] = {};
  std::size_t i = 0;
  for (; i + 2 * n_lanes <= a.size(); i += 2 * n_lanes)
    for (unsigned int k = 0; k < 2; ++k) {
      Lanes x, y;
      std::memcpy(&x, &a[i + k * n_lanes], sizeof x);
      std::memcpy(&y, &b[i + k * n_lanes], sizeof y);
      sums[k] += x * y;
    }
  double remainder = 0;
  for (; i < a.size(); ++i)
    remainder += a[i] * b[i];
  return sum(sums[0] + sums[1]) + remainder;
}

} // namespace

/// Adds the difference between the last iterate and this one. Its residual is made orthogonal to
/// the older ones, whose products with the last residual are known and with this residual are
/// given. A difference is left out if only round-off of it remains.
void Anderson::add_difference(const Iterate &current, std::vector<double> &products) {
  constexpr double negligible = 1e-10;
  Difference added{std::move(last), 0., {}}; // its sign does not matter
  subtract(added.residual.data(), 1., current.residual);
  subtract(added.image.data(), 1., current.image);
  const double full_square = product(added.residual, added.residual);
  for (std::size_t k = 0; k < differences.size(); ++k) {
    added.coefficients.push_back((last_products[k] - products[k]) / differences[k].square);
    subtract(added.residual.data(), added.coefficients[k], differences[k].residual);
  }
  added.square = product(added.residual, added.residual);
  if (!(added.square > negligible * full_square))
    return;
  products.push_back(product(current.residual, added.residual));
  differences.push_back(std::move(added));
}

/// Removes the oldest difference, and subtracts its component from the others.
void Anderson::remove_oldest() {
  for (std::size_t k = 1; k < differences.size(); ++k) {
    Difference &other = differences[k];
    subtract(other.image.data(), other.coefficients.front(), differences.front().image);
    other.coefficients.erase(other.coefficients.begin());
  }
  differences.pop_front();
}

/// Orthogonal residuals give one coefficient after the other. Images of differences stay whole:
/// their coefficients follow by back substitution.
std::vector<double> Anderson::excess(std::vector<double> residual, std::vector<double> image) {
  Iterate current{std::move(residual), std::move(image)};
  std::vector<double> products;
  for (const Difference &difference : differences)
    products.push_back(product(current.residual, difference.residual));
  if (!last.residual.empty())
    add_difference(current, products);
  if (differences.size() > most_differences) {
    remove_oldest();
    products.erase(products.begin());
  }
  std::vector<double> coefficients;
  for (std::size_t k = 0; k < differences.size(); ++k)
    coefficients.push_back(products[k] / differences[k].square);
  std::vector<double> excess(current.image.size());
  for (std::size_t k = differences.size(); k-- > 0;) {
    const Difference &difference = differences[k];
    for (std::size_t older = 0; older < k; ++older)
      coefficients[older] -= coefficients[k] * difference.coefficients[older];
    subtract(excess.data(), -coefficients[k], difference.image);
  }
  last = std::move(current);
  last_products = std::move(products);
  return excess;
}

} // namespace percussion
