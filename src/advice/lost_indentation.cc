#include <percussion/advice/lost_indentation.h>
#include <percussion/base/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace percussion {
namespace {

/// Returns the components in which any motion of each body is prescribed.
template <int dim>
std::vector<std::array<bool, dim>> held_components(const System<dim> &system) {
  std::vector<std::array<bool, dim>> components;
  for (const auto &body : system.elastic) {
    components.push_back({});
    for (const auto &dofs : body->space.node_dofs)
      for (unsigned int d = 0; d < dim; ++d)
        components.back()[d] = components.back()[d] || system.motion.is_prescribed(dofs[d]);
  }
  for (unsigned int b = 0; b < system.rigid.size(); ++b) {
    components.push_back({});
    for (unsigned int d = 0; d < dim; ++d)
      components.back()[d] = system.motion.is_prescribed(system.rigid_dof(b) + d);
  }
  return components;
}

/// Returns the components in which all opposite elastic bodies of a pair are held; surfaces are.
template <int dim>
std::array<bool, dim> opposite_components(const ContactPair<dim> &pair, const System<dim> &system,
                                          const std::vector<std::array<bool, dim>> &held) {
  std::array<bool, dim> components;
  components.fill(true);
  for (const std::string &name : pair.opposite_regions()) {
    const auto *const body = system.region(name).body;
    for (std::size_t k = 0; k < system.elastic.size(); ++k)
      if (system.elastic[k].get() == body)
        for (unsigned int d = 0; d < dim; ++d)
          components[d] = components[d] && held[k][d];
  }
  return components;
}

} // namespace

template <int dim>
LostIndentation<dim>::LostIndentation(const Case<dim> &the_case)
    : c(the_case), held(held_components(*the_case.bodies)) {
  for (const auto &pair : c.boundary->pairs) {
    counts.push_back(c.choices.penalty == Penalty::none && !pair.is_between_rigid_bodies() &&
                     (pair.region() || pair.is_on_faces()));
    opposite_held.push_back(opposite_components<dim>(pair, *c.bodies, held));
  }
  present.depths.resize(counts.size());
  worst = present;
}

/// True if both sides of a contact are held in the direction of its normal; surfaces are.
template <int dim>
bool LostIndentation<dim>::is_held(const ContactRecord<dim> &contact) const {
  unsigned int component = 0;
  for (unsigned int d = 1; d < dim; ++d)
    if (std::abs(contact.normal[d]) > std::abs(contact.normal[component]))
      component = d;
  const auto n_elastic = c.bodies->elastic.size();
  const ContactPoint<dim> &point = c.boundary->points[contact.point];
  const auto own_body =
      point.rigid_body() ? n_elastic + *point.rigid_body() : *point.elastic_body();
  if (!held[own_body][component])
    return false;
  if (contact.opposite_body)
    return held[n_elastic + *contact.opposite_body][component];
  return opposite_held[contact.key.pair][component];
}

template <int dim>
void LostIndentation<dim>::add(const State<dim> &state, const StepRecord<dim> &record) {
  Cursor ends(state.found.contacts);
  double carried = 0;
  for (const ContactRecord<dim> &contact : record.contacts) {
    const Contact<dim> *const end = ends.go_to(contact.key);
    if (!counts[contact.key.pair] || !(contact.percussion[0] > 0.) || end == nullptr ||
        !is_held(contact))
      continue;
    carried += contact.percussion[0];
    present.depths[contact.key.pair] += contact.percussion[0] * -end->gap_of_law();
  }
  present.percussion += carried;
  if (carried > 0.)
    present.indentation += 2. * state.strain * c.choices.h;
  if (++n_added % std::max(1U, c.span.n_steps / 10) != 0)
    return;
  if (std::abs(present.fraction()) > std::abs(worst.fraction()))
    std::swap(present, worst);
  present = Sums{std::vector<double>(counts.size()), 0., 0.};
}

template <int dim>
std::string LostIndentation<dim>::look() const {
  constexpr double considerable = 0.05; // fraction of the force
  const bool is_present = std::abs(present.fraction()) > std::abs(worst.fraction());
  const Sums &largest = is_present ? present : worst;
  const double sign = largest.lost() < 0. ? -1. : 1.;
  if (!(sign * largest.fraction() > considerable))
    return {};
  const auto pair =
      std::max_element(largest.depths.begin(), largest.depths.end(),
                       [sign](double one, double other) { return sign * one < sign * other; }) -
      largest.depths.begin();
  const bool is_lost = sign > 0.;
  return "contact '" + c.boundary->pairs[static_cast<std::size_t>(pair)].name +
         format("': in a tenth of the run points that carry its forces are %.3g ",
                sign * largest.lost() / largest.percussion) +
         (is_lost ? "deep" : "above the opposite side") +
         format(" on average, weighted with the forces, and the bodies are indented by %.3g: ",
                largest.indentation / largest.percussion) +
         (is_lost ? "forces are too small by about " : "forces are too large by about ") +
         format("%.2g %%; a shorter step finds contacts less ", 100. * sign * largest.fraction()) +
         (is_lost ? "deep" : "early") +
         (is_lost && c.choices.forecast == Forecast::position
              ? ", and so does Scheme = pdas-leapfrog, which predicts gaps"
              : "");
}

template class LostIndentation<2>;
template class LostIndentation<3>;

} // namespace percussion
