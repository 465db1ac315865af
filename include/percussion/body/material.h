#pragma once

#include <percussion/material/fibre_direction.h>
#include <percussion/material/linear_elastic.h>
#include <percussion/material/viscosity.h>

#include <deal.II/base/numbers.h>
#include <deal.II/base/point.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace percussion {

struct HyperelasticLaw;

/// Material for large deformations.
struct FiniteStrainMaterial {
  std::shared_ptr<const HyperelasticLaw> stored_energy; ///< never null
  FiniteViscosity viscosity;                            ///< not viscous if η is zero

  FiniteStrainMaterial(const HyperelasticLaw &law, const FiniteViscosity &v);

  const HyperelasticLaw &law() const { return *stored_energy; }
};

/// Relation of the strains of a cell to the displacements of its nodes.
enum class ElementKind {
  standard,           ///< gradients at the points
  incompatible_modes, ///< quadrilaterals and hexahedra of a linear material that can bend
  mean_dilatation,    ///< one volume change: of order 1 quadrilaterals and hexahedra only
  macro_cells         ///< four successive triangles or eight tetrahedra with one volume change
};

/// Number of triangles or tetrahedra of a macro-cell. They follow each other in the mesh.
template <int dim>
constexpr unsigned int cells_per_macro_cell = 1u << dim;

/// Directions of fibres that vary over a body: of the cell of this active index at this undeformed
/// point.
template <int dim>
using FibreField = std::function<FibreDirections(unsigned int cell, const dealii::Point<dim> &x)>;

/// Material of a cell.
template <int dim>
struct Material {
  double density;   ///< [mass / length³]
  double thickness; ///< out-of-plane size of a two-dimensional body [length]; 1 in three dimensions
  LinearElastic<dim> elastic; ///< the law, or the small-strain limit of `finite_strain`
  LinearViscosity viscosity;  ///< viscosity of linear cells
  std::optional<FiniteStrainMaterial> finite_strain{}; ///< empty for a linear material
  ElementKind element = ElementKind::standard;
  /// True for a body of revolution about the axis x[0] = 0: x[0] is the radius r, x[1] is z, and
  /// the third direction of a full tensor is along the circumference.
  bool is_axisymmetric = false;
  FibreField<dim> fibre_field{}; ///< replaces the directions of the law; empty: these everywhere

  /// Returns the out-of-plane size at an undeformed point [length]: the thickness, or the
  /// circumference 2 π r. All integrals over cells and faces have this factor.
  double out_of_plane_size(const dealii::Point<dim> &x) const {
    return is_axisymmetric ? 2. * dealii::numbers::PI * x[0] : thickness;
  }
};

/// Materials of the cells of a body.
template <int dim>
struct Materials {
  std::vector<Material<dim>> list;         ///< one or more materials
  std::vector<unsigned int> index_of_cell; ///< index into `list`, by active cell; empty: index 0
                                           ///< for all cells

  /// Assigns one material to all cells.
  Materials(const Material<dim> &everywhere) : list{everywhere} {}
  /// Assigns a material to each cell, as an index into the list.
  Materials(std::vector<Material<dim>> all, std::vector<unsigned int> number_of_cell)
      : list(std::move(all)), index_of_cell(std::move(number_of_cell)) {}

  /// Returns the index of the material of a cell.
  unsigned int number(unsigned int cell) const {
    return index_of_cell.empty() ? 0u : index_of_cell[cell];
  }
  /// Returns the material of a cell.
  const Material<dim> &material(unsigned int cell) const { return list[number(cell)]; }
  /// Returns true if any cells form macro-cells.
  bool have_macro_cells() const {
    return std::any_of(list.begin(), list.end(),
                       [](const auto &m) { return m.element == ElementKind::macro_cells; });
  }
  /// Returns true for a body of revolution; its materials agree in this.
  bool are_axisymmetric() const { return list.front().is_axisymmetric; }
  /// Returns true if all materials are linear.
  bool are_linear() const {
    return std::none_of(list.begin(), list.end(), [](const auto &m) { return m.finite_strain; });
  }
};

} // namespace percussion
