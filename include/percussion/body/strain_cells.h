#pragma once

#include <percussion/algebra/partition.h>
#include <percussion/algebra/vector.h>
#include <percussion/body/elastic_body.h>

#include <deal.II/fe/fe_values.h>

namespace percussion {

/// Cells of one hyperelastic material, with shape gradients and weights of their quadrature points,
/// so that steps do not access the mesh. Blocks of n_lanes cells are evaluated at once.
///
/// Processes share the cells: each has those that act on its range of a Partition, and others with
/// which they are computed, so that no sum of a force crosses processes.
///
/// A group consists of the cells of a macro-cell; else it is one cell. The cells of a macro-cell
/// fill whole blocks.
template <int dim>
class StrainCells {
public:
  /// Selects the cells of a body with the given entry of its list of materials that act on the
  /// range of this process.
  StrainCells(const ElasticBody<dim> &body, unsigned int material_number,
              const Partition &partition);

  /// Returns the number of cells of this process.
  unsigned int n_cells() const { return number_of_cells; }
  /// Returns the number of degrees of freedom of one cell.
  unsigned int dofs_per_cell() const { return dim * nodes_per_cell; }
  /// Returns the dofs_per_cell() degrees of freedom of a cell, node by node.
  const unsigned int *dofs(unsigned int cell) const {
    return cells.dofs.data() + std::size_t(cell) * dofs_per_cell();
  }
  /// Returns the number of groups of this process.
  unsigned int n_groups() const { return number_of_cells / cells_per_group; }
  /// Returns the number of degrees of freedom of a group.
  unsigned int dofs_per_group() const {
    return cells_per_group == 1 ? dofs_per_cell() : dofs_per_macro_cell;
  }
  /// Returns the dofs_per_group() degrees of freedom of a group, node by node.
  const unsigned int *dofs_of_group(unsigned int group) const {
    return cells_per_group == 1
               ? dofs(group)
               : cells.macro_dofs.data() + std::size_t(group) * dofs_per_macro_cell;
  }
  /// Returns the active index of a cell in its mesh.
  unsigned int index_in_mesh(unsigned int cell) const { return cells.mesh_indices[cell]; }
  /// Returns ‖K |1|‖ of the body at rest, as if all terms of K had one sign: the factor from a
  /// rounding error of the displacements to the rounding error of the force [force / length].
  double stiffness_norm() const { return norm_of_stiffness; }

protected:
  /// Largest number of nodes of a cell, of Q9 and H27.
  static constexpr unsigned int max_nodes = dim == 2 ? 9 : 27;

  /// Cells, padded to whole blocks.
  struct Cells {
    std::vector<unsigned int> dofs;              ///< degrees of freedom of each cell, node by node
    std::vector<unsigned char> indices_in_group; ///< their positions in the group of the cell
    std::vector<unsigned int> mesh_indices;      ///< active index of each cell in the mesh
    std::vector<unsigned int> macro_dofs;        ///< degrees of freedom of each macro-cell
  };
  /// One quadrature point of each of n_lanes successive cells, a block, processed at once. Cells
  /// missing in the last block have zero weight and slopes.
  struct alignas(lanes_alignment) Points {
    Lanes weight;           ///< JxW × out-of-plane size
    LaneGradientIn<dim> G0; ///< ∇u at q0
  };
  /// ∇N of one node at the same points.
  struct alignas(lanes_alignment) Slope {
    std::array<Lanes, dim> component;
    const Lanes &operator[](unsigned int d) const { return component[d]; }
  };
  /// Hoop strains u_r/r at the same points of an axisymmetric body.
  struct alignas(lanes_alignment) Hoops {
    Lanes inverse_radius;                    ///< Σ N_a / r of all nodes, 1/r [1 / length]
    std::array<Lanes, max_nodes - 1> shapes; ///< N_a / r of all nodes except the first
    Lanes G0;                                ///< u_r / r at q0
  };
  unsigned int n_blocks() const {
    return static_cast<unsigned int>(cells.mesh_indices.size()) / n_lanes;
  }
  /// Returns the index of the first of the points_per_cell points of a cell's block.
  unsigned int first_point(unsigned int cell) const { return cell / n_lanes * points_per_cell; }
  /// Returns ∇N of all nodes at a point of one lane.
  std::array<dealii::Tensor<1, dim>, max_nodes> shape_gradients(std::size_t point,
                                                                unsigned int lane) const;
  /// Returns N/r of all nodes at a point of one lane; zero unless the body is axisymmetric.
  std::array<double, max_nodes> hoop_shapes(std::size_t point, unsigned int lane) const;

  /// Nodes of four triangles or eight tetrahedra: corners and middles of edges.
  static constexpr unsigned int dofs_per_macro_cell = dim * (dim + 1) * (dim + 2) / 2;

  Partition partition;
  unsigned int nodes_per_cell, points_per_cell;
  unsigned int cells_per_group;  ///< 1, or the number of cells of a macro-cell
  unsigned int blocks_per_group; ///< number of blocks of a macro-cell; else 1
  Cells cells;
  std::vector<Points> points; ///< block by block
  std::vector<Slope> slopes;  ///< ∇N of the nodes except the first, point by point
  std::vector<Hoops> hoops;   ///< likewise; empty unless the body is axisymmetric
  std::vector<unsigned int>
      block_numbers; ///< number of each block among the blocks of all processes
  unsigned int n_blocks_of_all = 0;
  SharedItems shared_blocks; ///< blocks whose energies each process computes
  double square_of_rate = 0; ///< square of the rate of waves through the smallest cells [1 / time²]

private:
  void add_cell(const Space<dim> &space, const dealii::FEValues<dim> &values,
                const Material<dim> &material);
  void add_point(const Space<dim> &space, const dealii::FEValues<dim> &values,
                 const Material<dim> &material, std::size_t point, unsigned int q);
  void add_hoops(const std::vector<double> &shapes, double radius, std::size_t point,
                 unsigned int lane);
  void measure_stiffness(const LinearElastic<dim> &law, unsigned int cell, unsigned int first_dof,
                         std::vector<double> &row_sum);
  void finish_blocks(std::vector<std::vector<unsigned int>> &blocks_of_process);
  void collect_dofs_of_group();

  unsigned int number_of_cells = 0;
  double norm_of_stiffness = 0;
};

} // namespace percussion
