#pragma once

namespace percussion {

/// Which points of a region of an elastic body carry its contacts.
enum class Places {
  nodes,     ///< each with its tributary area
  quadrature ///< the quadrature points of its faces: contact terms are integrated
};

/// How the law of contact holds at these points.
enum class Formulation {
  collocated,  ///< at each on its own
  multipliers, ///< between the points of faces and multipliers of their nodes: the hybrid
               ///< formulation of CA (eqs. 157 to 162), see add_augmentation()
  nitsche      ///< with the stress of the body at the points of its faces in the law
};

} // namespace percussion
