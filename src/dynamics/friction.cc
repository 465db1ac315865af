#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/friction.h>
#include <percussion/dynamics/posed_law.h>

#include <deal.II/base/tensor.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace percussion {
namespace {

/// Returns the formula and the contact, time and values at which it has failed.
template <int dim>
std::string evaluation_in_words(const std::string &pair, const FrictionFormula &formula,
                                const FrictionVariables &values) {
  std::ostringstream text;
  text << "contact '" << pair << "': Friction coefficient '" << formula.text()
       << "' at t = " << values.t << " and position (";
  for (unsigned int d = 0; d < dim; ++d)
    text << (d == 0 ? "" : ", ") << values.x[d];
  text << ") with slip_speed = " << values.slip_speed << ", pressure = " << values.pressure
       << ", slip = " << values.slip << ": ";
  return text.str();
}

/// Returns the position of a contact at the beginning of the substep.
template <int dim>
dealii::Point<dim> position(const Contact<dim> &contact, const TraceField &q0,
                            const Boundary<dim> &boundary) {
  const ContactPoint<dim> &point = boundary.points[contact.point];
  return point.rigid_point() ? contact.x : point.position + boundary.value_at(point, q0);
}

/// Returns the values of all variables at a contact of State::found.
template <int dim>
FrictionVariables variables(const Contact<dim> &contact, const State<dim> &state,
                            const TraceField &q0, const TraceField &v0,
                            const Boundary<dim> &boundary) {
  FrictionVariables values;
  values.t = state.time;
  const dealii::Point<dim> x = position(contact, q0, boundary);
  std::copy_n(x.begin_raw(), dim, values.x.begin());
  const dealii::Tensor<1, dim> u0 = state.found.velocity(contact, v0, false) -
                                    state.surface_motion[contact.key.pair].start_velocity(contact);
  values.slip_speed = (u0 - (u0 * contact.normal) * contact.normal).norm();
  const ContactMemory<dim> *const memory = state.history.find(contact.key);
  if (memory != nullptr && contact.area > 0.)
    values.pressure = std::max(0., memory->percussion[0]) / (state.previous_h * contact.area);
  if (const ContactSlip *const slip = find_key(state.history.slips, contact.key))
    values.slip = slip->slip;
  return values;
}

} // namespace

template <int dim>
FrictionCoefficients<dim>::FrictionCoefficients(const State<dim> &s, const TraceField &v,
                                                const Boundary<dim> &b)
    : state(s), v0(v), boundary(b) {
  const auto &pairs = boundary.pairs;
  if (std::any_of(pairs.begin(), pairs.end(),
                  [](const ContactPair<dim> &pair) { return pair.friction_formula != nullptr; }))
    q0 = boundary.trace.gather(state.q);
}

template <int dim>
double FrictionCoefficients<dim>::value(const FrictionFormula &formula,
                                        const ContactKey &key) const {
  const FrictionVariables values = variables(*state.found.find(key), state, q0, v0, boundary);
  const auto error = [&](const std::string &reason) {
    const std::string &pair = boundary.pairs[key.pair].name;
    return RunError(evaluation_in_words<dim>(pair, formula, values) + reason);
  };
  double mu = 0;
  try {
    mu = formula(values);
  } catch (const RunError &table_error) {
    throw error(table_error.what());
  }
  if (mu >= 0. && std::isfinite(mu))
    return mu;
  std::ostringstream reason;
  reason << "the value is " << mu << ", and must be a number >= 0";
  throw error(reason.str());
}

namespace {

/// Returns the directions n, d, k d' of a contact with the direction of friction d and ratio k.
std::array<dealii::Tensor<1, 3>, 3> elliptic_directions(const ContactPair<3> &pair,
                                                        const dealii::Tensor<1, 3> &normal) {
  constexpr double least_sine = 1e-6;
  const dealii::Tensor<1, 3> &direction = pair.friction_direction;
  const dealii::Tensor<1, 3> tangent = direction - (direction * normal) * normal;
  const double length = tangent.norm();
  if (!(length > least_sine * direction.norm()))
    throw RunError(
        "contact '" + pair.name +
        "': the Friction direction is normal to the surface at a contact with the normal (" +
        format("%.6g, %.6g, %.6g", normal[0], normal[1], normal[2]) +
        "), where friction along and across it has no meaning; give a direction that is tangential "
        "in part wherever bodies touch the surface");
  return {normal, tangent / length,
          pair.friction_ratio * cross_product_3d(normal, tangent / length)};
}

} // namespace

template <int dim>
std::vector<std::array<dealii::Tensor<1, dim>, dim>>
friction_directions(const ContactList<dim> &list, const Boundary<dim> &boundary) {
  std::vector<std::array<dealii::Tensor<1, dim>, dim>> all;
  if constexpr (dim == 3) {
    const auto &pairs = boundary.pairs;
    if (std::none_of(pairs.begin(), pairs.end(),
                     [](const ContactPair<dim> &pair) { return pair.has_elliptic_cone(); }))
      return all;
    for (const auto &contact : list.contacts) {
      const ContactPair<dim> &pair = pairs[contact.key.pair];
      all.push_back(pair.has_elliptic_cone() ? elliptic_directions(pair, contact.normal)
                                             : local_frame<dim>(contact.normal));
    }
  }
  return all;
}

template <int dim>
void add_slips(const std::vector<ContactAccount<dim>> &accounts, const Boundary<dim> &boundary,
               ContactHistory<dim> &history) {
  std::vector<ContactSlip> &slips = history.slips;
  const std::size_t n = slips.size();
  std::size_t index = 0;
  for (const ContactAccount<dim> &account : accounts) {
    const FrictionFormula *const formula = boundary.pairs[account.key.pair].friction_formula.get();
    if (formula == nullptr || !formula->depends_on("slip") || account.slip == 0.)
      continue;
    while (index < n && slips[index].key < account.key)
      ++index;
    if (index < n && slips[index].key == account.key)
      slips[index].slip += account.slip;
    else
      slips.push_back({account.key, account.slip});
  }
  std::inplace_merge(slips.begin(), slips.begin() + static_cast<std::ptrdiff_t>(n), slips.end(),
                     [](const ContactSlip &a, const ContactSlip &b) { return a.key < b.key; });
}

template class FrictionCoefficients<2>;
template class FrictionCoefficients<3>;
PERCUSSION_INSTANTIATE(friction_directions);
PERCUSSION_INSTANTIATE(add_slips);

} // namespace percussion
