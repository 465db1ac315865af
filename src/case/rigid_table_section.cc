#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/body/attitude.h>
#include <percussion/output/body_table.h>

#include "body_entries.h"
#include <algorithm>
#include <cmath>

namespace percussion {

std::vector<std::string> shapes(unsigned int dim) {
  return dim == 2 ? std::vector<std::string>{"rectangle", "polygon", "stick", "disc"}
                  : std::vector<std::string>{"box", "polyhedron", "sphere", "capsule", "cylinder"};
}

namespace {

/// Returns the names of all columns that a table of bodies may have.
template <int dim>
std::vector<std::string> known_columns() {
  std::vector<std::string> names = {"shape", "density", "mass"};
  for (const std::string &shape : shapes(dim))
    for (const std::string &name : size_columns(shape))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  for (const std::string &name : motion_columns<dim>())
    names.push_back(name);
  return names;
}

/// Throws InputError unless the columns belong to a table of bodies.
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
  const std::string name = entry.substr(entry.rfind('/') + 1);
  const auto is_below = [&](const std::string &begin) {
    return entry.rfind(begin, 0) == 0 && entry.size() > begin.size() + name.size();
  };
  return (is_below(rigid_section + "/") && (name == "File" || name == "Surface mesh")) ||
         (is_below(contact_section + "/") && name == "Surface mesh");
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

namespace {

/// Returns the number of repetitions. `moves`: the repetitions differ by more than their offset.
template <int dim>
unsigned int read_number(const CaseInput &section, const std::string &entry,
                         const std::string &offset, bool moves = false) {
  const unsigned int n = section.integer(entry);
  section.refuse_unused(offset, n > 1, "with " + entry + " = 1");
  if (n > 1 && !moves && section.vector<dim>(offset).norm() == 0)
    section.report(offset, "the copies would lie upon each other");
  return n;
}

dealii::Tensor<2, 2> read_rotation(const CaseInput &, double angle,
                                   std::integral_constant<int, 2>) {
  const double c = std::cos(angle), s = std::sin(angle);
  return dealii::Tensor<2, 2>({{c, -s}, {s, c}});
}
dealii::Tensor<2, 3> read_rotation(const CaseInput &section, double angle,
                                   std::integral_constant<int, 3>) {
  const auto axis = section.vector<3>("Turn axis");
  return rotation_matrix(axis.norm() > 0 ? quaternion(axis, angle) : Quaternion{1, 0, 0, 0});
}

/// Reads Turn, and checks the entries that depend on it.
template <int dim>
double read_turn(const CaseInput &section) {
  section.refuse_unused("Turn", section.integer("Copies") > 1, "with Copies = 1");
  const double turn = section.number("Turn");
  section.refuse_unused("Turn centre", turn != 0, "with Turn = 0");
  if constexpr (dim == 3) {
    section.refuse_unused("Turn axis", turn != 0, "with Turn = 0");
    if (section.vector<3>("Turn axis").norm() == 0)
      section.report("Turn axis", "the axis must not be zero");
  }
  return turn;
}

} // namespace

template <int dim>
std::vector<CopyPlace<dim>> read_copies(const CaseInput &section) {
  const double turn = read_turn<dim>(section);
  const dealii::Point<dim> about(section.vector<dim>("Turn centre"));
  const unsigned int n_copies = read_number<dim>(section, "Copies", "Offset", turn != 0),
                     n_courses = read_number<dim>(section, "Courses", "Course offset"),
                     n_repetitions = read_number<dim>(section, "Repetitions", "Repetition offset"),
                     fewer = section.integer("Fewer in each course");
  for (const std::string entry : {"Fewer in each course", "Alternate shift"})
    section.refuse_unused(entry, n_courses > 1, "with Courses = 1");
  if (fewer * (n_courses - 1) >= n_copies) {
    section.report("Fewer in each course",
                   "the last course would have no copies: " + std::to_string(n_copies) +
                       " copies, " + std::to_string(n_courses) + " courses");
    return {{}}; // reading continues to report further errors
  }
  const auto offset = section.vector<dim>("Offset"),
             course_offset = section.vector<dim>("Course offset"),
             shift = section.vector<dim>("Alternate shift"),
             repetition_offset = section.vector<dim>("Repetition offset");
  std::vector<CopyPlace<dim>> copy_places;
  for (unsigned int r = 0; r < n_repetitions; ++r)
    for (unsigned int c = 0; c < n_courses; ++c)
      for (unsigned int k = 0; k + fewer * c < n_copies; ++k)
        copy_places.push_back(
            {static_cast<double>(k) * offset + static_cast<double>(c) * course_offset +
                 (c % 2 == 1 ? 1. : 0.) * shift + static_cast<double>(r) * repetition_offset,
             k * turn, read_rotation(section, k * turn, std::integral_constant<int, dim>()),
             about});
  return copy_places;
}

PERCUSSION_INSTANTIATE(read_copies);
PERCUSSION_INSTANTIATE(read_body_table);

} // namespace percussion
