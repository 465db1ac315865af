#include <percussion/dynamics/step.h>

#include <algorithm>
#include <cmath>

namespace percussion {

/// The candidates that take part in the step.
template <int dim>
void Step<dim>::forecast(const State<dim> &state) {
  record.active.clear();
  if (choices.forecast == Forecast::prediction) {
    midpoint = state.q;
    midpoint.add(h, state.v);
    contacts.evaluate(midpoint, end_time, predicted);
  }
  for (unsigned int i = 0; i < contacts.size(); ++i) {
    double g = state.gaps.distance[i];
    if (!state.gaps.is_near(i))
      continue;
    // Vertices of rigid bodies that have just come near have no history yet.
    if (choices.forecast == Forecast::leapfrog && std::isfinite(state.previous_gap[i]))
      g += 0.5 * h / state.previous_h * (g - state.previous_gap[i]);
    else if (choices.forecast == Forecast::prediction && predicted.is_near(i))
      g = predicted.distance[i];
    if (g <= contacts.points[i].tolerance)
      record.active.push_back(i);
  }
}

/// The forces of the step and the frames of its contacts.
template <int dim>
void Step<dim>::begin(const State<dim> &state) {
  const double theta = choices.theta;
  if (bodies.loads.depend_on_time())
    bodies.loads.evaluate(end_time, next_force);
  const double *const F0 = entries(state.force), *const F1 = entries(next_force);
  for (unsigned int i = 0; i < bodies.n_dofs(); ++i)
    entries(force_theta)[i] = (1. - theta) * F0[i] + theta * F1[i];
  for (unsigned int k = 0; k < contacts.pairs.size(); ++k)
    surface_motion[k].prepare_step(contacts.pairs[k].surface, end_time, h);
  balance->set_length(h);

  set_frames(state);
  // Where a prescribed motion takes all freedom from a normal, no percussion changes anything.
  const auto is_held = [&](unsigned int i) { return !contacts.can_yield(H, dim * i); };
  record.active.erase(std::remove_if(record.active.begin(), record.active.end(), is_held),
                      record.active.end());
}

/// The frames of the contacts, hence H.
template <int dim>
void Step<dim>::set_frames(const State<dim> &state) {
  if (contacts.constant_frames()) {
    frames.normal = state.gaps.normal;
    return;
  }
  if (choices.frames == Frames::start)
    frames = state.gaps;
  else {
    midpoint = state.q;
    midpoint.add(0.5 * h, state.v);
    contacts.evaluate(midpoint, 0.5 * (state.time + end_time), frames);
    // Other vertices may be nearest there: those that are at the beginning count.
    for (const unsigned int i : record.active)
      if (!frames.is_near(i))
        frames.take(i, state.gaps);
  }
  contacts.jacobian(frames, H);
  delassus_version = 0;
}

template void Step<2>::forecast(const State<2> &);
template void Step<2>::begin(const State<2> &);

} // namespace percussion
