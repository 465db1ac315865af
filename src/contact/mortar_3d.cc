#include <percussion/contact/mortar_3d.h>

#include "covered_facet.h"
#include "cross_product.h"
#include "self_contact.h"
#include <algorithm>
#include <cmath>
#include <tuple>

namespace percussion {
namespace {

constexpr double least_opposing = 0.6; ///< lower bound of minus the cosine between opposed normals

/// Gap of a contact, and the weights of the points.
struct SurfaceGap {
  double gap;
  NumberWeights<double> carrier, opposite;
};

/// Shifts the weights along the facets so that Σ weight x_carrier − Σ weight x_opposite becomes
/// normal: the normal forces of curved surfaces then have no moment. The shift is added to this
/// sum, `gap_vector`.
void make_normal(const NumberWeights<double> &covered_facets, const FacetPlane &plane,
                 const FacetSurface &opposite, dealii::Tensor<1, 3> &gap_vector,
                 NumberWeights<double> &weights) {
  double total_area = 0.;
  for (const auto &covered_area : covered_facets)
    total_area += covered_area.second;
  const FlatPoint offset(gap_vector * plane.first, gap_vector * plane.second);
  for (const auto &[facet, covered_area] : covered_facets) {
    const auto &corners = opposite.facets[facet];
    const auto x = opposite.points[corners[0]];
    const dealii::Tensor<1, 3> a = opposite.points[corners[1]] - x,
                               b = opposite.points[corners.back()] - x;
    const FlatPoint u(a * plane.first, a * plane.second), v(b * plane.first, b * plane.second);
    const double det = cross_product(u, v), fraction = covered_area / total_area;
    const double s = fraction * cross_product(offset, v) / det,
                 t = fraction * cross_product(u, offset) / det;
    weights.emplace_back(corners[0], -s - t);
    weights.emplace_back(corners[1], s);
    weights.emplace_back(corners.back(), t);
    gap_vector -= s * a + t * b;
  }
}

/// Returns the gap of a contact with the functions of a point, along a unit normal.
SurfaceGap surface_gap(const RegionIntegrals &sum, unsigned int point,
                       const dealii::Tensor<1, 3> &normal, const FacetSurface &carrier,
                       const FacetSurface &opposite, MortarFunctions functions) {
  SurfaceGap result;
  auto weights = mean_weights(sum.opposite);
  result.carrier = functions == MortarFunctions::dual
                       ? carrier_weights(point, sum.own_area, sum.carrier)
                       : mean_weights(sum.carrier);
  const auto origin = carrier.points[result.carrier.front().first];
  dealii::Tensor<1, 3> gap_vector; // relative to a carrier point, to keep digits
  for (const auto &[node, weight] : weights)
    gap_vector += weight * (origin - opposite.points[node]);
  for (std::size_t k = 1; k < result.carrier.size(); ++k)
    gap_vector += result.carrier[k].second * (carrier.points[result.carrier[k].first] - origin);
  make_normal(sum.covered_facets, FacetPlane(origin, normal), opposite, gap_vector, weights);
  result.gap = gap_vector * normal;
  result.opposite = merged_weights(std::move(weights));
  return result;
}

/// Adds the derivatives of the gap with respect to the opposite facets at constant integrals to the
/// gradients of a contact, and to the adjoint of its normal; returns the derivative with respect to
/// the gap vector G. With the normals m of the facets, and their covered areas A_f of the total A,
/// the gap is Σ A_f/A (m · G)/(m · n).
dealii::Tensor<1, 3> differentiate_facets(const NumberWeights<double> &covered_facets,
                                          const dealii::Tensor<1, 3> &gap_vector,
                                          const FacetSurface &opposite, MortarContact<3> &contact,
                                          dealii::Tensor<1, 3> &normal_adjoint,
                                          IntegralAdjoints &adjoints) {
  double total_area = 0.;
  for (const auto &covered_area : covered_facets)
    total_area += covered_area.second;
  dealii::Tensor<1, 3> direction;
  for (const auto &[facet, covered_area] : covered_facets) {
    const auto &corners = opposite.facets[facet];
    const auto x = opposite.points[corners[0]];
    const dealii::Tensor<1, 3> a = opposite.points[corners[1]] - x,
                               b = opposite.points[corners.back()] - x, m = cross_product_3d(a, b);
    const double scale = covered_area / total_area / (m * contact.normal),
                 value = (m * gap_vector) / (m * contact.normal);
    direction += scale * m;
    normal_adjoint -= scale * value * m;
    const dealii::Tensor<1, 3> m_adjoint = scale * (gap_vector - value * contact.normal),
                               a_adjoint = cross_product_3d(b, m_adjoint),
                               b_adjoint = cross_product_3d(m_adjoint, a);
    add_gradient(contact.opposite_gradient, corners[0], -a_adjoint - b_adjoint);
    add_gradient(contact.opposite_gradient, corners[1], a_adjoint);
    add_gradient(contact.opposite_gradient, corners.back(), b_adjoint);
    adjoints.covered_facets.emplace_back(facet, (value - contact.gap) / total_area);
  }
  return direction;
}

/// Carrier facet with the opposite facets in front of it.
struct FacingFacet {
  unsigned int facet;
  CoveredFacet covered;
  double size; ///< root of its area [length]
};

/// Contacts of a carrier surface: one for each smooth region at a point, or for each quadrature
/// point.
class SurfaceContacts {
public:
  SurfaceContacts(const FacetSurface &carrier_surface, const FacetSurface &opposite_surface,
                  const MortarRange &mortar_range, MortarFunctions mortar_functions)
      : carrier(carrier_surface), opposite(opposite_surface), range(mortar_range),
        functions(mortar_functions), regions(carrier_surface, mortar_range.corner) {
    if (functions != MortarFunctions::dual)
      regions.divide_into_points();
  }

