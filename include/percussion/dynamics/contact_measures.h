#pragma once

#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/springs.h>

namespace percussion {

/// Completed substep: its initial contacts, its law and its reaction.
template <int dim>
struct ContactSubstep {
  const Interval &interval;
  const ContactList<dim> &found; ///< contacts at its beginning
  const PosedLaw<dim> &law;
  const Reaction &reaction;
  const TraceField &v_theta;               ///< mean velocity of the interval over the trace
  const std::vector<StoredEnergy> &stored; ///< energy stored by each spring; may be empty
  /// True if laws are for gaps at the end of the substep, see GapRows: u_N is no change of a gap.
  bool has_end_rows = false;
};

/// Measures the deviation of the contacts of a substep from their law, based on positions and
/// percussions at both ends and independent of forecast and solver, and accounts for the works of
/// each contact. `state` is the state at the end. Writes the gaps at which contacts close and the
/// number of their reversals to its history.
///
///     missed depth          max(0, −g1) − max(0, −g0) of points without percussion
///     relapse depth         missed depth of points that pressed in the substep before
///     drift                 g_c − g1 of contacts that press without interruption; g_c is the gap
///                           at the end of the substep in which they closed; not for springs,
///                           whose depth is their law
///     pressing gap          min(g0, g1) of contacts that press, over ContactPoint::size
///     cone violation        max(‖p_T‖ − μ p_N, −p_N) over the largest percussion of the substep
///     slip direction error  ‖p_T + μ p_N û_T/‖û_T‖‖ / (μ p_N) of contacts that slip
///     resting work          |Σ u_θ,N p_N| over the strain energy if bodies are nearly at rest
template <int dim>
void measure_contacts(const ContactSubstep<dim> &substep, const Boundary<dim> &boundary,
                      State<dim> &state, StepRecord<dim> &record);

} // namespace percussion
