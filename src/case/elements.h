#pragma once

#include <percussion/body/material.h>
#include <percussion/body/mesh.h>
#include <percussion/material/hyperelastic.h>

#include <string>
#include <vector>

namespace percussion {

/// Row of the table of elements: a value of Material/Element, and the cells and laws that it takes.
struct ElementEntry {
  enum class Cells { any, hypercubes, simplices };
  enum class Laws { any, linear, volumetric };

  const char *name;
  const char *description;
  ElementKind kind;
  Cells cells;                 ///< shapes of cells of first order
  bool has_second_order;       ///< true if cells of second order can be of this element
  Laws laws;                   ///< volumetric: those with a volume change that can be a mean
  bool raises_order = false;   ///< true if it gives cells of first order second order
  bool has_axisymmetry = true; ///< true if bodies of revolution can have it
};

/// Returns all elements.
const std::vector<ElementEntry> &elements();

/// Law of a material, as far as elements depend on it.
struct LawOfElement {
  const HyperelasticLawEntry *law; ///< null for linear elasticity
  Plane plane;
  bool is_axisymmetric;
};

/// Returns the reason why an element does not take a law, a text that follows its name; empty if it
/// does.
std::string misfit(const ElementEntry &element, const LawOfElement &law);
/// Returns the names of the elements that take a law, in words.
std::string elements_in_words(const LawOfElement &law);

/// Returns the reason why the cells of a mesh cannot be of an element, with those that they can be
/// with a law; empty if they can.
template <int dim>
std::string misfit(const ElementEntry &element, const Mesh<dim> &mesh, const LawOfElement &law);

} // namespace percussion
