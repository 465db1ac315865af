#include <percussion/base/error.h>
#include <percussion/body/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <iterator>

namespace percussion {
namespace {

/// Returns points that may touch surfaces in a contact, and further points around them at a
/// distance of the size of their bodies.
template <int dim>
std::vector<dealii::Point<dim>> points_of(const System<dim> &system, const ContactPair<dim> &pair) {
  const auto [points, size] = own_points(system, pair);
  std::vector<dealii::Point<dim>> all;
  for (std::size_t i = 0; i < points.size(); i += 1 + points.size() / 20)
    for (unsigned int d = 0; d < dim; ++d)
      for (const double offset : {0., 0.1 * size, -0.1 * size}) {
        all.push_back(points[i]);
        all.back()[d] += offset;
      }
  return all;
}

/// True if two surfaces with different descriptions, such as a half-plane and a signed distance,
/// coincide around these points.
template <int dim>
bool coincide(const Surface<dim> &a, const Surface<dim> &b,
              const std::vector<dealii::Point<dim>> &points, const std::vector<double> &times) {
  constexpr double tolerance = 1e-6;
  double size = 0;
  for (const auto &x : points)
    size = std::max(size, x.distance(points.front()));
  try {
    for (const double t : times)
      for (const auto &x : points) {
        const auto first_region = gap(a, x, t), second_region = gap(b, x, t);
        if (!(std::abs(first_region.distance - second_region.distance) <= tolerance * size) ||
            !((first_region.normal - second_region.normal).norm() <= tolerance))
          return false;
      }
  } catch (const RunError &) { // a formula has no value at one of the points
    return false;
  }
  return !points.empty();
}

std::vector<unsigned int> common(const std::vector<unsigned int> &a,
                                 const std::vector<unsigned int> &b) {
  std::vector<unsigned int> common; // body indices are ascending
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(common));
  return common;
}

/// True if regions of two lists have a face in common.
template <int dim>
bool meet(const System<dim> &system, const std::vector<std::string> &a,
          const std::vector<std::string> &b) {
  for (const auto &first : a)
    for (const auto &second : b)
      if (have_common_faces<dim>(system.region(first), system.region(second)))
        return true;
  return false;
}

/// Returns the repetition in two contacts on faces; see repetition().
template <int dim>
std::string repetition_on_faces(const System<dim> &system, const ContactPair<dim> &a,
                                const ContactPair<dim> &b) {
  const auto &opposite_a = a.opposite_regions(), &opposite_b = b.opposite_regions();
  if (a.region() && b.region()) {
    const bool same_order =
        meet(system, {*a.region()}, {*b.region()}) && meet(system, opposite_a, opposite_b);
    const bool reverse_order =
        meet(system, {*a.region()}, opposite_b) && meet(system, opposite_a, {*b.region()});
    return same_order || reverse_order ? "faces of region '" + *b.region() + "' meet the same faces"
                                       : "";
  }
  const auto bodies = common(a.bodies(), b.bodies());
  return !bodies.empty() && meet(system, opposite_a, opposite_b)
             ? "body '" + system.rigid[bodies.front()].name + "' meets the same faces"
             : "";
}

/// Returns the common candidate contacts of two contacts, such as "region 'bottom' meets the same
/// surface"; empty if there are none. Boundary refuses pairs of rigid bodies in two contacts.
template <int dim>
std::string repetition(const System<dim> &system, const ContactPair<dim> &a,
                       const ContactPair<dim> &b, const std::vector<double> &times) {
  const auto body = [&](unsigned int index) { return "body '" + system.rigid[index].name + "'"; };
  if (a.is_on_faces() && b.is_on_faces())
    return repetition_on_faces(system, a, b);
  const auto reversed = [&](const ContactPair<dim> &nodes, const ContactPair<dim> &vertices) {
    return nodes.region() && !nodes.opposite_bodies().empty() && vertices.is_on_faces() &&
           vertices.discretisation == Discretisation::nodes_of_both_sides &&
           !common(nodes.opposite_bodies(), vertices.bodies()).empty() &&
           meet(system, {*nodes.region()}, vertices.opposite_regions());
  };
  if (reversed(a, b) || reversed(b, a))
    return "nodes of region '" + *(a.region() ? a : b).region() + "' meet the same bodies";
  if (a.is_on_faces() || b.is_on_faces())
    return {};
  const bool surfaces = a.surface() && b.surface();
  if (surfaces && !have_same_description(*a.surface(), *b.surface()) &&
      !coincide(*a.surface(), *b.surface(), points_of(system, a), times))
    return {};
  if (a.region() && b.region()) {
    if (!have_common_faces<dim>(system.region(*a.region()), system.region(*b.region())))
      return {};
    const std::string region =
        (*a.region() == *b.region() ? "region '" : "a part of region '") + *b.region() + "' meets ";
    const auto opposite_bodies = common(a.opposite_bodies(), b.opposite_bodies());
    if (surfaces)
      return region + "the same surface";
    return opposite_bodies.empty() ? "" : region + body(opposite_bodies.front());
  }
  const auto bodies = common(a.bodies(), b.bodies());
  return surfaces && !bodies.empty() ? body(bodies.front()) + " meets the same surface" : "";
}

} // namespace

template <int dim>
void refuse_repeated_contacts(const CaseInput &input, const System<dim> &system,
                              const std::vector<ContactPair<dim>> &pairs) {
  const double begin = input.number("Time/Start"), end = input.number("Time/End");
  const std::vector<double> times = {begin, 0.7 * begin + 0.3 * end, end};
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (const std::string repetition_text = repetition(system, pairs[j], pairs[i], times);
          !repetition_text.empty()) {
        input.in(contact_section + "/" + pairs[i].name)
            .report_section(repetition_text + " in contact '" + pairs[j].name +
                            "' already; they would share each percussion in an arbitrary way. "
                            "Remove one of the two contacts");
        break;
      }
}

PERCUSSION_INSTANTIATE(refuse_repeated_contacts);

} // namespace percussion
