#pragma once

#include <percussion/input/patterns.h>

#include <deal.II/base/point.h>
#include <deal.II/base/utilities.h>

#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Returns the point of a text "x, y" or "x, y, z"; no value if the text is malformed.
template <int dim>
std::optional<dealii::Point<dim>> to_point(const std::string &text) {
  const auto words = dealii::Utilities::split_string_list(text, ',');
  dealii::Point<dim> x;
  for (unsigned int d = 0; d < dim; ++d) {
    const auto number = words.size() == dim ? to_number<double>(words[d]) : std::nullopt;
    if (!number)
      return {};
    x[d] = *number;
  }
  return x;
}

/// Returns the points of a text "x, y; x, y; …"; no value if the text is malformed.
template <int dim>
std::optional<std::vector<dealii::Point<dim>>> to_points(const std::string &text) {
  std::vector<dealii::Point<dim>> points;
  for (const std::string &words : dealii::Utilities::split_string_list(text, ';')) {
    const auto x = to_point<dim>(words);
    if (!x)
      return {};
    points.push_back(*x);
  }
  return points;
}

} // namespace percussion
