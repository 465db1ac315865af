#include <percussion/base/error.h>
#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace percussion {
namespace {

/// Add what a part of a step did to what the parts before it did.
template <int dim>
void append(const StepRecord<dim> &part, StepRecord<dim> &all) {
  StepRecord<dim> sum = part;
  sum.works += all.works;
  sum.balance_residual += all.balance_residual;
  for (std::size_t i = 0; i < sum.percussion.size(); ++i)
    sum.percussion[i] += all.percussion[i];
  sum.normal_work_max = std::max(sum.normal_work_max, all.normal_work_max);
  sum.normal_work_min = std::min(sum.normal_work_min, all.normal_work_min);
  sum.tangential_work_max = std::max(sum.tangential_work_max, all.tangential_work_max);
  sum.tangential_work_min = std::min(sum.tangential_work_min, all.tangential_work_min);
  sum.solver_iterations += all.solver_iterations;
  sum.solver_residual = std::max(sum.solver_residual, all.solver_residual);
  sum.momentum_residual = std::max(sum.momentum_residual, all.momentum_residual);
  sum.changes = std::move(all.changes);
  sum.changes.insert(sum.changes.end(), part.changes.begin(), part.changes.end());
  sum.n_cuts = all.n_cuts;
  sum.n_parts = all.n_parts + 1;
  all = std::move(sum);
}

} // namespace

/// Another length does not help a linear body whose step has failed, unless the user says so: its
/// momentum is solved at once.
template <int dim>
bool Step<dim>::may_cut() const {
  return choices.max_cuts > 0 && (choices.adaptive || !balance->is_linear());
}

template <int dim>
const StepRecord<dim> &Step<dim>::advance(State<dim> &state, double t1) {
  const unsigned int whole = 1u << choices.max_cuts;
  if (!choices.adaptive || kept_width == 0)
    kept_width = whole;
  const bool is_done = kept_width == whole && try_part(state, choices.h, t1, !may_cut());
  if (!is_done && !may_cut())
    throw RunError(failure_message(state.step + 1, t1));
  if (!is_done)
    advance_in_parts(state, t1);
  state.step += 1;
  return record;
}

/// A step whose whole has failed, or is longer than the parts have become. The places of the parts
/// are counted in units of the smallest, 2^−max_cuts of the step.
template <int dim>
void Step<dim>::advance_in_parts(State<dim> &state, double t1) {
  const double t0 = state.time;
  const unsigned int whole = 1u << choices.max_cuts;
  parts = {};
  parts.percussion.resize(record.percussion.size());
  parts.n_parts = 0;
  unsigned int width = kept_width;
  if (width == whole)
    cut(width);
  try {
    for (unsigned int done = 0; done < whole;) {
      const double end = done + width == whole ? t1 : t0 + choices.h * (done + width) / whole;
      if (try_part(state, choices.h * width / whole, end, width == 1)) {
        append(record, parts);
        done += width;
        width = grown(width, done);
      } else if (width > 1)
        cut(width);
      else
        throw RunError(failure_message(state.step + 1, t1));
    }
  } catch (...) { // no cut helps, or a formula has no value
    tell_parts(state);
    throw;
  }
  kept_width = width;
  record = parts;
}

/// The part that has just failed is tried again at half its length, from the contacts before it.
template <int dim>
void Step<dim>::cut(unsigned int &width) {
  width /= 2;
  n_good = 0;
  ++parts.n_cuts;
  parts.changes.push_back("cut to 1/" + std::to_string((1u << choices.max_cuts) / width) + ": " +
                          failure);
  forget_contacts();
}

/// What an attempt that failed has left is not what has happened.
template <int dim>
void Step<dim>::forget_contacts() {
  record.percussion = warm_percussion;
  record.status = warm_status;
}

/// The length of the next part, after one that has succeeded.
template <int dim>
unsigned int Step<dim>::grown(unsigned int width, unsigned int done) {
  const unsigned int whole = 1u << choices.max_cuts;
  const auto fits = [&](unsigned int w) { return w <= whole && done % w == 0; };
  if (!choices.adaptive) {
    while (done < whole && fits(2 * width))
      width *= 2;
    return width;
  }
  if (++n_good < choices.grow_after || !fits(2 * width))
    return width;
  n_good = 0;
  parts.changes.push_back("grown to 1/" + std::to_string(whole / (2 * width)));
  return 2 * width;
}

/// What the parts of a step have done before one failed is told as a step.
template <int dim>
void Step<dim>::tell_parts(State<dim> &state) {
  if (parts.n_parts > 0) {
    record = parts;
    state.step += 1;
  } else {
    forget_contacts();
    record.changes = parts.changes;
    record.n_cuts = parts.n_cuts;
  }
}

/// One part, taken back where it fails, or where its energy error is too large and a smaller one is
/// possible. Without cuts an exception ends the run, and needs no copy of the state.
template <int dim>
bool Step<dim>::try_part(State<dim> &state, double length, double t1, bool is_smallest) {
  record.changes.clear();
  record.n_cuts = 0;
  record.n_parts = 1;
  std::optional<State<dim>> before;
  std::vector<SurfaceMotion<dim>> motion_before;
  if (may_cut()) {
    before = state;
    motion_before = surface_motion;
  }
  const auto take_back = [&] {
    state = *before;
    surface_motion = motion_before;
  };
  try {
    if (!attempt(state, length, t1))
      return false;
  } catch (...) {
    if (before)
      take_back();
    forget_contacts();
    throw;
  }
  const bool is_judged = std::isfinite(choices.energy_tolerance);
  const double scale = std::max(largest_energy, state.energy());
  // From rest there is nothing yet to measure an error by.
  if (is_judged && largest_energy > 0. && energy_error() > choices.energy_tolerance * scale) {
    std::ostringstream why;
    why << "energy error " << energy_error() / scale
        << " of the largest energy, above the tolerance " << choices.energy_tolerance;
    if (!is_smallest) {
      take_back();
      return fail(why.str());
    }
    record.changes.push_back("kept at its smallest: " + why.str());
  }
  largest_energy = scale;
  return true;
}

/// What the last part has made or lost by discretisation alone: what the balance does not close by,
/// numerical dissipation, and work that the contacts have given to the bodies. For a law that has
/// the energy theorem of AC24 at theta = 1/2 all three are round-off.
template <int dim>
double Step<dim>::energy_error() const {
  const Works &w = record.works;
  return std::abs(record.balance_residual) + std::abs(w.numerical) +
         std::max(0., w.contact_normal + w.contact_tangential);
}

template const StepRecord<2> &Step<2>::advance(State<2> &, double);
template bool Step<2>::may_cut() const;

} // namespace percussion
