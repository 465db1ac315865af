#include <deal.II/base/symmetric_tensor.h>

#include "parameter_sections.h"

namespace percussion {
/// A motion a + w × x is felt by a held degree of freedom as its row of (1, 0, −y), (0, 1, x); what
/// no row feels is free. Positions count from the part's first node in units of the part's size.
template <int dim>
std::string free_rigid_motion(const Space<dim> &space, const std::vector<bool> &held) {
  static_assert(dim == 2, "the rotations of a three-dimensional body are three");
  const auto &part = space.part;
  for (unsigned int root = 0; root < part.size(); ++root) {
    if (part[root] != root)
      continue;
    const auto &origin = space.nodes[root];
    double size = 0;
    for (unsigned int node = 0; node < part.size(); ++node)
      if (part[node] == root)
        size = std::max(size, space.nodes[node].distance(origin));
    dealii::SymmetricTensor<2, 3> felt;
    for (unsigned int node = 0; node < part.size(); ++node)
      for (unsigned int d = 0; part[node] == root && d < dim; ++d)
        if (held[space.node_dofs[node][d]]) {
          const auto x = (space.nodes[node] - origin) / size;
          dealii::Tensor<1, 3> row;
          row[d] = 1;
          row[2] = d == 0 ? -x[1] : x[0];
          felt += dealii::symmetrize(dealii::outer_product(row, row));
        }
    if (felt[0][0] == 0 || felt[1][1] == 0)
      return std::string("move in the direction ") + (felt[0][0] == 0 ? "x" : "y");
    if (dealii::determinant(felt) <= 1e-12 * felt[0][0] * felt[1][1])
      return "rotate";
  }
  return {};
}

template std::string free_rigid_motion<2>(const Space<2> &, const std::vector<bool> &);

} // namespace percussion
