#include <percussion/base/instantiate.h>
#include <percussion/dynamics/friction.h>

#include "../contact/secant_row.h"
#include "gap_rows.h"
#include "solve_law.h"
#include "substep.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace percussion {
namespace {

/// Returns the velocities of the contacts relative to the opposite sides.
template <int dim>
std::vector<double> velocities(const PosedLaw<dim> &law, const TraceField &v) {
  std::vector<double> u(law.H.n_rows());
  for (unsigned int row = 0; row < u.size(); ++row)
    u[row] = law.rows().row_times(row, v) - law.surface[row];
  return u;
}

/// Corrections of an interval so far.
struct Course {
  unsigned int n_started = 0;   ///< number of corrections
  unsigned int last_change = 0; ///< last correction that has changed restitutions; 0: none
  bool is_law_new = false;      ///< true if the next correction is the first with changed ones
  bool has_left_cones = false;  ///< true if mixing has moved the last percussions out of the cones
  double excess = 0;            ///< BalanceVerdict::excess after the last correction
};

/// Returns the largest distance of a percussion from its friction cone, or of a slipping one from
/// the surface of the cone, relative to the largest component of all percussions [1].
template <int dim>
double distance_from_cones(const PosedLaw<dim> &law, const std::vector<ContactStatus> &status,
                           const std::vector<double> &p) {
  double distance = 0, largest = 0;
  for (std::size_t i = 0; i < status.size(); ++i) {
    double square = 0;
    for (unsigned int t = 1; t < dim; ++t)
      square += p[dim * i + t] * p[dim * i + t];
    const double normal = p[dim * i], tangential = std::sqrt(square),
                 excess = tangential - law.mu[i] * normal;
    distance =
        std::max({distance, status[i] == ContactStatus::slip ? std::abs(excess) : excess, -normal});
    largest = std::max({largest, std::abs(normal), tangential});
  }
  return largest > 0. ? distance / largest : 0.;
}

/// True if mixing has moved percussions that solve the law out of the friction cones. Combinations
/// of percussions satisfy the law to first order only: the direction of slip may turn, and if
/// joints or other contacts hold a body as well, percussions of the same velocities are not unique.
template <int dim>
bool leaves_cones(const PosedLaw<dim> &law, const Reaction &reaction,
                  const std::vector<double> &solved) {
  constexpr double tolerance = 1e-11;
  return reaction.p != solved && distance_from_cones(law, reaction.status, reaction.p) >
                                     distance_from_cones(law, reaction.status, solved) + tolerance;
}

/// Returns the stage of a correction: signs of contact works are final if the balance is linear, or
/// if its last residual is small. Another restitution changes less than a step, relative to which
/// residuals are measured. A correction is inexact unless it meets the balance if it reduces the
/// residual as much as the last one.
template <int dim>
CorrectionStage stage_of(const Course &course, const Momentum<dim> &momentum,
                         const StepChoices &choices) {
  constexpr double reduction = 1e-2, slow = 0.5, small_residual_after_change = 1e-3;
  const bool is_first = course.n_started == 1;
  if (!momentum.balance().is_nonlinear())
    return {is_first};
  const std::vector<double> &residuals = momentum.residuals();
  const double residual = residuals.empty() ? 1. : residuals.back();
  const double previous = residuals.size() < 2 ? residual : residuals.end()[-2];
  const double ratio =
      previous > 0. ? residual / previous : std::numeric_limits<double>::infinity();
  const double small =
      course.last_change > 0 ? small_residual_after_change : CorrectionStage::small_residual;
  const bool is_preliminary = reduction * residual > choices.newton_tolerance;
  const bool is_last =
      ratio > slow || residual <= choices.newton_tolerance || ratio * course.excess <= 1.;
  return {is_first, residual < small, false, is_preliminary,
          is_preliminary || !is_last ? reduction : 0.};
}

/// Corrects v_θ by the percussions of contacts and bonds. If the momentum changes percussions,
/// the percussions of contacts take the change.
template <int dim>
std::optional<Failure> correct(Momentum<dim> &momentum, const PosedLaw<dim> &law,
                               const ContactProgress &progress, Reaction &reaction) {
  if (reaction.bond.empty())
    return momentum.correct(law.H, progress, reaction.p);
  const std::vector<double> posed_percussions = reaction.total_percussions();
  std::vector<double> total = posed_percussions;
  const auto failure = momentum.correct(law.H, progress, total);
  for (std::size_t r = 0; r < total.size(); ++r)
    reaction.p[r] += total[r] - posed_percussions[r];
  return failure;
}

/// Start of the corrections of a substep.
enum class Start {
  rest,     ///< zero velocity, see Momentum
  last_law, ///< velocities and percussions of the last law, from which the law hardly differs
};

/// True if v_θ and percussions of another law are a start of the corrections: one correction then
/// takes both from law to law.
template <int dim>
bool may_start_from_last(const PosedLaw<dim> &law, const Momentum<dim> &momentum) {
  return momentum.balance().is_nonlinear() && law.bonds.empty() && law.rates.empty() &&
         law.moments.empty() && law.springs.empty();
}

/// Begins the balance of a substep, and applies the first percussions.
template <int dim>
std::optional<Failure> begin(Substep<dim> &s, Start start) {
  Machinery<dim> &m = s.machinery;
  Momentum<dim> &momentum = *m.momentum;
  const bool starts_from_last = start == Start::last_law && may_start_from_last(s.law, momentum);
  s.reaction = first_reaction(s.law);
  std::optional<Failure> failure = starts_from_last
                                       ? momentum.begin_again()
                                       : momentum.begin(s.state, s.interval, m.force_theta);
  m.reaction->prepare(s.law, momentum.system());
  if (!failure)
    failure = momentum.set_contact_entries(s.law.H.entries);
  if (!failure && starts_from_last) {
    s.reaction.p = s.law.guesses.last.p;
    momentum.apply(s.law.H, s.reaction.p);
  }
  return failure;
}

/// Corrects v_θ until the momentum is balanced and the contacts satisfy their law. Other
/// restitutions make another law, for which corrections are counted again: changing one contact may
/// require changing its neighbour, all along a row of contacts.
template <int dim>
std::optional<Failure> solve(Substep<dim> &s, Start start = Start::rest) {
  Machinery<dim> &m = s.machinery;
  Momentum<dim> &momentum = *m.momentum;
  const PosedLaw<dim> &law = s.law;
  Reaction &reaction = s.reaction;
  std::optional<Failure> failure = begin(s, start);
  Course course;
  while (!failure && course.n_started - course.last_change < m.choices.max_newton_iterations) {
    const unsigned int k = ++course.n_started;
    momentum.start_correction();
    const auto u = velocities(law, momentum.free_velocity());
    m.stopwatch.lap(Phase::pose);
    const std::vector<TangentialRestitution> last_restitution = reaction.restitution;
    const std::vector<ContactStatus> last_status = reaction.status;
    const bool was_preliminary = reaction.is_preliminary;
    failure = solve_law(law, u, *m.reaction, momentum.system(),
                        stage_of(course, momentum, m.choices), reaction);
    m.stopwatch.lap(Phase::solve);
    if (failure)
      return failure;
    // A preliminary solution leaves the law of changed restitutions to the next correction.
    const bool has_changed = reaction.restitution != last_restitution;
    const bool has_other_conditions = course.has_left_cones || reaction.status != last_status;
    ContactProgress progress{reaction.converged,
                             course.is_law_new || (has_changed && !reaction.is_preliminary),
                             has_other_conditions || (was_preliminary && !reaction.is_preliminary)};
    course.is_law_new = has_changed && reaction.is_preliminary;
    if (has_changed)
      course.last_change = k;
    if (!reaction.friction.empty())
      s.law.mu = reaction.friction;
    const std::vector<double> solved = reaction.p;
    failure = correct(momentum, law, progress, reaction);
    if (failure)
      return failure;
    progress.converged =
        progress.converged && !reaction.awaits_restitutions && !reaction.is_preliminary;
    const BalanceVerdict verdict = momentum.judge(progress);
    course.excess = verdict.excess;
    m.stopwatch.lap(Phase::advance);
    s.record.solver_iterations = momentum.residuals().empty() ? reaction.iterations : k;
    if (verdict.failure)
      return verdict.failure;
    course.has_left_cones = verdict.is_satisfied && leaves_cones(law, reaction, solved);
    if (verdict.is_satisfied && !course.has_left_cones)
      return {};
  }
  if (failure)
    return failure;
  return Failure{"the momentum is not balanced to the tolerance, or the statuses of the contacts "
                 "have not converged, after " +
                 std::to_string(m.choices.max_newton_iterations) + " iterations"};
}

/// Repeats a substep with the frames at its reached midpoint until the frames stay. Contacts that
/// alternate between facets may prevent this; the energy balance closes in any case.
template <int dim>
std::optional<Failure> iterate_frames(Substep<dim> &s) {
  constexpr unsigned int most_repetitions = 12;
  constexpr double tolerance = 1e-13;
  for (unsigned int k = 0; k < most_repetitions && s.law.H.n_rows() > 0; ++k) {
    const TraceField v_theta = s.machinery.momentum->velocity_on_trace();
    auto reached = s.pose(s.machinery.choices, &v_theta);
    s.machinery.stopwatch.lap(Phase::search);
    if (reached.H.is_near(s.law.H, tolerance))
      return {};
    if (reached.guesses.first.p.size() == s.reaction.p.size()) {
      reached.guesses.first = first_solution(s.reaction);
      reached.guesses.last = {s.reaction.p, s.reaction.status};
    }
    s.law = std::move(reached);
    if (auto failure = solve(s))
      return failure;
  }
  return {};
}

/// Uses the solutions of one law as the initial guesses of another.
template <int dim>
void guess_from(const PosedLaw<dim> &law, const Reaction &reaction, PosedLaw<dim> &next) {
  const auto copy = [](const ReactionGuess &from, std::size_t j, std::size_t i, ReactionGuess &to) {
    std::copy_n(from.p.begin() + static_cast<std::ptrdiff_t>(dim * j), dim,
                to.p.begin() + static_cast<std::ptrdiff_t>(dim * i));
    to.status[i] = from.status[j];
  };
  const ReactionGuess first = first_solution(reaction), last = {reaction.p, reaction.status};
  for (std::size_t i = 0, j = 0; i < next.active.contacts.size(); ++i) {
    const ContactKey &key = next.active.contacts[i].key;
    while (j < law.active.contacts.size() && law.active.contacts[j].key < key)
      ++j;
    if (j == law.active.contacts.size() || !(law.active.contacts[j].key == key))
      continue;
    copy(first, j, i, next.guesses.first);
    copy(last, j, i, next.guesses.last);
  }
}

/// Solves the law, and repeats the solution with another method for the contacts if there is one,
/// and with a new factor if the factor of another step fails.
template <int dim>
std::optional<Failure> solve_or_renew(Substep<dim> &s) {
  Momentum<dim> &momentum = *s.machinery.momentum;
  auto failure = solve(s);
  if (failure && s.machinery.reaction->fall_back(momentum.system()))
    failure = solve(s);
  if (failure && momentum.balance().renew())
    failure = solve(s);
  return failure;
}

/// Solves another law of the same substep.
template <int dim>
std::optional<Failure> solve_again(Substep<dim> &s) {
  if (may_start_from_last(s.law, *s.machinery.momentum) && !solve(s, Start::last_law))
    return {};
  return solve_or_renew(s);
}

/// Adds contacts that have become covered to the state and to the active contacts.
template <int dim>
void add_covered(const ContactList<dim> &covered, Substep<dim> &s) {
  const auto insert = [](const Contact<dim> &contact, const ContactList<dim> &source,
                         ContactList<dim> &list) {
    list.add(contact, source);
    std::inplace_merge(list.contacts.begin(), list.contacts.end() - 1, list.contacts.end(),
                       [](const auto &a, const auto &b) { return a.key < b.key; });
  };
  for (const Contact<dim> &contact : covered.contacts) {
    insert(contact, covered, s.state.found);
    insert(contact, covered, s.active);
    s.covered.push_back(contact.key);
  }
}

/// Repeats a substep with rows that give the changes of gaps which it has reached, until they stay.
/// The energy balance closes after any number of repetitions; what remains is drift. Once the drift
/// falls by less than a half, rows are for the mean of the last motions, because motions may
/// alternate; from the eighth repetition on, the list of contacts stays. Contacts that jump between
/// facets may prevent a fixed point.
template <int dim>
std::optional<Failure> iterate_rows(Substep<dim> &s) {
  constexpr unsigned int max_repetitions = 25, last_covering = 8;
  const StepChoices &choices = s.machinery.choices;
  // An error of the gap changes forces of laws for gaps by its product with the mass over h².
  const double tolerance = choices.gap == GapLaw::rate ? 1e-11 : 1e-12;
  const auto &pairs = s.machinery.boundary.pairs;
  if (std::none_of(pairs.begin(), pairs.end(),
                   [&](const ContactPair<dim> &pair) { return follows_gaps(pair, choices); }))
    return {};
  TraceField motion;
  double last_mismatch = std::numeric_limits<double>::infinity();
  bool alternates = false;
  for (unsigned int k = 1; k <= max_repetitions; ++k) {
    const TraceField v_theta = s.machinery.momentum->velocity_on_trace();
    const TraceField last = std::exchange(motion, v_theta);
    for (std::size_t i = 0; alternates && i < motion.size(); ++i)
      motion[i] = 0.5 * (last[i] + v_theta[i]);
    const auto setting = s.setting(choices);
    // A motion that repeats is likely the last: its contacts at the end are found again there.
    ContactList<dim> end =
        contacts_at_end(s.active, motion, k > 1 || has_end_rows(choices), setting);
    const bool may_cover = k < last_covering && has_newly_covered(end, setting);
    if (const auto mismatch =
            mismatch_of_end_gaps(s.law, s.reaction.p, v_theta, s.active, end, setting);
        !may_cover && mismatch && *mismatch <= tolerance) {
      s.machinery.stopwatch.lap(Phase::search);
      return {};
    }
    ReachedContacts<dim> reached{{}, std::move(end)};
    if (may_cover || !has_end_rows(choices))
      reached.middle = contacts_at_middle(s.active, motion, setting);
    const ContactList<dim> covered =
        may_cover ? newly_covered(reached, motion, setting) : ContactList<dim>();
    add_covered(covered, s);
    GapRows<dim> rows = gap_rows(s.active, s.law.active, reached, motion, setting);
    s.machinery.stopwatch.lap(Phase::search);
    const double mismatch =
        gap_mismatch(s.law, s.reaction.p, v_theta, s.active, rows.targets, setting);
    if (covered.contacts.empty() && mismatch <= tolerance)
      return {};
    alternates = alternates || mismatch > 0.5 * last_mismatch;
    last_mismatch = mismatch;
    PosedLaw<dim> law = pose_framed_law(framed_contacts(std::move(rows), motion, setting), setting);
    guess_from(s.law, s.reaction, law);
    const PosedLaw<dim> solved = std::exchange(s.law, std::move(law));
    if (solve_again(s)) {
      s.law = solved; // its balance closes
      return solve_or_renew(s);
    }
  }
  return {};
}

/// Keeps the contacts that press under Signorini's law at the end of the step, to solve another law
/// for them (Ayyad & Barboteu 2009).
template <int dim>
std::optional<Failure> keep_pressing(Substep<dim> &s) {
  StepChoices choices = s.machinery.choices;
  choices.gap = GapLaw::end;
  s.law = s.pose(choices);
  auto failure = solve_or_renew(s);
  ContactList<dim> pressing;
  for (std::size_t i = 0; !failure && i < s.law.active.contacts.size(); ++i)
    if (s.reaction.p[dim * i] > 0.)
      pressing.add(*s.active.find(s.law.active.contacts[i].key), s.active);
  s.active = std::move(pressing);
  return failure;
}

} // namespace

