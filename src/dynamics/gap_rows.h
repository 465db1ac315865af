// Rows of contacts that follow their gaps over a substep.

#pragma once

#include <percussion/dynamics/posed_law.h>

#include <optional>

namespace percussion {

/// Gaps that the row of a contact follows.
struct RowTarget {
  /// Change of the gap over the motion that the row gives [length]; none if the row stays.
  std::optional<double> change;
  double end_gap = 0;      ///< gap of the law at the end of the motion [length]
  bool is_for_end = false; ///< true if the law is for the gap at the end
  /// True if the law is for the gap at the end, where the point has no opposite face.
  bool is_uncovered = false;
};

/// Contacts of a substep with rows for a motion that they have reached. The normal row of a contact
/// whose gap is not linear gives the change of its gap, u_N = (g1 − g0)/h (BBDM24 (3.6)), so that a
/// closed contact keeps its gap over any distance that it slides.
///
/// Without inertia the law is for the gap at the end instead: frames at x1 and the offset (g1 − row
/// · D)/h, which solves g1 ≥ 0 by Newton steps. A point that has left its opposite face by then has
/// no law: its force would be none of the equilibrium at x1. With inertia an overlap that has been
/// caught stays, because pushing it out would create energy.
template <int dim>
struct GapRows {
  ContactList<dim> contacts;
  std::vector<RowTarget> targets; ///< target of each contact
};

/// True if the rows of a pair follow its gaps: elastic bodies on curved surfaces, on rigid bodies
/// or on each other, and rigid bodies on elastic ones.
template <int dim>
bool follows_gaps(const ContactPair<dim> &pair, const StepChoices &choices);

/// Largest gap of a lasting contact, relative to the size of the point.
constexpr double largest_lasting_gap = 1e-3;

/// Largest depth that sliding gives back, relative to the size of the point.
constexpr double largest_returned_depth = 0.1;

/// True if sliding gives back the depths at which it has covered points of a pair
/// (ContactMemory::covered_depth): if rows with a law for velocities follow its gaps, except with
/// nodes of both sides.
template <int dim>
bool returns_depths(const ContactPair<dim> &pair, const StepChoices &choices);

/// Returns the depth of a contact at the beginning of a substep that sliding is to give back.
/// @param memory memory of the contact, or null
template <int dim>
double depth_to_return(const Contact<dim> &begin, const ContactMemory<dim> *memory);

/// Returns the part of it that a motion gives back [length]. The row gives the change of the gap
/// without this part, so that a closed contact rises by it without work: its force leans against
/// the sliding, by about a tenth. The first and the last part are halves of the others: with θ = ½
/// the contact then rises at a constant velocity and is at rest afterwards. The velocities of its
/// nodes would alternate if it rose in one step.
/// @param begin  contact at the beginning of the substep, of a pair for which returns_depths()
/// @param memory its memory, or null
/// @param active active contacts, which it is one of
template <int dim>
double returned_depth(const Contact<dim> &begin, const ContactMemory<dim> *memory,
                      const ContactList<dim> &active, const TraceField &v_theta,
                      const ContactSetting<dim> &setting);

/// True if the law of contacts that follow their gaps is for the gap at the end of the step.
bool has_end_rows(const StepChoices &choices);

/// Returns (g1 − g0)/h of the contacts of a law for the gap at the end of a step [velocity], from
/// the contacts found at both ends; a contact that its step has covered begins closed. None of
/// other contacts.
template <int dim>
std::vector<std::optional<double>>
rates_of_gaps(const ContactList<dim> &active, const ContactList<dim> &begin,
              const ContactList<dim> &end, double h, const Boundary<dim> &boundary,
              const StepChoices &choices);

/// Returns the rate of a gap that rows follow at the beginning of the step, by the row there; none
/// for other contacts. The row in the middle of the step has another rate there, by h times the
/// curvature of the path, which is no impact: a law with e = 0 would let the gap fall by it.
template <int dim>
std::optional<double> start_rate(const Contact<dim> &contact, const TraceField &v0,
                                 const ContactSetting<dim> &setting);

/// True if contacts of a pair may be lasting ones: if rows with a law for velocities follow its
/// gaps, except with nodes of both sides, whose contacts are redundant.
template <int dim>
bool may_last(const ContactPair<dim> &pair, const StepChoices &choices);

/// True for a lasting contact: of a pair for which may_last(), it has pressed, and its gap has
/// stayed small since. It gets no deeper, and to press again is no impact. A point that a vibration
/// opens for a step would otherwise fall back to a depth above the indentation, and a law with e =
/// 0 would let it sink by half of its approach.
/// @param memory memory of the contact, or null
template <int dim>
bool is_lasting(const Contact<dim> &contact, const ContactMemory<dim> *memory,
                const ContactSetting<dim> &setting);

/// True for a lasting contact without restitution: it stays in the law, and may close its gap,
/// which costs the energy p g/h. With restitution it joins the law in steps in which it would
/// penetrate, and keeps its gap without work.
template <int dim>
bool closes_again(const Contact<dim> &contact, const ContactMemory<dim> *memory,
                  const ContactSetting<dim> &setting);

/// Contacts at the middle and at the end of a motion.
template <int dim>
struct ReachedContacts {
  ContactList<dim> middle, end;
};

/// Finds the contacts at the end of a step with the mean velocity v_θ, with the gradients of their
/// gaps or without.
template <int dim>
ContactList<dim> contacts_at_end(const ContactList<dim> &active, const TraceField &v_theta,
                                 bool has_gradients, const ContactSetting<dim> &setting);

/// Finds the contacts in the middle of a step with the mean velocity v_θ.
template <int dim>
ContactList<dim> contacts_at_middle(const ContactList<dim> &active, const TraceField &v_theta,
                                    const ContactSetting<dim> &setting);

/// True if a contact at the end of the step overlaps that had no contact at its beginning.
template <int dim>
bool has_newly_covered(const ContactList<dim> &end, const ContactSetting<dim> &setting);

/// Returns the contacts that a body has come to cover within the step: their points had no contact
/// with the opposite side at x0, and overlap it at x1. They are closed at the beginning of the
/// step, or at half of the depth if the next step gives back the other half (returns_depths()).
/// Without a law in the step they would be caught at a depth.
template <int dim>
ContactList<dim> newly_covered(const ReachedContacts<dim> &reached, const TraceField &v_theta,
                               const ContactSetting<dim> &setting);

/// Returns the rows of the active contacts for a motion. Contacts that do not follow their gaps
/// keep the frames and supports of the law posed last.
template <int dim>
GapRows<dim> gap_rows(const ContactList<dim> &active, const ContactList<dim> &posed,
                      const ReachedContacts<dim> &reached, const TraceField &v_theta,
                      const ContactSetting<dim> &setting);

/// Returns the contacts of the rows, with the offsets of laws for the gap at the end.
template <int dim>
FramedContacts<dim> framed_contacts(GapRows<dim> rows, const TraceField &v_theta,
                                    const ContactSetting<dim> &setting);

/// Returns the largest difference, relative to the local size, between the change of a gap that a
/// solved law gives and the change that has been found, over the contacts that press or close
/// [1]. There is a target for each active contact, and these include all contacts of the law.
template <int dim>
double gap_mismatch(const PosedLaw<dim> &law, const std::vector<double> &p,
                    const TraceField &v_theta, const ContactList<dim> &active,
                    const std::vector<RowTarget> &targets, const ContactSetting<dim> &setting);

/// Returns the same from the gaps at the end alone, which decides without rows in the middle of the
/// step; nothing if the law is for the gap at the end, or if a contact that presses has no gap
/// there.
template <int dim>
std::optional<double>
mismatch_of_end_gaps(const PosedLaw<dim> &law, const std::vector<double> &p,
                     const TraceField &v_theta, const ContactList<dim> &active,
                     const ContactList<dim> &end, const ContactSetting<dim> &setting);

} // namespace percussion
