#pragma once

#include <percussion/body/elastic_body.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

/// Speeds of plane waves in the undeformed body, for its law in 2D or 3D [length/time].
struct WaveSpeeds {
  double dilatational, shear;
};

template <int dim>
WaveSpeeds wave_speeds(const Material<dim> &material) {
  const auto &law = material.elastic;
  return {std::sqrt((law.lambda + 2 * law.mu) / material.density),
          std::sqrt(law.mu / material.density)};
}

template <int dim>
double shortest_edge(const Space<dim> &space) {
  double shortest = std::numeric_limits<double>::max();
  for (const double size : space.local_size)
    shortest = std::min(shortest, size);
  return shortest;
}

} // namespace percussion
