#include "watch.h"

#include <percussion/body/large_deformation.h>
#include <percussion/body/mesh.h>

#include "format.h"
#include <algorithm>
#include <filesystem>
#include <limits>

namespace percussion {
namespace {

constexpr double deep = 0.1; ///< share of a body's size
const std::string deformation_prefix = "linear law: ", strain_prefix = "large strain: ",
                  penetration_prefix = "penetration: ", correction_prefix = "position correction: ";

bool has(const std::vector<std::string> &found, const std::string &prefix) {
  return std::any_of(found.begin(), found.end(),
                     [&](const std::string &text) { return text.rfind(prefix, 0) == 0; });
}

template <int dim>
double shorter_side(const ElasticBody<dim> &body) {
  double side = std::numeric_limits<double>::max();
  for (unsigned int d = 0; d < dim; ++d) {
    const auto [least, most] =
        std::minmax_element(body.space.nodes.begin(), body.space.nodes.end(),
                            [d](const auto &x, const auto &y) { return x[d] < y[d]; });
    side = std::min(side, (*most)[d] - (*least)[d]);
  }
  return side;
}

} // namespace

template <int dim>
Watch<dim>::Watch(const Case<dim> &of_case, const std::vector<std::string> &found)
    : c(of_case), contact_law(of_case, found), has_linear_cells(false),
      deformation_is_known(has(found, deformation_prefix) || has(found, strain_prefix)),
      penetration_is_known(has(found, penetration_prefix)),
      correction_is_known(has(found, correction_prefix)),
      smallest_size(std::numeric_limits<double>::max()) {
  for (const auto &body : c.bodies->elastic) {
    for (const auto &material : body->materials.list)
      has_linear_cells = has_linear_cells || !material.finite_strain ||
                         std::holds_alternative<StVenantKirchhoff>(material.finite_strain->law);
    elastic_sizes.push_back(shorter_side(*body));
    smallest_size = std::min(smallest_size, elastic_sizes.back());
  }
  for (const double size : c.boundary->sizes)
    smallest_size = std::min(smallest_size, size);
}

template <int dim>
std::vector<std::string> Watch<dim>::look(const State<dim> &state, const StepRecord<dim> &record,
                                          bool look_at_cells) {
  std::vector<std::string> found;
  const auto note = [&](bool &is_known, const std::string &text) {
    is_known = !text.empty();
    if (is_known)
      found.push_back(text);
  };
  if (look_at_cells && has_linear_cells && !deformation_is_known)
    note(deformation_is_known, deformation(state));
  if (record.penetration_max > deep * smallest_size && !penetration_is_known)
    note(penetration_is_known, penetration(state));
  if (record.is_uncorrected && !correction_is_known)
    note(correction_is_known,
         correction_prefix +
             format("at t = %.6g no displacement of the bodies takes back the depths of their "
                    "contacts, for instance because prescribed motions press them together; they "
                    "stay where they are in this step",
                    state.time));
  for (std::string &text : contact_law.look(record))
    found.push_back(std::move(text));
  return found;
}

template <int dim>
std::string Watch<dim>::deformation(const State<dim> &state) const {
  for (std::size_t b = 0; b < c.bodies->elastic.size(); ++b)
    if (const auto cell = beyond_linear_law(*c.bodies->elastic[b], state.q))
      return (cell->law_bears_rotation ? strain_prefix : deformation_prefix) +
             format("at t = %.6g the cell that began at %s%s is %s%sstretched by %.2g %%",
                    state.time, in_brackets(cell->place, 4).c_str(),
                    c.meshes.size() > 1
                        ? (" of '" + std::filesystem::path(c.meshes[b]->file).stem().string() + "'")
                              .c_str()
                        : "",
                    cell->is_inverted ? "inside out, " : "",
                    cell->law_bears_rotation
                        ? ""
                        : format("turned by %.3g degrees and ", cell->angle).c_str(),
                    100. * cell->stretch) +
             (cell->law_bears_rotation
                  ? "; beyond 20 % the law of St. Venant and Kirchhoff gives way under pressure: "
                    "neo-hooke has the same constants and bears large strains"
                  : "; beyond 5 degrees or 10 % use a hyperelastic law: St. Venant-Kirchhoff has "
                    "the same constants and bears any rotation, neo-hooke large strains too");
  return {};
}

template <int dim>
std::string Watch<dim>::penetration(const State<dim> &state) const {
  for (const auto &contact : state.found.contacts) {
    const ContactPoint<dim> &point = c.boundary->points[contact.point];
    const double size = point.body == ContactPoint<dim>::none ? elastic_sizes[point.elastic]
                                                              : c.boundary->sizes[point.body];
    if (contact.gap < -deep * size)
      return penetration_prefix +
             format("at t = %.6g a point of contact '%s' is %.3g deep, more than a tenth of its "
                    "body's size %.3g; a shorter step sees the contact in time",
                    state.time, c.boundary->pairs[point.pair].name.c_str(), -contact.gap, size);
  }
  return {};
}

template class Watch<2>;
template class Watch<3>;

} // namespace percussion
