#include "acceleration.h"

#include <percussion/base/linear_system.h>

#include "vectors.h"
#include <algorithm>
#include <utility>

namespace percussion {

void Acceleration::extrapolate(std::vector<double> &x, const std::vector<double> &image) {
  constexpr double growth = 2.;
  Values residual = image;
  for (std::size_t k = 0; k < x.size(); ++k)
    residual[k] = (image[k] - x[k]) / scale[k / d];
  x = image;
  const double size = norm(residual);
  if (!last_residual.empty() && size > growth * last_size) {
    differences.clear();
    last_residual.clear();
    return;
  }
  if (!last_residual.empty())
    remember(residual, image);
  if (Values coefficients; find_coefficients(residual, coefficients))
    for (std::size_t j = 0; j < differences.size(); ++j)
      for (std::size_t k = 0; k < x.size(); ++k)
        x[k] -= coefficients[j] * differences[j].image[k];
  last_residual = std::move(residual);
  last_image = image;
  last_size = size;
}

void Acceleration::remember(const Values &residual, const Values &image) {
  constexpr std::size_t memory = 5;
  Difference difference;
  if (differences.size() == memory) {
    std::swap(difference, differences.front());
    differences.pop_front();
    for (Difference &kept : differences)
      kept.products.pop_back();
  }
  difference.residual.resize(residual.size());
  difference.image.resize(image.size());
  for (std::size_t k = 0; k < residual.size(); ++k) {
    difference.residual[k] = residual[k] - last_residual[k];
    difference.image[k] = image[k] - last_image[k];
  }
  differences.push_back(std::move(difference));
  Values &products = differences.back().products;
  products.clear();
  for (auto older = differences.rbegin(); older != differences.rend(); ++older)
    products.push_back(dot(differences.back().residual, older->residual));
}

/// Finds the combination of differences nearest to the residual. Returns false if there is none.
bool Acceleration::find_coefficients(const Values &residual, Values &coefficients) const {
  constexpr double regularisation = 1e-12;
  const std::size_t n = differences.size();
  if (n == 0)
    return false;
  LinearSystem system;
  double *const matrix = system.dense(n);
  double largest = 0.;
  coefficients.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    coefficients[i] = dot(differences[i].residual, residual);
    for (std::size_t j = 0; j <= i; ++j)
      matrix[i * n + j] = matrix[j * n + i] = dot(differences[i].residual, differences[j].residual);
    largest = std::max(largest, matrix[i * n + i]);
  }
  for (std::size_t i = 0; i < n; ++i)
    matrix[i * n + i] += regularisation * largest;
  return system.factorise_dense() && system.solve(coefficients);
}

} // namespace percussion
