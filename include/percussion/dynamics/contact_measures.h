#pragma once

#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/springs.h>

namespace percussion {

/// A substep that has been taken: what its contacts began with and did.
template <int dim>
struct ContactSubstep {
  const Interval &interval;
  const ContactList<dim> &found; ///< contacts at its beginning
  const PosedLaw<dim> &law;
  const Reaction &reaction;
  const Vector &v_theta;
  const std::vector<StoredEnergy> &stored; ///< by the springs of the law, one by one; may be empty
};

/// Measures how far the contacts of a substep are from their law, by positions and percussions at
/// both ends of it, whatever was forecast and solved; and accounts what each contact did. `state`
/// is that at the end, whose history remembers the gaps at which contacts close.
///
///     missed depth          max(0, −g1) − max(0, −g0) of points that no percussion held
///     relapse depth         missed depth of points that pressed in the substep before
///     drift                 g_c − g1 of contacts that press without interruption, g_c being the
///     gap
///                           at the end of the substep in which they closed; not of springs, whose
///                           depth is their law
///     pressing gap          min(g0, g1) of contacts that press, over ContactPoint::size
///     cone violation        max(‖p_T‖ − μ p_N, −p_N) over the largest percussion of the substep
///     slip direction error  ‖p_T + μ p_N û_T/‖û_T‖‖ / (μ p_N) of contacts that slip
///     resting work          |Σ u_θ,N p_N| over the strain energy where bodies are next to rest
template <int dim>
void measure_contacts(const ContactSubstep<dim> &substep, const Boundary<dim> &boundary,
                      State<dim> &state, StepRecord<dim> &record);

} // namespace percussion