  /// Adds a facet that may face these facets.
  void add(unsigned int f, const std::vector<unsigned int> &facets) {
    if (facets.empty())
      return;
    auto covered = covered_facet(carrier, f, opposite, facets, range, {});
    if (!covered)
      return;
    double area = 0;
    for (const double corner_area : carrier.areas(f))
      area += corner_area;
    facing.push_back({f, std::move(*covered), std::sqrt(area)});
  }

  /// Returns the contacts with an area.
  std::vector<MortarContact<3>> contacts() {
    if (functions == MortarFunctions::dual)
      set_apart();
    add_integrals();
    std::vector<MortarContact<3>> result;
    contact_of.assign(regions.sums.size(), 0);
    for (const std::size_t i : sums_with_area()) {
      RegionSum &sum = regions.sums[i];
      sum.merge();
      contact_of[i] = result.size();
      const dealii::Tensor<1, 3> normal = -regions.normal(carrier, i);
      auto gap = surface_gap(sum, sum.point, normal, carrier, opposite, functions);
      result.push_back({sum.point, sum.side, gap.gap, normal, sum.area, sum.area / sum.whole_area,
                        std::move(gap.carrier), std::move(gap.opposite)});
    }
    return result;
  }

  /// Adds the gradients of the gaps of contacts whose facets are covered completely. The functions
  /// of a facet that is partly covered change with the root of what is missing, so that gradients
  /// would be unbounded where this begins.
  void add_gradients(std::vector<MortarContact<3>> &contacts) const {
    std::vector<char> is_whole(regions.sums.size(), 1);
    for (const FacingFacet &facet : facing)
      if (!facet.covered.is_whole())
        for (const unsigned int region : regions.region_of[facet.facet])
          is_whole[region] = 0;
    std::vector<IntegralAdjoints> adjoints(regions.sums.size());
    for (std::size_t i = 0; i < regions.sums.size(); ++i)
      if (is_whole[i] && regions.sums[i].area > 0.)
        adjoints[i] = differentiate_gap(i, contacts[contact_of[i]]);
    for (const FacingFacet &facet : facing) {
      std::array<GradientTarget<3>, 4> targets;
      const auto &corner_regions = regions.region_of[facet.facet];
      for (std::size_t k = 0; k < corner_regions.size(); ++k)
        if (const unsigned int i = corner_regions[k]; is_whole[i] && regions.sums[i].area > 0.) {
          MortarContact<3> &contact = contacts[contact_of[i]];
          targets[k] = {&adjoints[i], &contact.carrier_gradient, &contact.opposite_gradient};
        }
      if (facet.covered.is_whole())
        differentiate_integrals(facet.covered, carrier, facet.facet, opposite, functions, targets);
    }
    for (MortarContact<3> &contact : contacts)
      complete_gradients(false, contact);
  }

private:
  /// Sets corners of facets apart that face something behind what a neighbour faces there.
  void set_apart() {
    std::vector<CommonCorner> corners(regions.sums.size());
    for (const FacingFacet &facet : facing)
      for (unsigned int i = 0; i < facet.covered.corner_sections.size(); ++i)
        corners[regions.region_of[facet.facet][i]].add(facet.covered.corner_sections[i]);
    for (const FacingFacet &facet : facing)
      for (unsigned int i = 0; i < facet.covered.corner_sections.size(); ++i)
        if (corners[regions.region_of[facet.facet][i]].hides(facet.covered.corner_sections[i],
                                                             facet.size))
          regions.set_apart(facet.facet, i);
  }

