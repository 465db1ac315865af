#include <percussion/output/contact_table.h>
#include <percussion/output/probes.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

constexpr const char *component_names[] = {"x", "y", "z"};

/// Returns the number of stored values of a probe.
template <int dim>
unsigned int n_stored_values(ProbeKind kind) {
  switch (kind) {
  case ProbeKind::acceleration:
    return 2 * dim; // velocity, acceleration
  case ProbeKind::percussion:
  case ProbeKind::force:
    return dim + 1; // impulse, sum of normal percussions
  case ProbeKind::moment:
    return dim * (dim - 1) / 2;
  case ProbeKind::limit:
  case ProbeKind::friction: // of the coordinates of a joint, two at most
  case ProbeKind::work:
  case ProbeKind::defects:
    return 2;
  case ProbeKind::slip:
    return 1;
  default:
    return 0;
  }
}

/// True if a probe records limits or friction of a joint.
bool is_of_bounds(ProbeKind kind) {
  return kind == ProbeKind::limit || kind == ProbeKind::friction;
}

/// True if a probe adds up impulses since the previous row.
bool is_sum(ProbeKind kind) {
  return (kind >= ProbeKind::percussion && kind <= ProbeKind::moment) || is_of_bounds(kind);
}

/// True if a point belongs to the second side of its pair: percussions on it count with the
/// opposite sign. Boundary describes how the sides are distinguished.
template <int dim>
bool is_on_opposite_side(const ContactPair<dim> &pair, const ContactPoint<dim> &point) {
  if (pair.is_on_faces())
    return point.own_facets &&
           (!point.opposite_facets || point.own_facets->facets < *point.opposite_facets);
  const auto &bodies = pair.bodies();
  return point.rigid_point() && !pair.opposite_bodies().empty() &&
         std::find(bodies.begin(), bodies.end(), point.rigid_point()->body) == bodies.end();
}

} // namespace

const std::vector<ProbeKindEntry> &probe_kinds() {
  static const std::vector<ProbeKindEntry> table = {
      {ProbeKind::displacement, "displacement", "change of the position of a point"},
      {ProbeKind::velocity, "velocity", "rate of the displacement of a point"},
      {ProbeKind::acceleration, "acceleration",
       "change of velocity in the last step over its length"},
      {ProbeKind::momentum, "momentum", "mass of a body times its mean velocity"},
      {ProbeKind::stress, "stress", "Cauchy and von Mises stress in the cell around a point"},
      {ProbeKind::percussion, "percussion",
       "impulse since the previous row on contacts, on nodes or a body with prescribed motion, or "
       "on the second body of a joint"},
      {ProbeKind::force, "force", "percussion divided by the time since the previous row"},
      {ProbeKind::moment, "moment",
       "mean moment of a joint on its second body about its end there"},
      {ProbeKind::coordinate, "coordinate",
       "angle, displacement or length of a joint, as far as its kind leaves them free or a motor "
       "prescribes them"},
      {ProbeKind::limit, "limit",
       "mean force or torque of the limits of each coordinate of a joint, positive if it increases "
       "the coordinate"},
      {ProbeKind::friction, "friction", "the same of friction"},
      {ProbeKind::gap, "gap", "smallest gap of the contacts, inf if no contact is near"},
      {ProbeKind::work, "work",
       "work of the normal and of the tangential percussions since the start"},
      {ProbeKind::slip, "slip", "largest distance that a contact has slipped since the start"},
      {ProbeKind::defects, "defects",
       "largest missed depth and drift of a contact since the start"}};
  return table;
}

template <int dim>
std::vector<std::string> probe_columns(const Probe<dim> &probe) {
  if (probe.kind == ProbeKind::gap)
    return {"gap"};
  if (probe.kind == ProbeKind::moment && dim == 2)
    return {"moment"};
  if (probe.kind == ProbeKind::coordinate || is_of_bounds(probe.kind)) {
    const std::string prefix = probe.kind == ProbeKind::coordinate ? ""
                               : probe.kind == ProbeKind::limit    ? "limit_"
                                                                   : "friction_";
    std::vector<std::string> names;
    for (const auto &[name, index] : probe.coordinates)
      names.push_back(prefix + name);
    return names;
  }
  if (probe.kind == ProbeKind::work)
    return {"work_normal", "work_tangential"};
  if (probe.kind == ProbeKind::slip)
    return {"slip"};
  if (probe.kind == ProbeKind::defects)
    return {"missed_depth", "drift"};
  if (probe.kind == ProbeKind::stress)
    return {"stress_xx", "stress_yy", "stress_zz", "stress_xy",
            "stress_yz", "stress_xz", "von_mises"};
  const std::string kind = probe_kinds()[static_cast<std::size_t>(probe.kind)].name;
  std::vector<std::string> names;
  for (unsigned int d = 0; d < dim; ++d)
    names.push_back(kind + "_" + component_names[d]);
  if (probe.pair)
    names.push_back(kind + "_normal");
  return names;
}

