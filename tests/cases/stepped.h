#pragma once

#include <percussion/run/run.h>

#include <string>
#include <utility>
#include <vector>

namespace cases_in_space { // separates names from the 2D tests in unity builds

using namespace percussion;
using Assignments = std::vector<std::string>;

template <int dim>
Case<dim> build(ParameterFile file, const Assignments &assignments = {}) {
  for (const auto &assignment : assignments)
    file.override_with(assignment);
  return build_case<dim>(Parameters(declare_case(&file), file), file);
}

/// Case taken step by step.
template <int dim>
struct Stepped {
  explicit Stepped(Case<dim> the_case)
      : c(std::move(the_case)), step(*c.bodies, *c.boundary, c.choices, c.cone), state(c.initial) {
    step.initialise(state);
  }
  const StepRecord<dim> &advance() {
    return step.advance(state, c.span.start + (state.step + 1) * c.choices.h);
  }

  Case<dim> c;
  Step<dim> step;
  State<dim> state;
};

} // namespace cases_in_space
