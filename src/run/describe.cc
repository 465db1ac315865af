#include <percussion/io/mesh.h>
#include <percussion/run/case.h>

#include <cmath>
#include <cstdio>
#include <limits>

namespace percussion {
namespace {

template <typename... Values>
std::string format(const char *pattern, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, pattern, values...);
  return text;
}

/// Longest time that a wave needs through the shortest edge says how fine the step is.
template <int dim>
std::string wave_line(const Case<dim> &c) {
  const auto &material = c.body->material;
  const double speed =
      std::sqrt((material.elastic.lambda + 2 * material.elastic.mu) / material.density);
  double shortest = std::numeric_limits<double>::max();
  for (const double size : c.body->space.local_size)
    shortest = std::min(shortest, size);
  return format("  dilatational wave speed %.4g; a step is %.3g of its transit time through the "
                "shortest edge %.3g",
                speed, c.choices.h * speed / shortest, shortest);
}

/// What is known of the energy with this law (AC24, Proposition 1 and section 3.1).
template <int dim>
std::string energy_statement(const Case<dim> &c, const ContactPair<dim> &pair,
                             const ImpactLaw &law) {
  if (pair.law == ImpactLawKind::persistent)
    return pair.friction > 0. ? "the contacts lose energy by friction only, and create none"
                              : "the contacts conserve energy";
  if (pair.law != ImpactLawKind::fremond && pair.friction > 0.)
    return "friction can create energy with this law";
  return format("never creates energy for 1/2 <= theta <= %g%s", theta_bound(law.e),
                c.choices.separating == SeparatingContacts::dissipative
                    ? ""
                    : " but where a closed contact separates");
}

} // namespace

template <int dim>
std::vector<std::string> describe(const Case<dim> &c) {
  std::vector<std::string> lines;
  lines.push_back(format("Mesh      %u nodes, %u %s", c.body->space.n_nodes(),
                         c.mesh->triangulation.n_active_cells(),
                         c.mesh->shape == CellShape::simplex ? "triangles" : "quadrilaterals"));
  for (const auto &[name, region] : c.mesh->regions)
    lines.push_back(format("  region '%s': dimension %u, %u elements, %zu nodes", name.c_str(),
                           region.dimension, region.n_elements, region.vertices.size()));
  lines.push_back(format("Body      %u degrees of freedom, %zu of them prescribed",
                         c.body->n_dofs(), c.body->motion.dofs().size()));
  lines.push_back(wave_line(c));
  lines.push_back(format("Contact   %u candidate nodes", c.contacts->size()));
  for (const auto &pair : c.contacts->pairs) {
    const ImpactLaw law = impact_law(pair.law, pair.restitution, c.choices.theta);
    lines.push_back(format("  '%s': region '%s', e = %g, e_T = %g, mu = %g; %s", pair.name.c_str(),
                           pair.region.c_str(), law.e, law.e_T, pair.friction,
                           energy_statement(c, pair, law).c_str()));
  }
  lines.push_back(format("Time      %s, theta = %g, %u steps of %g from t = %g",
                         c.scheme_name.c_str(), c.choices.theta, c.span.n_steps, c.choices.h,
                         c.span.start));
  return lines;
}

template std::vector<std::string> describe(const Case<2> &);

} // namespace percussion
