#pragma once

namespace percussion {

/// Points of a region of an elastic body that carry its contacts.
enum class ContactPoints {
  nodes,     ///< nodes, each with its tributary area
  quadrature ///< quadrature points of the faces: contact terms are integrated
};

/// Functions of the multipliers of a mortar.
enum class MortarFunctions {
  dual, ///< dual functions of the nodes: one contact for each smooth region at a node
  /// Lagrange functions of the quadrature points of each facet, one for each of its corners: one
  /// contact for each point. They span the shape functions of the facet, and add up to one.
  quadrature
};

/// Formulation of the law of contact at these points.
enum class Formulation {
  collocated,  ///< law at each point separately
  multipliers, ///< law between points of faces and multipliers of their nodes: the hybrid
               ///< formulation of CA (eqs. 157 to 162), see add_augmentation()
  nitsche      ///< law with the stress of the body at the points of its faces
};

} // namespace percussion
