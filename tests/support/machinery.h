#pragma once

#include <percussion/dynamics/advance_substep.h>
#include <percussion/dynamics/choose_contact_route.h>
#include <percussion/dynamics/position_projection.h>

namespace percussion::test {

/// Returns the components of a substep of a started block or other bodies with these members, with
/// another solver of the contacts. The state of the bodies is completed.
template <int dim, typename Bodies>
std::unique_ptr<Machinery<dim>> machinery(Bodies &of,
                                          std::unique_ptr<ReactionSolver<dim>> reaction) {
  auto made = std::unique_ptr<Machinery<dim>>(new Machinery<dim>{
      *of.bodies,
      *of.boundary,
      of.choices,
      ContactFinder<dim>(*of.boundary),
      make_momentum(*of.bodies, of.choices, of.boundary->trace,
                    choose_contact_route(*of.bodies, of.choices, of.boundary->trace.n_elastic(),
                                         of.boundary->projectable())),
      std::move(reaction),
      Vector(of.bodies->n_dofs()),
      of.state.force,
      {}});
  made->momentum->balance().complete(of.state);
  return made;
}

} // namespace percussion::test
