#pragma once

#include "parameter_sections.h"

namespace percussion {

/// Fastens the end of a link that an entry names: a rigid body, a region, or a fixed point if the
/// name is empty. Returns false if it is none of these, which is reported.
template <int dim>
bool fasten(const CaseInput &section, const std::string &entry, const std::string &name,
            const RigidNames &rigid, const Case<dim> &c, LinkEnd<dim> &end);

/// Returns the displacement or the velocity of an end at the start.
template <int dim>
dealii::Tensor<1, dim> initial_motion(const LinkEnd<dim> &end, const System<dim> &bodies,
                                      const Vector &field, bool is_velocity);

/// Returns the vector between both ends at the start.
template <int dim>
dealii::Tensor<1, dim> end_vector(const Link<dim> &link, const Case<dim> &c);

/// Reads the stiffness, the damping and the rest length of a spring; reports one without effect.
template <int dim>
void read_spring(const CaseInput &section, const Case<dim> &c, Link<dim> &spring);

} // namespace percussion
