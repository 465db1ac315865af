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
unsigned int read_number(const CaseInput &input, const std::string &path, const std::string &entry,
                         const std::string &offset, bool moves = false) {
  const auto n = static_cast<unsigned int>(input.parameters.get_integer(path + entry));
  input.refuse_unused(path + offset, n > 1, "with " + entry + " = 1");
  if (n > 1 && !moves && input.vector<dim>(path + offset).norm() == 0)
    input.report(path + offset, "the copies would lie upon each other");
  return n;
}

dealii::Tensor<2, 2> read_rotation(const CaseInput &, const std::string &, double angle,
                                   std::integral_constant<int, 2>) {
  const double c = std::cos(angle), s = std::sin(angle);
  return dealii::Tensor<2, 2>({{c, -s}, {s, c}});
}
dealii::Tensor<2, 3> read_rotation(const CaseInput &input, const std::string &path, double angle,
                                   std::integral_constant<int, 3>) {
  const auto axis = input.vector<3>(path + "Turn axis");
  return rotation_matrix(axis.norm() > 0 ? quaternion(axis, angle) : Quaternion{1, 0, 0, 0});
}

/// Reads Turn, and checks the entries that depend on it.
template <int dim>
double read_turn(const CaseInput &input, const std::string &path) {
  input.refuse_unused(path + "Turn", input.parameters.get_integer(path + "Copies") > 1,
                      "with Copies = 1");
  const double turn = input.parameters.get_double(path + "Turn");
  input.refuse_unused(path + "Turn centre", turn != 0, "with Turn = 0");
  if constexpr (dim == 3) {
    input.refuse_unused(path + "Turn axis", turn != 0, "with Turn = 0");
    if (input.vector<3>(path + "Turn axis").norm() == 0)
      input.report(path + "Turn axis", "the axis must not be zero");
  }
  return turn;
}

} // namespace

template <int dim>
std::vector<CopyPlace<dim>> read_copies(const CaseInput &input, const std::string &path) {
  const double turn = read_turn<dim>(input, path);
  const dealii::Point<dim> about(input.vector<dim>(path + "Turn centre"));
  const unsigned int n_copies = read_number<dim>(input, path, "Copies", "Offset", turn != 0),
                     n_courses = read_number<dim>(input, path, "Courses", "Course offset"),
                     n_repetitions =
                         read_number<dim>(input, path, "Repetitions", "Repetition offset");
  const auto fewer =
      static_cast<unsigned int>(input.parameters.get_integer(path + "Fewer in each course"));
  for (const std::string entry : {"Fewer in each course", "Alternate shift"})
    input.refuse_unused(path + entry, n_courses > 1, "with Courses = 1");
  if (fewer * (n_courses - 1) >= n_copies) {
    input.report(path + "Fewer in each course",
                 "the last course would have no copies: " + std::to_string(n_copies) + " copies, " +
                     std::to_string(n_courses) + " courses");
    return {{}}; // reading continues to report further errors
  }
  const auto offset = input.vector<dim>(path + "Offset"),
             course_offset = input.vector<dim>(path + "Course offset"),
             shift = input.vector<dim>(path + "Alternate shift"),
             repetition_offset = input.vector<dim>(path + "Repetition offset");
  std::vector<CopyPlace<dim>> copy_places;
  for (unsigned int r = 0; r < n_repetitions; ++r)
    for (unsigned int c = 0; c < n_courses; ++c)
      for (unsigned int k = 0; k + fewer * c < n_copies; ++k)
        copy_places.push_back(
            {static_cast<double>(k) * offset + static_cast<double>(c) * course_offset +
                 (c % 2 == 1 ? 1. : 0.) * shift + static_cast<double>(r) * repetition_offset,
             k * turn, read_rotation(input, path, k * turn, std::integral_constant<int, dim>()),
             about});
  return copy_places;
}

template std::vector<CopyPlace<2>> read_copies<2>(const CaseInput &, const std::string &);
template std::vector<CopyPlace<3>> read_copies<3>(const CaseInput &, const std::string &);

} // namespace percussion