template <int dim>
Probes<dim>::Probes(const System<dim> &bodies, const Boundary<dim> &b,
                    std::vector<Probe<dim>> probes, const ProbeMemory &memory)
    : system(bodies), boundary(b), list(std::move(probes)), stress(bodies.elastic.size()),
      links(bodies), extremes_so_far(memory) {
  std::size_t n = 0;
  for (const Probe<dim> &probe : list) {
    n += n_stored_values<dim>(probe.kind);
    if (probe.kind == ProbeKind::stress && !stress[probe.elastic])
      stress[probe.elastic] = std::make_unique<CellStress<dim>>(*system.elastic[probe.elastic]);
  }
  extremes_so_far.numbers.resize(n, 0.);
}

template <int dim>
std::vector<std::string> Probes<dim>::columns() const {
  std::vector<std::string> names;
  for (const Probe<dim> &probe : list)
    for (const auto &name : probe_columns(probe))
      names.push_back(probe.name + "." + name);
  return names;
}

template <int dim>
std::vector<std::pair<std::string, std::string>> Probes<dim>::remarks() const {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const Probe<dim> &probe : list)
    texts.emplace_back(probe.name, probe.position_text);
  return texts;
}

template <int dim>
dealii::Tensor<1, dim> Probes<dim>::displacement(const Probe<dim> &probe,
                                                 const State<dim> &state) const {
  dealii::Tensor<1, dim> u = weighted_sum<dim>(probe.nodes, state.q);
  if (probe.rigid) {
    const RigidBody<dim> &body = system.rigid[*probe.rigid];
    const RigidPose<dim> pose(body, system.rigid_values(state.q, *probe.rigid));
    u = pose.position(body, probe.position) - probe.position;
  }
  return u;
}

template <int dim>
dealii::Tensor<1, dim> Probes<dim>::velocity(const Probe<dim> &probe,
                                             const State<dim> &state) const {
  dealii::Tensor<1, dim> v = weighted_sum<dim>(probe.nodes, state.v);
  if (probe.rigid) {
    const RigidBody<dim> &body = system.rigid[*probe.rigid];
    const RigidPose<dim> pose(body, system.rigid_values(state.q, *probe.rigid));
    v = pose.velocity(pose.turned(probe.position - body.centre),
                      system.rigid_values(state.v, *probe.rigid));
  }
  return v;
}

namespace {

/// True if a contact, its record or its account belongs to the pair and the points of a probe.
template <int dim, typename ContactType>
bool is_meant(const Probe<dim> &probe, const Boundary<dim> &boundary, const ContactType &contact) {
  return contact.key.pair == probe.pair &&
         (probe.points.empty() ||
          (std::binary_search(probe.points.begin(), probe.points.end(), contact.point) &&
           is_at_point(boundary, contact)));
}

} // namespace

template <int dim>
void Probes<dim>::add_impulses(const Probe<dim> &probe, const StepRecord<dim> &record,
                               double *sums) const {
  for (std::size_t k = 0;
       k < probe.coordinates.size() && is_of_bounds(probe.kind) && !record.bound_impulses.empty();
       ++k) {
    const BoundImpulses &impulses = record.bound_impulses[probe.coordinates[k].second];
    sums[k] += probe.kind == ProbeKind::limit ? impulses.limit : impulses.friction;
  }
  if (is_of_bounds(probe.kind))
    return;
  for (unsigned int d = 0; d < dim; ++d)
    for (const unsigned int i : probe.holding[d])
      sums[d] += record.holding[i];
  if (probe.link && !record.link_impulses.empty()) {
    const LinkImpulse &impulse = record.link_impulses[*probe.link];
    const bool is_moment = probe.kind == ProbeKind::moment;
    for (unsigned int k = 0; k < (is_moment ? RigidBody<dim>::n_rotations : dim); ++k)
      sums[k] += impulse[is_moment ? 6 - RigidBody<dim>::n_rotations + k : k];
  }
  if (!probe.pair)
    return;
  for (const ContactRecord<dim> &contact : record.contacts) {
    if (!is_meant(probe, boundary, contact))
      continue;
    const auto p = global_percussion(contact);
    const bool is_opposite =
        is_on_opposite_side(boundary.pairs[contact.key.pair], boundary.points[contact.point]);
    const double sign = is_opposite ? -1. : 1.;
    for (unsigned int d = 0; d < dim; ++d)
      sums[d] += sign * p[d];
    sums[dim] += contact.percussion[0];
  }
}

template <int dim>
double Probes<dim>::gap(const Probe<dim> &probe, const State<dim> &state) const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact<dim> &contact : state.found.contacts)
    if (is_meant(probe, boundary, contact))
      smallest = std::min(smallest, contact.gap);
  return smallest;
}

