#pragma once

#include <percussion/body/cell_gradients.h>
#include <percussion/body/finite_strain.h>
#include <percussion/material/history_step.h>

#include <string>
#include <vector>

namespace percussion {

/// Cauchy stress of cells of a body, averaged over their quadrature points; of a body of revolution
/// over its volume, with the hoop stress as third component.
///
/// The mean strain of a linear cell is linear in q. In 2D, the mean gradients of the shape
/// functions are stored, so that a stress field costs as little as a matrix product. In 3D they are
/// computed in each call, because they would take as much memory as the mesh.
template <int dim>
class CellStress {
public:
  /// The body must outlive this object.
  explicit CellStress(const ElasticBody<dim> &body);
  /// Selects cells, by ascending active indices, each of which acts on the range of this process.
  CellStress(const ElasticBody<dim> &body, const std::vector<unsigned int> &cells,
             const Partition &partition);

  /// Returns the number of cells.
  unsigned int n_cells() const { return static_cast<unsigned int>(law_locations.size()); }
  /// Returns the stress of a cell at the displacements q [stress], including the out-of-plane
  /// components. The cell is an index in the selection; without one, its active index.
  /// Laws with memory need the histories of the body, an entry of MaterialHistory.
  dealii::SymmetricTensor<2, 3>
  operator()(unsigned int cell, const Vector &q,
             const std::vector<std::vector<double>> &history = {}) const;
  /// Returns the mean of a number of the history of a cell with this name (history_outputs()); zero
  /// if its law has none.
  double history_output(unsigned int cell, const std::vector<std::vector<double>> &history,
                        const std::string &name) const;

  /// Returns the mean F a of both families of fibres of a cell at the displacements q: see
  /// FiniteStrain::deformed_fibres(). Zero if the cell has none.
  FibreDirections deformed_fibres(unsigned int cell, const Vector &q) const;

private:
  using Gradients = typename CellGradients<dim>::Gradients;

  /// Location of the law of a cell: in `laws` for linear cells, in `finite_strain` for the others.
  struct Place {
    bool is_linear;
    unsigned int law, cell;
    unsigned int material; ///< entry of the body's list of materials
  };
  /// Returns the history of the material of a cell.
  static const std::vector<double> &
  material_history(const Place &place, const std::vector<std::vector<double>> &history);

  /// Returns the mean strain of a cell at q, by its active index.
  dealii::SymmetricTensor<2, dim> strain(const Gradients &mean_gradients, unsigned int cell,
                                         const Vector &q) const;
  using Revolved = typename CellGradients<dim>::Revolved;
  /// Returns the mean strain of a cell of a body of revolution, likewise.
  dealii::SymmetricTensor<2, 3> strain(const Revolved &means, unsigned int cell,
                                       const Vector &q) const;
  dealii::SymmetricTensor<2, 3> linear_stress(unsigned int cell, const Place &place,
                                              const Vector &q) const;
  /// Returns the mean volume change div u of a macro-cell at q, by a cell of it.
  double macro_dilatation(unsigned int cell, const Vector &q) const;

  const Space<dim> &space;
  bool is_axisymmetric;
  CellGradients<dim> gradients;
  std::vector<Gradients> stored_gradients; ///< mean gradients of each cell in 2D
  std::vector<LinearElastic<dim>> laws;
  std::vector<bool> have_macro_cells; ///< true for each law of macro-cells
  std::vector<Place> law_locations;
  std::vector<FiniteStrain<dim>> finite_strain;
  std::vector<std::vector<HistoryOutput>> outputs; ///< fields of the histories of `finite_strain`
};

} // namespace percussion
