#include <percussion/contact/find.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

namespace percussion {
namespace {

/// Depth, relative to the size of the body, up to which an overlap at the start is ignored.
constexpr double ignored_fraction = 1e-6;
/// Largest number of warnings; further ones are only counted.
constexpr std::size_t most_warnings = 5;

/// Returns the largest distance from the first point.
template <int dim, typename Points>
double extent(const Points &points) {
  double size = 0;
  for (const dealii::Point<dim> &x : points)
    size = std::max(size, x.distance(points.front()));
  return size;
}

/// Contact pair and rigid bodies of an overlap, ordered by pairs and bodies; sides without a rigid
/// body come last.
struct Encounter {
  unsigned int pair;
  std::optional<unsigned int> body, opposite_body;

  auto tied() const { return std::tuple(pair, !body, body, !opposite_body, opposite_body); }
  bool operator<(const Encounter &second) const { return tied() < second.tied(); }
};

template <int dim>
std::string warning(const Case<dim> &c, const Encounter &encounter, double depth) {
  const auto name = [&](std::optional<unsigned int> body) {
    return body ? "body '" + c.bodies->rigid[*body].name + "'" : "an elastic body";
  };
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", depth);
  return name(encounter.body) + " begins inside of " +
         (encounter.opposite_body
              ? name(encounter.opposite_body)
              : "the surface of contact '" + c.boundary->pairs[encounter.pair].name + "'") +
         ", " + text + " deep";
}

} // namespace

template <int dim>
void check_overlaps(const CaseInput &input, Case<dim> &c) {
  double elastic_size = 0;
  for (const auto &body : c.bodies->elastic)
    elastic_size = std::max(elastic_size, extent<dim>(body->space.nodes));
  const auto size = [&](std::optional<unsigned int> body) {
    return body ? c.boundary->sizes[*body] : elastic_size;
  };

  std::map<Encounter, double> depths;
  ContactFinder<dim> finder(*c.boundary);
  finder.exclude(absent_bodies(*c.bodies, c.span.start));
  const auto found = finder.find(c.boundary->trace.gather(c.initial.q), c.span.start);
  refuse_overlapping_faces(input, c, found);
  for (const auto &contact : found.contacts) {
    const ContactPoint<dim> &point = c.boundary->points[contact.point];
    if (point.opposite_facets)
      continue; // refuse_overlapping_faces() reports these
    const auto body = point.rigid_body(), opposite_body = contact.opposite_body;
    const double allowed =
        ignored_fraction * std::min(size(body), size(opposite_body ? opposite_body : body));
    if (!(contact.gap < -allowed))
      continue;
    // Either body may own the touching vertex: both cases count as one overlap.
    const bool swap = body && opposite_body && opposite_body < body;
    double &depth =
        depths[{contact.key.pair, swap ? opposite_body : body, swap ? body : opposite_body}];
    depth = std::max(depth, -contact.gap);
  }
  std::size_t n = 0;
  for (const auto &[encounter, depth] : depths)
    if (n++ < most_warnings)
      c.warnings.push_back(warning(c, encounter, depth));
  if (n > most_warnings)
    c.warnings.push_back(std::to_string(n - most_warnings) + " more overlaps at the start");
}

template void check_overlaps<2>(const CaseInput &, Case<2> &);
template void check_overlaps<3>(const CaseInput &, Case<3> &);

} // namespace percussion
