#pragma once

#include <percussion/base/error.h>
#include <percussion/body/region_faces.h>

#include <cmath>
#include <string>

namespace percussion {

/// Throws InputError if a region of a body of revolution has a face on its axis, which is inside
/// the body: its area is zero. The message begins with `subject`.
template <int dim>
void refuse_axis_faces(const ElasticBody<dim> &body, const Region &region,
                       const std::string &subject) {
  constexpr double round_off = 1e-8; // of coordinates in mesh files, relative to the face
  if (!body.materials.are_axisymmetric())
    return;
  for_each_face(body, region, [&](const auto &middle, const auto &, double diameter) {
    if (std::abs(middle[0]) <= round_off * diameter)
      throw InputError(subject +
                       " has a face on the axis of revolution x = 0, which is inside the body; "
                       "name a region of its surface");
  });
}

} // namespace percussion
