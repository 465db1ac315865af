#include "parameter_sections.h"

namespace percussion {

using dealii::Patterns::Integer;

void declare_copies(ParameterDeclarations &declarations, Dimensions of) {
  const std::string zero = of.choose("0, 0", "0, 0, 0");
  declarations.declare(
      "Copies", "1", Integer(1, 100000),
      "Number of bodies that are all alike, the first of them at Position. The copies of "
      "a body NAME are named NAME 1, NAME 2, ...; in contacts NAME stands for all "
      "of them.");
  declarations.declare("Offset", zero, of.vector(),
                       "From one copy to the next: " + of.position() + " [L].");
  declarations.declare("Courses", "1", Integer(1, 100000),
                       "Number of courses, as of a wall: each has all the copies again.");
  declarations.declare("Course offset", zero, of.vector(),
                       "From one course to the next: " + of.position() + " [L].");
  declarations.declare("Fewer in each course", "0", Integer(0, 100000),
                       "Number of copies that each course has less than the one before.");
  declarations.declare("Alternate shift", zero, of.vector(),
                       "Shift of every second course besides: " + of.position() + " [L].");
  declarations.declare("Repetitions", "1", Integer(1, 100000),
                       "Number of times that all courses are there.");
  declarations.declare("Repetition offset", zero, of.vector(),
                       "From one repetition to the next: " + of.position() + " [L].");
}

namespace {

/// How often something is repeated.
template <int dim>
unsigned int read_number(const CaseInput &input, const std::string &path, const std::string &what,
                         const std::string &offset) {
  const auto n = static_cast<unsigned int>(input.parameters.get_integer(path + what));
  input.refuse_unused(path + offset, n > 1, "with " + what + " = 1");
  if (n > 1 && input.vector<dim>(path + offset).norm() == 0)
    input.parameters.report(path + offset, "the copies would lie upon each other", input.problems);
  return n;
}

} // namespace

template <int dim>
std::vector<dealii::Tensor<1, dim>> read_copies(const CaseInput &input, const std::string &path) {
  const unsigned int n_copies = read_number<dim>(input, path, "Copies", "Offset"),
                     n_courses = read_number<dim>(input, path, "Courses", "Course offset"),
                     n_repetitions =
                         read_number<dim>(input, path, "Repetitions", "Repetition offset");
  const auto fewer =
      static_cast<unsigned int>(input.parameters.get_integer(path + "Fewer in each course"));
  for (const std::string entry : {"Fewer in each course", "Alternate shift"})
    input.refuse_unused(path + entry, n_courses > 1, "with Courses = 1");
  if (fewer * (n_courses - 1) >= n_copies) {
    input.parameters.report(
        path + "Fewer in each course",
        "nothing would be left of the last course: " + std::to_string(n_copies) + " copies, " +
            std::to_string(n_courses) + " courses",
        input.problems);
    return {dealii::Tensor<1, dim>()}; // to go on to the next mistake
  }
  const auto offset = input.vector<dim>(path + "Offset"),
             course_offset = input.vector<dim>(path + "Course offset"),
             shift = input.vector<dim>(path + "Alternate shift"),
             repetition_offset = input.vector<dim>(path + "Repetition offset");
  std::vector<dealii::Tensor<1, dim>> places;
  for (unsigned int r = 0; r < n_repetitions; ++r)
    for (unsigned int c = 0; c < n_courses; ++c)
      for (unsigned int k = 0; k + fewer * c < n_copies; ++k)
        places.push_back(static_cast<double>(k) * offset + static_cast<double>(c) * course_offset +
                         (c % 2 == 1 ? 1. : 0.) * shift +
                         static_cast<double>(r) * repetition_offset);
  return places;
}

template std::vector<dealii::Tensor<1, 2>> read_copies<2>(const CaseInput &, const std::string &);
template std::vector<dealii::Tensor<1, 3>> read_copies<3>(const CaseInput &, const std::string &);

} // namespace percussion
