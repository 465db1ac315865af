#pragma once

#include <percussion/dynamics/momentum.h>
#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>

namespace percussion {

/// What the contacts did in an interval, and their works: of each Σ u_θ,N p_N and Σ u_θ,T · p_T
/// with the velocity relative to what it touches, and Σ p · w of moving surfaces (AC24 (65)–(67),
/// BBDM24 (3.8)).
template <int dim>
void account_contacts(const PosedLaw<dim> &law, const Reaction &reaction, const Vector &v_theta,
                      StepRecord<dim> &record);

/// What the points of contacts between bodies give to the nodes of elastic bodies that they touch.
template <int dim>
std::vector<TouchedNode<dim>> touched_nodes(const PosedLaw<dim> &law, const Reaction &reaction,
                                            const Boundary<dim> &boundary);

/// Work of the impulses r − Hᵀ p that hold the prescribed degrees of freedom in their motion.
template <int dim>
double work_of_reactions(const PosedLaw<dim> &law, const Reaction &reaction,
                         const Momentum<dim> &momentum, const PrescribedMotion<dim> &motion);

/// The deepest penetration of these contacts [length].
template <int dim>
double deepest(const ContactList<dim> &found);

} // namespace percussion
