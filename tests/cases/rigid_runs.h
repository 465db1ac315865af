#pragma once

#include "cases/stepped.h"
#include "cases/support.h"
#include <algorithm>
#include <cmath>
#include <filesystem>

/// Cases of rigid bodies given by their text.
namespace rigid_runs {

using namespace percussion;
using cases_in_space::Assignments;
using cases_in_space::Stepped;

/// Returns a case given by its text.
template <int dim>
Stepped<dim> stepped(const std::string &text, const Assignments &assignments = {}) {
  const test::ScratchFolder folder;
  test::put(folder / "case.prm", text);
  auto file = ParameterFile::read(folder / "case.prm");
  return Stepped<dim>(cases_in_space::build<dim>(std::move(file), assignments));
}

template <int dim>
const double *velocity(const Stepped<dim> &run, unsigned int body) {
  return run.state.v.data() + run.c.bodies->rigid_dof(body);
}
template <int dim>
const double *displacement(const Stepped<dim> &run, unsigned int body) {
  return run.state.q.data() + run.c.bodies->rigid_dof(body);
}

/// Returns the largest velocity of a centre.
template <int dim>
double largest_velocity(const Stepped<dim> &run) {
  double largest = 0;
  for (unsigned int b = 0; b < run.c.bodies->rigid.size(); ++b)
    for (unsigned int d = 0; d < dim; ++d)
      largest = std::max(largest, std::abs(velocity(run, b)[d]));
  return largest;
}

inline const std::string moving = R"(subsection Time
  set Scheme = moreau-jean-fremond
  set Step = 1e-3
  set End = 1
  set Theta = 0.5
end
)";

/// Returns a brick that slides over the inside of a sphere; the case has no Time section.
inline std::string brick_in_a_bowl(const std::string &brick_entries,
                                   const std::string &ground_entries) {
  return R"(subsection Rigid bodies
  subsection brick
    set Shape = box
    set Size = 0.5, 0.3, 0.2
    set Density = 1
    set Position = 0, 0.2, -1.8
    set Initial velocity = 1, 0.5, -1
)" + brick_entries +
         R"(  end
end
subsection Boundary conditions
  set Gravity = 0, 0, -10
end
subsection Contact
  subsection ground
    set Bodies = brick
    set Surface = inside of sphere
    set Radius = 2
)" + ground_entries +
         R"(  end
end
)";
}

/// Returns contacts of all bodies with the ground, z = 0 or y = 0, and with each other.
inline std::string contacts(const std::string &friction, const std::string &choice) {
  return "subsection Contact\n" + choice + R"(
  subsection ground
    set Bodies = all
    set Surface = half-space
    set Friction coefficient = )" +
         friction + R"(
  end
  subsection each other
    set Bodies = all
    set Surface = rigid bodies
    set Against = all
    set Friction coefficient = )" +
         friction + R"(
  end
end
)";
}

} // namespace rigid_runs
