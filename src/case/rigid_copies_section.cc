#include <percussion/body/attitude.h>

#include "parameter_sections.h"
#include <cmath>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Integer;
using dealii::Patterns::List;

void declare_copies(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string zero = dimensions.choose("0, 0", "0, 0, 0");
  declarations.declare(
      "Copies", "1", Integer(1, 100000),
      "Number of identical bodies, the first at Position. The copies of a body NAME are named "
      "NAME 1, NAME 2, ...; in contacts NAME denotes all copies.");
  declarations.declare("Offset", zero, dimensions.vector(),
                       "Offset from one copy to the next: " + dimensions.position() + " [L].");
  declarations.declare("Turn", "0", Double(),
                       std::string("Angle by which each copy is rotated relative to the "
                                   "previous copy, about Turn centre") +
                           (!dimensions.plane  ? " and Turn axis"
                            : dimensions.space ? ", counter-clockwise, in 3D about Turn axis"
                                               : ", counter-clockwise") +
                           " [rad]. Offset is added. Velocities are not rotated.");
  declarations.declare("Turn centre", zero, dimensions.vector(),
                       "Centre of the rotation by Turn: " + dimensions.position() + " [L].");
  if (dimensions.space)
    declarations.declare("Turn axis", "0, 1, 0", List(Double(), 3, 3),
                         std::string("Direction x, y, z, of any length, of the axis of Turn.") +
                             (dimensions.plane ? " Only in 3D." : ""));
  declarations.declare("Courses", "1", Integer(1, 100000),
                       "Number of courses, as of a wall: each course repeats all copies.");
  declarations.declare("Course offset", zero, dimensions.vector(),
                       "Offset from one course to the next: " + dimensions.position() + " [L].");
  declarations.declare("Fewer in each course", "0", Integer(0, 100000),
                       "Number of copies by which each course is shorter than the previous "
                       "course.");
  declarations.declare("Alternate shift", zero, dimensions.vector(),
                       "Additional shift of every second course: " + dimensions.position() +
                           " [L].");
  declarations.declare("Repetitions", "1", Integer(1, 100000),
                       "Number of times that all courses occur.");
  declarations.declare("Repetition offset", zero, dimensions.vector(),
                       "Offset from one repetition to the next: " + dimensions.position() +
                           " [L].");
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

} // namespace percussion
