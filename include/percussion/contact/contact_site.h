#pragma once

#include <percussion/contact/contact_key.h>

#include <deal.II/base/point.h>
#include <deal.II/base/tensor.h>

#include <optional>

namespace percussion {

/// Identity and position of a contact, in lists, records and tables.
template <int dim>
struct ContactSite {
  ContactKey key;
  unsigned int point = 0;                    ///< index in Boundary::points
  std::optional<unsigned int> opposite_body; ///< opposite rigid body, if there is one
  dealii::Tensor<1, dim> normal;             ///< unit normal, away from the opposite side
  double area = 0; ///< area of the pressure [length^(dim−1) × thickness]; zero for rigid bodies
  /// Initial position of the material point of the point's body that is in contact: the position of
  /// `point`, unless two polyhedra touch at a vertex of the second or at two edges, a polyhedron
  /// touches a sphere, or a capsule or cylinder touches elsewhere than at its ends [length].
  dealii::Point<dim> material_point{};

  ContactSite &site() { return *this; }
  const ContactSite &site() const { return *this; }
};

} // namespace percussion
