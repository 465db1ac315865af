// Lengths and curvatures of the sides of a contact, which decide where multipliers are.

#pragma once

#include <percussion/contact/facets.h>

namespace percussion {

/// Returns the mean length of the edges of a side [length].
template <int dim>
double mean_length(const Facets<dim> &side);

/// Returns the mean curvature of a side: angles between adjacent facets, except corners, over the
/// distances of their middles [1/length].
template <int dim>
double mean_curvature(const Facets<dim> &side);

/// Returns the largest distance of a facet from the curve or surface that the facets around it
/// approximate [length]: a chord's sagitta, in 3D in two directions. Zero for flat sides; corners
/// do not count.
template <int dim>
double largest_sagitta(const Facets<dim> &side);

/// True if a side should carry multipliers because its curvature would be lost otherwise: within a
/// longer, flatter facet of the opposite side it turns by more than 0.1, so that the mean over such
/// a facet closes long after or before the surfaces touch.
template <int dim>
bool is_curved_within_facets(const Facets<dim> &side, const Facets<dim> &opposite);

} // namespace percussion
