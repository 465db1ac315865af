#pragma once

#include <percussion/base/table.h>
#include <percussion/body/attitude.h>

#include "parameter_sections.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Values that describe one rigid body: the words of a row of its section's table, and entries of
/// the section for columns that the table has not.
class BodyEntries {
public:
  /// Values of a section without a table.
  BodyEntries(const CaseInput &case_input, const std::string &name);
  /// Values of a row.
  BodyEntries(const CaseInput &case_input, const std::string &name, const NamedColumns &all_rows,
              std::size_t row_index);

  /// True if a row has a word in this column.
  bool has(const std::string &column) const;
  /// Returns the shape. Throws InputError if the word is no shape of this dimension.
  std::string shape() const;
  /// Returns the number in a column, else the number of the entry of the section. Throws
  /// InputError if the word is not a finite number or, for sizes and masses, not positive.
  double number(const std::string &column, const std::string &entry) const;
  double positive(const std::string &column, const std::string &entry) const;
  /// Returns the number in a column. Throws InputError if there is none or, with positive(), it is
  /// not positive.
  double number(const std::string &column) const;
  double positive(const std::string &column) const;
  /// Reports that the body as a whole is unfit: at the line of its section; for a row, throws
  /// InputError.
  void refuse(const std::string &reason) const;

  const CaseInput &input;
  std::string path; ///< path of the section, ending in "/"

private:
  InputError error(const std::string &column, const std::string &allowed) const;

  const NamedColumns *table = nullptr;
  std::size_t row = 0;
};

/// Returns the attitude of a 3D body, by its quaternion or by the entries Axis and Angle. Throws
/// InputError if the quaternion is zero.
Quaternion attitude_of_solid(const BodyEntries &entries);
/// Returns the lengths of a box along its axes.
std::array<double, 3> size_of_box(const BodyEntries &entries);
/// Returns the body without its name, at its initial position; errors of the section are reported.
/// Throws InputError for errors of its row.
RigidBody<3> read_solid(const BodyEntries &entries, const std::string &name);

/// Declares the entry of a rigid body with the table of bodies.
void declare_body_table(ParameterDeclarations &declarations, Dimensions dimensions);

/// Returns the table of bodies of a section; null if the section has none or it is unfit, which is
/// reported. Reports entries of the section that have no effect besides the table.
template <int dim>
std::unique_ptr<NamedColumns> read_body_table(const CaseInput &input, const std::string &name);

} // namespace percussion