template <int dim>
void Probes<dim>::begin(const State<dim> &state) {
  extremes_so_far.row_time = extremes_so_far.time = state.time;
  double *numbers = extremes_so_far.numbers.data();
  for (const Probe<dim> &probe : list) {
    if (probe.kind == ProbeKind::acceleration)
      for (unsigned int d = 0; d < dim; ++d) {
        numbers[d] = velocity(probe, state)[d];
        numbers[dim + d] = std::numeric_limits<double>::quiet_NaN();
      }
    numbers += n_stored_values<dim>(probe.kind);
  }
}

template <int dim>
void Probes<dim>::copy_accounts(const Probe<dim> &probe,
                                const std::vector<ContactAccount<dim>> &accounts,
                                double *numbers) const {
  std::fill(numbers, numbers + n_stored_values<dim>(probe.kind), 0.);
  for (const ContactAccount<dim> &account : accounts) {
    if (!is_meant(probe, boundary, account))
      continue;
    if (probe.kind == ProbeKind::work) {
      numbers[0] += account.normal_work;
      numbers[1] += account.tangential_work;
    } else if (probe.kind == ProbeKind::slip)
      numbers[0] = std::max(numbers[0], account.slip);
    else {
      numbers[0] = std::max(numbers[0], account.missed_depth);
      numbers[1] = std::max(numbers[1], account.drift);
    }
  }
}

template <int dim>
void Probes<dim>::add(const State<dim> &state, const StepRecord<dim> &record,
                      const std::vector<ContactAccount<dim>> &accounts) {
  double *numbers = extremes_so_far.numbers.data();
  for (const Probe<dim> &probe : list) {
    if (probe.kind == ProbeKind::acceleration) {
      const auto v = velocity(probe, state);
      for (unsigned int d = 0; d < dim; ++d) {
        numbers[dim + d] = (v[d] - numbers[d]) / (state.time - extremes_so_far.time);
        numbers[d] = v[d];
      }
    } else if (is_sum(probe.kind))
      add_impulses(probe, record, numbers);
    else if (probe.kind >= ProbeKind::work)
      copy_accounts(probe, accounts, numbers);
    numbers += n_stored_values<dim>(probe.kind);
  }
  extremes_so_far.time = state.time;
}

template <int dim>
std::vector<double> Probes<dim>::values(const State<dim> &state) const {
  std::vector<double> row;
  const auto add = [&](const dealii::Tensor<1, dim> &u) {
    for (unsigned int d = 0; d < dim; ++d)
      row.push_back(u[d]);
  };
  const double *numbers = extremes_so_far.numbers.data();
  const double since = state.time - extremes_so_far.row_time;
  for (const Probe<dim> &probe : list) {
    if (probe.kind == ProbeKind::displacement)
      add(displacement(probe, state));
    else if (probe.kind == ProbeKind::velocity)
      add(velocity(probe, state));
    else if (probe.kind == ProbeKind::momentum)
      add(probe.mass * velocity(probe, state));
    else if (probe.kind == ProbeKind::acceleration)
      row.insert(row.end(), numbers + dim, numbers + 2 * dim);
    else if (probe.kind == ProbeKind::gap)
      row.push_back(gap(probe, state));
    else if (probe.kind == ProbeKind::coordinate) {
      const auto coordinates = links.drive_coordinates(state.q, state.link_turns);
      for (const auto &[name, index] : probe.coordinates)
        row.push_back(coordinates[index]);
    } else if (probe.kind == ProbeKind::stress) {
      const auto s = (*stress[probe.elastic])(
          probe.cell, state.q, history_of_body(state.material_history, probe.elastic));
      row.insert(row.end(), {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2], von_mises(s)});
    } else if (probe.kind >= ProbeKind::work)
      row.insert(row.end(), numbers, numbers + n_stored_values<dim>(probe.kind));
    else {
      constexpr double none =
          std::numeric_limits<double>::quiet_NaN(); // no time since the last row
      const double divisor = probe.kind == ProbeKind::percussion ? 1. : since > 0. ? since : none;
      const unsigned int n = is_of_bounds(probe.kind)
                                 ? static_cast<unsigned int>(probe.coordinates.size())
                             : probe.kind == ProbeKind::moment ? n_stored_values<dim>(probe.kind)
                             : probe.pair                      ? dim + 1
                                                               : dim;
      for (unsigned int k = 0; k < n; ++k)
        row.push_back(numbers[k] / divisor);
    }
    numbers += n_stored_values<dim>(probe.kind);
  }
  return row;
}

template <int dim>
void Probes<dim>::start_row(double time) {
  extremes_so_far.row_time = time;
  double *numbers = extremes_so_far.numbers.data();
  for (const Probe<dim> &probe : list) {
    if (is_sum(probe.kind))
      std::fill(numbers, numbers + n_stored_values<dim>(probe.kind), 0.);
    numbers += n_stored_values<dim>(probe.kind);
  }
}

template struct Probe<2>;
template class Probes<2>;
template std::vector<std::string> probe_columns(const Probe<2> &);
template struct Probe<3>;
template class Probes<3>;
template std::vector<std::string> probe_columns(const Probe<3> &);

} // namespace percussion