  void add_integrals() {
    for (unsigned int f = 0; f < carrier.facets.size(); ++f) {
      const CornerWeights total_area =
          functions == MortarFunctions::dual ? carrier.areas(f) : carrier.areas_of_points(f);
      for (unsigned int i = 0; i < carrier.facets[f].size(); ++i)
        regions.sums[regions.region_of[f][i]].whole_area += total_area[i];
    }
    for (FacingFacet &facet : facing) {
      for (const unsigned int region : regions.region_of[facet.facet])
        facet.covered.sums.push_back(&regions.sums[region]);
      integrate(facet.covered, opposite, functions);
    }
  }

  /// Returns the sums with an area, by ascending point and side.
  std::vector<std::size_t> sums_with_area() const {
    std::vector<std::size_t> found;
    const auto &sums = regions.sums;
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i].area > 0.)
        found.push_back(i);
    std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) {
      return std::tie(sums[a].point, sums[a].side) < std::tie(sums[b].point, sums[b].side);
    });
    return found;
  }

  /// Adds the derivatives of a gap at constant integrals to the gradients of its contact; returns
  /// the derivatives with respect to the integrals.
  IntegralAdjoints differentiate_gap(std::size_t i, MortarContact<3> &contact) const {
    const RegionSum &sum = regions.sums[i];
    const bool is_dual = functions == MortarFunctions::dual;
    const dealii::Point<3> origin = carrier.points[contact.carrier.front().first];
    const MeanPosition<3> carrier_mean =
                              is_dual ? MeanPosition<3>{{}, 1.}
                                      : mean_position(sum.carrier, 0., carrier.points, origin),
                          opposite_mean = mean_position(sum.opposite, 0., opposite.points, origin);
    IntegralAdjoints adjoints;
    dealii::Tensor<1, 3> normal_adjoint;
    const dealii::Tensor<1, 3> direction =
        differentiate_facets(sum.covered_facets, carrier_mean.position - opposite_mean.position,
                             opposite, contact, normal_adjoint, adjoints);
    adjoints.opposite = differentiate_mean(opposite_mean, sum.opposite, -direction, opposite.points,
                                           origin, contact.opposite_gradient);
    if (is_dual)
      add_gradient(contact.carrier_gradient, sum.point, direction);
    else
      adjoints.carrier = differentiate_mean(carrier_mean, sum.carrier, direction, carrier.points,
                                            origin, contact.carrier_gradient);
    regions.add_normal_gradients(carrier, i, -normal_adjoint, contact.carrier_gradient);
    return adjoints;
  }

  const FacetSurface &carrier, &opposite;
  const MortarRange range;
  const MortarFunctions functions;
  SmoothRegions regions;
  std::vector<FacingFacet> facing;
  std::vector<std::size_t> contact_of; ///< index of the contact of each sum with an area
};

} // namespace

std::vector<MortarContact<3>> mortar_contacts(const FacetSurface &carrier,
                                              const FacetSurface &opposite,
                                              const std::vector<EdgePair> &near_pairs,
                                              const MortarRange &range, MortarFunctions functions,
                                              GapGradients gradients) {
  SurfaceContacts surface_contacts(carrier, opposite, range, functions);
  std::vector<unsigned int> facets;
  auto pair = near_pairs.begin();
  for (unsigned int f = 0; f < carrier.facets.size(); ++f) {
    const dealii::Tensor<1, 3> normal = carrier.normal(f);
    facets.clear();
    for (; pair != near_pairs.end() && pair->first == f; ++pair)
      if (normal * opposite.normal(pair->second) < -least_opposing)
        facets.push_back(pair->second);
    surface_contacts.add(f, facets);
  }
  auto contacts = surface_contacts.contacts();
  if (gradients == GapGradients::computed)
    surface_contacts.add_gradients(contacts);
  return contacts;
}

std::vector<EdgePair> self_contact_pairs(const FacetSurface &surface,
                                         const std::vector<EdgePair> &near_pairs,
                                         const MortarRange &range) {
  return pairs_of_sides(
      surface.points.size(), surface.facets.size(), near_pairs, range, least_opposing,
      [&](unsigned int f) -> const std::vector<unsigned int> & { return surface.facets[f]; },
      [&](unsigned int f) { return surface.normal(f); },
      [&](unsigned int f) { return surface.middle(f); },
      [&](unsigned int f) {
        std::vector<dealii::Point<3>> corners;
        for (const unsigned int point : surface.facets[f])
          corners.push_back(surface.points[point]);
        return corners;
      });
}

} // namespace percussion
