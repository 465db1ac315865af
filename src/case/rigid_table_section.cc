#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/output/body_table.h>

#include "body_entries.h"
#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

std::vector<std::string> shapes(unsigned int dim) {
  return dim == 2 ? std::vector<std::string>{"rectangle", "polygon", "stick", "disc"}
                  : std::vector<std::string>{"box", "polyhedron", "sphere"};
}

/// Returns the names of all columns that a table of bodies may have.
template <int dim>
std::vector<std::string> known_columns() {
  std::vector<std::string> names = {"shape", "density", "mass"};
  for (const std::string &shape : shapes(dim))
    for (const std::string &name : size_columns(shape))
      names.push_back(name);
  for (const std::string &name : motion_columns<dim>())
    names.push_back(name);
  return names;
}

/// Throws InputError if the columns are not those of a table of bodies.
template <int dim>
void check_columns(const NamedColumns &table) {
  const auto has = [&](const std::string &name) {
    return std::find(table.names.begin(), table.names.end(), name) != table.names.end();
  };
  const auto known = known_columns<dim>();
  for (const std::string &name : table.names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(table.file + ": a table of bodies has no column '" + name +
                       "'; its columns are " + joined(known, ", ") + did_you_mean(name, known));
  for (const std::string &name : components(dim))
    if (!has(name))
      throw InputError(table.file + ": the column '" + name +
                       "' is missing, the position of the centres of mass");
  if (dim == 3)
    for (const std::string name : {"qw", "qx", "qy", "qz"})
      if (has("qw") != has(name))
        throw InputError(table.file +
                         ": an attitude has the four columns qw, qx, qy, qz of a quaternion");
  if (has("mass") && has("density"))
    throw InputError(table.file + ": the columns mass and density exclude each other");
}

} // namespace

bool BodyEntries::has(const std::string &column) const {
  return table != nullptr && !table->word(row, column).empty();
}

InputError BodyEntries::error(const std::string &column, const std::string &allowed) const {
  const std::string &word = table->word(row, column);
  return InputError(location(table->file, table->lines[row]) + ": '" + column + "' is " +
                    (word.empty() ? "missing" : "'" + word + "'") + ": allowed is " + allowed);
}

void BodyEntries::refuse(const std::string &reason) const {
  if (table != nullptr)
    throw InputError(location(table->file, table->lines[row]) + ": " + reason);
  section.report_section(reason);
}

std::string BodyEntries::shape() const {
  if (!has("shape"))
    return section.get("Shape");
  const auto known = shapes(section.dimension);
  if (std::find(known.begin(), known.end(), table->word(row, "shape")) == known.end())
    throw error("shape", joined(known, ", "));
  return table->word(row, "shape");
}

double BodyEntries::number(const std::string &column, const std::string &entry,
                           bool is_positive) const {
  if (!has(column) && !entry.empty())
    return section.number(entry);
  const auto value = to_number<double>(table->word(row, column));
  if (!value || !std::isfinite(*value))
    throw error(column, "a finite number");
  if (is_positive && !(*value > 0))
    throw error(column, "a number > 0");
  return *value;
}

bool names_file_of_bodies(const std::string &entry) {
  const std::string begin = rigid_section + "/", name = entry.substr(entry.rfind('/') + 1);
  return entry.rfind(begin, 0) == 0 && entry.size() > begin.size() + name.size() &&
         (name == "File" || name == "Surface mesh");
}

void declare_body_table(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string in_plane = "x, y; angle [rad]; vx, vy, omega; radius; width, height; length",
                    in_space = "x, y, z; qw, qx, qy, qz (a quaternion); vx, vy, vz; wx, wy, wz "
                               "about the body's axes; radius; size_x, size_y, size_z";
  declarations.declare(
      "File", "", Described("the name of a .csv file, or nothing"),
      "Table of bodies with a header: each row makes one body. Columns: " +
          (!dimensions.space   ? in_plane
           : !dimensions.plane ? in_space
                               : in_plane + "; in 3D " + in_space) +
          "; shape; density or mass. Only the position is required; the other entries of this "
          "section stand for missing columns and empty words. A run writes such a table of the "
          "final state, bodies_NAME.csv, for each section with more than one body. The bodies of "
          "the section NAME are named NAME 1, NAME 2, ... A relative name starts at the folder of "
          "this file. Default: one body, or its Copies.");
}

template <int dim>
std::unique_ptr<NamedColumns> read_body_table(const CaseInput &section) {
  if (!section.has("File"))
    return nullptr;
  for (const std::string entry :
       {"Position", "Copies", "Offset", "Turn", "Turn centre", "Courses", "Course offset",
        "Fewer in each course", "Alternate shift", "Repetitions", "Repetition offset"})
    section.refuse_unused(entry, false, "with File, whose rows are the bodies");
  try {
    auto table = std::make_unique<NamedColumns>(
        read_named_columns(path_of_mesh(section.get("File"), section.file), ""));
    check_columns<dim>(*table);
    return table;
  } catch (const InputError &error) {
    section.report("File", error.what());
    return nullptr;
  }
}

PERCUSSION_INSTANTIATE(read_body_table);

} // namespace percussion