/// The law is solved again with all contacts that would otherwise penetrate at the end of the
/// interval, until there are none: with Forecast::closing all contacts, otherwise lasting ones.
/// Their number only grows.
template <int dim>
std::optional<Failure> solve_substep(Substep<dim> &s) {
  Machinery<dim> &m = s.machinery;
  if (m.choices.forecast == Forecast::trial)
    if (auto failure = keep_pressing(s))
      return failure;
  s.law = s.pose(m.choices);
  m.stopwatch.lap(Phase::search);
  for (;;) {
    auto failure = solve_or_renew(s);
    if (failure && omit_gradients(s.active, m.boundary.trace.n_elastic())) {
      // Statuses may cycle where the gradients of gaps contain the motion of clip points.
      s.law = s.pose(m.choices);
      failure = solve_or_renew(s);
    }
    if (!failure)
      failure = m.choices.normal_rows == NormalRows::frames && m.choices.frames == Frames::reached
                    ? iterate_frames(s)
                    : iterate_rows(s);
    if (failure)
      return failure;
    const bool is_larger =
        add_closing(s.active, m.momentum->velocity_on_trace(), s.setting(m.choices));
    m.stopwatch.lap(Phase::search);
    if (!is_larger)
      return {};
    auto next = s.pose(m.choices);
    guess_from(s.law, s.reaction, next);
    s.law = std::move(next);
    m.stopwatch.lap(Phase::search);
  }
}

PERCUSSION_INSTANTIATE(solve_substep);

} // namespace percussion
