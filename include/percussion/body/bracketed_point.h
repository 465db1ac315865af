#pragma once

#include <percussion/base/format.h>

#include <deal.II/base/point.h>

namespace percussion {

/// Returns "(1.5, 2)" with this number of digits.
template <int dim>
std::string bracketed_point(const dealii::Point<dim> &x, int digits = 6) {
  std::string text;
  for (unsigned int d = 0; d < dim; ++d)
    text += (d == 0 ? "(" : ", ") + format("%.*g", digits, x[d]);
  return text + ")";
}

} // namespace percussion
