#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <set>
#include <string>
#include <vector>

namespace percussion {

/// Counter of the steps in which contacts press each body.
template <int dim>
class PressedBodies {
public:
  /// Prepares the counter. The boundary must outlive it.
  explicit PressedBodies(const Boundary<dim> &all);

  /// Adds a step to the numbers of steps: elastic bodies first, then rigid bodies.
  void add(const StepRecord<dim> &record, std::vector<unsigned int> &steps) const;

private:
  const Boundary<dim> &boundary;
  std::vector<std::set<std::size_t>> facet_bodies; ///< elastic bodies of Boundary::facets
};

/// Returns a sentence on bodies that may be in contact, are free to move and have met nothing in a
/// complete run in which other bodies have met; empty if there are none. A body is left out if its
/// velocity would bring it to a body or surface of its contacts in a run as long again: the run has
/// only ended too early for it.
template <int dim>
std::string idle_bodies(const Case<dim> &c, const State<dim> &state,
                        const std::vector<unsigned int> &steps);

} // namespace percussion
