#pragma once

#include <percussion/base/table.h>
#include <percussion/body/attitude.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/point.h>
#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Values that describe one rigid body: the words of a row of its section's table, and entries of
/// the section for columns that the table has not.
class BodyEntries {
public:
  /// Values of a section, or of a row of its table.
  explicit BodyEntries(const CaseInput &input_section, const NamedColumns *all_rows = nullptr,
                       std::size_t row_index = 0)
      : section(input_section), table(all_rows), row(row_index) {}

  /// True if a row has a word in this column.
  bool has(const std::string &column) const;
  /// Returns the shape. Throws InputError if the word is no shape of this dimension.
  std::string shape() const;
  /// Returns the number in a column, else the number of the entry of the section, if there is one.
  /// Throws InputError if the word is not a finite number or, with positive(), not positive.
  double number(const std::string &column, const std::string &entry = {},
                bool is_positive = false) const;
  double positive(const std::string &column, const std::string &entry = {}) const {
    return number(column, entry, true);
  }
  /// Reports that the body as a whole is unfit: at the line of its section; for a row, throws
  /// InputError.
  void refuse(const std::string &reason) const;

  const CaseInput &section;

private:
  InputError error(const std::string &column, const std::string &allowed) const;

  const NamedColumns *table;
  std::size_t row;
};

/// Returns the centre of mass at the start. Default: the centre of mass of the shape as given.
template <int dim>
dealii::Point<dim> read_centre(const BodyEntries &entries, dealii::Point<dim> centre) {
  if (!entries.has("x"))
    return entries.section.has("Position")
               ? dealii::Point<dim>(entries.section.template vector<dim>("Position"))
               : centre;
  for (unsigned int d = 0; d < dim; ++d)
    centre[d] = entries.number(components(dim)[d]);
  return centre;
}

/// Returns the attitude of a 3D body, by its quaternion or by the entries Axis and Angle. Throws
/// InputError if the quaternion is zero.
Quaternion attitude_of_solid(const BodyEntries &entries);
/// Returns the lengths of a box along its axes.
std::array<double, 3> size_of_box(const BodyEntries &entries);
/// Returns the body without its name, at its initial position; errors of the section are reported.
/// Throws InputError for errors of its row.
RigidBody<3> read_solid(const BodyEntries &entries);

/// Returns the table of bodies of a section; null if the section has none or it is unfit, which is
/// reported. Reports entries of the section that have no effect besides the table.
template <int dim>
std::unique_ptr<NamedColumns> read_body_table(const CaseInput &section);

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
