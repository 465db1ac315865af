#include "secant_row.h"

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

constexpr double max_correction = 0.3;
constexpr double complete = 1. - 1e-9; // sum of the weights of the own side
// Displacements and arms over the round-off of gaps: shorter ones have no direction.
constexpr double least_displacement = 1e8;

/// Node of a support: its row and its motion.
template <int dim>
struct RowNode {
  unsigned int entry;           ///< first of its dim trace entries
  bool is_own;                  ///< true on the side of the contact point
  dealii::Tensor<1, dim> row;   ///< B_k
  dealii::Tensor<1, dim> arm;   ///< X_k, from the weighted mean position [length]
  dealii::Tensor<1, dim> moved; ///< D_k [length]
  double weight;                ///< w_k = |B_k|
};

/// Rotation of rigid bodies next to vectors at the arms of nodes. Arms up to a length that
/// round-off determines leave rotations out: of a node at the vertex of the other side, the row
/// without a moment would have the direction of the round-off between them.
template <int dim>
class MeanRotation;

template <>
class MeanRotation<2> {
public:
  MeanRotation(const std::vector<RowNode<2>> &nodes, double least_arm) {
    double total = 0;
    for (const auto &node : nodes) {
      inertia += node.weight * node.arm.norm_square();
      total += node.weight;
    }
    if (!(inertia > total * least_arm * least_arm))
      inertia = 0.;
  }
  /// Returns the rotation whose velocities have this moment.
  double rotation_with(double moment) const { return inertia > 0. ? moment / inertia : 0.; }
  static double moment(const dealii::Tensor<1, 2> &arm, const dealii::Tensor<1, 2> &vector) {
    return arm[0] * vector[1] - arm[1] * vector[0];
  }
  static dealii::Tensor<1, 2> velocity(double rotation, const dealii::Tensor<1, 2> &arm) {
    return dealii::Tensor<1, 2>({-rotation * arm[1], rotation * arm[0]});
  }
  using Rotation = double;

private:
  double inertia = 0;
};

template <>
class MeanRotation<3> {
public:
  using Rotation = dealii::Tensor<1, 3>;

  /// Arms on one line, or none, leave rotations out that move nothing.
  MeanRotation(const std::vector<RowNode<3>> &nodes, double least_arm) {
    constexpr double least_inertia = 1e-12;
    dealii::SymmetricTensor<2, 3> inertia;
    double total = 0;
    for (const auto &node : nodes) {
      inertia += node.weight * (node.arm.norm_square() * dealii::unit_symmetric_tensor<3>() -
                                symmetrize(outer_product(node.arm, node.arm)));
      total += node.weight;
    }
    const auto principal = eigenvectors(inertia);
    for (const auto &[value, axis] : principal)
      if (value > std::max(least_inertia * principal[0].first, total * least_arm * least_arm))
        inverse += 1. / value * outer_product(axis, axis);
  }
  Rotation rotation_with(const Rotation &moment) const { return inverse * moment; }
  static Rotation moment(const dealii::Tensor<1, 3> &arm, const dealii::Tensor<1, 3> &vector) {
    return cross_product_3d(arm, vector);
  }
  static dealii::Tensor<1, 3> velocity(const Rotation &rotation, const dealii::Tensor<1, 3> &arm) {
    return cross_product_3d(rotation, arm);
  }

private:
  dealii::Tensor<2, 3> inverse;
};

/// Returns the row without its moment about points in the middle of the step, or, of displacements,
/// the motion of the nodes relative to each other.
template <int dim, typename Vectors>
std::vector<dealii::Tensor<1, dim>> without_rotation(const std::vector<RowNode<dim>> &nodes,
                                                     const MeanRotation<dim> &mean,
                                                     const Vectors &vector_of) {
  typename MeanRotation<dim>::Rotation moment{};
  for (const auto &node : nodes)
    moment += MeanRotation<dim>::moment(node.arm, vector_of(node));
  const auto rotation = mean.rotation_with(moment);
  std::vector<dealii::Tensor<1, dim>> vectors;
  for (const auto &node : nodes)
    vectors.push_back(vector_of(node) -
                      node.weight * MeanRotation<dim>::velocity(rotation, node.arm));
  return vectors;
}

/// Returns the nodes of a support whose entries are all of elastic bodies, in groups of dim. The
/// nodes of the own side come first, and their weights add up to one.
template <int dim>
std::vector<RowNode<dim>> nodes_of(const SecantRow<dim> &row, std::size_t n,
                                   const StepMotion<dim> &motion) {
  std::vector<RowNode<dim>> nodes;
  dealii::Tensor<1, dim> mean;
  double total = 0, own_weight = 0;
  for (std::size_t k = 0; k + dim <= n; k += dim) {
    const unsigned int entry = row.support[k].entry;
    auto node = std::find_if(nodes.begin(), nodes.end(),
                             [&](const auto &known) { return known.entry == entry; });
    if (node == nodes.end())
      node = nodes.insert(nodes.end(), {entry, own_weight < complete, {}, {}, {}, 0.});
    own_weight += own_weight < complete ? tangential_weight(row.contact, &row.support[k]) : 0.;
    for (unsigned int d = 0; d < dim; ++d) {
      node->row[d] += row.contact.normal * row.support[k + d].weight;
      node->moved[d] = motion.displacement[entry + d];
    }
  }
  for (auto &node : nodes) {
    node.weight = node.row.norm();
    node.arm = motion.middle[node.entry / dim];
    mean += node.weight * node.arm;
    total += node.weight;
  }
  if (total > 0.)
    mean /= total;
  for (auto &node : nodes)
    node.arm -= mean;
  return nodes;
}

/// Returns a factor with the norm of the correction bounded.
double bounded(double factor, double correction, double row) {
  const double largest = max_correction * row / correction;
  return std::clamp(factor, -largest, largest);
}

/// Corrects the rows of nodes; returns the change of the gap that they then give.
template <int dim>
double correct_nodes(std::vector<RowNode<dim>> &nodes, std::optional<double> change,
                     double rounding) {
  const MeanRotation<dim> mean(nodes, least_displacement * rounding);
  const auto rows =
      without_rotation(nodes, mean, [](const RowNode<dim> &node) { return node.row; });
  dealii::Tensor<1, dim> translation;
  double total = 0, given = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    nodes[k].row = rows[k];
    given += rows[k] * nodes[k].moved;
    translation += nodes[k].weight * nodes[k].moved;
    total += nodes[k].weight;
  }
  if (!change || !(total > 0.))
    return given;
  translation /= total;
  const auto relative = without_rotation(nodes, mean, [&](const RowNode<dim> &node) {
    return node.weight * (node.moved - translation);
  });
  double motion = 0;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    motion += relative[k] * nodes[k].moved;
  if (!(std::sqrt(std::max(motion, 0.) / total) > least_displacement * rounding))
    return given;
  const double factor = bounded((*change - given) / motion, std::sqrt(motion), std::sqrt(total));
  for (std::size_t k = 0; k < nodes.size(); ++k)
    nodes[k].row += factor * relative[k];
  return given + factor * motion;
}

/// Writes the corrected rows into the support, with the direction of the force on the own side as
/// the normal. Returns the divisor of the rows.
template <int dim>
double store(std::vector<RowNode<dim>> nodes, std::size_t n, bool has_unit_force,
             SecantRow<dim> &row) {
  dealii::Tensor<1, dim> force;
  for (const auto &node : nodes)
    if (node.is_own)
      force += node.row;
  const double resultant = force.norm();
  const dealii::Tensor<1, dim> normal = force / resultant;
  const double divisor = has_unit_force ? resultant : 1.;
  for (auto &node : nodes)
    node.row /= divisor;
  std::vector<dealii::Tensor<1, dim>> remaining;
  for (const auto &node : nodes)
    remaining.push_back(node.row);
  for (std::size_t k = 0; k + dim <= n; k += dim) {
    // Along the old normal, gradients would add to the tangential rows.
    const double weight = tangential_weight(row.contact, &row.support[k]);
    for (unsigned int d = 0; d < dim; ++d) {
      row.support[k + d].weight = 0.;
      row.support[k + d].weight[d] = weight;
    }
  }
  for (std::size_t k = 0; k + dim <= n; k += dim)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].entry == row.support[k].entry)
        for (unsigned int d = 0; d < dim; ++d)
          remaining[i][d] -= normal * row.support[k + d].weight;
  for (std::size_t k = 0; k + dim <= n; k += dim)
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i].entry == row.support[k].entry) {
        for (unsigned int d = 0; d < dim; ++d)
          row.support[k + d].weight += remaining[i][d] * normal;
        remaining[i] = 0.; // a node may occur twice
      }
  row.contact.normal = normal;
  return divisor;
}

/// Turns the normal of a contact; returns the change of the gap that its row then gives.
template <int dim>
double turn_normal(SecantRow<dim> &row, std::size_t n, const StepMotion<dim> &motion,
                   const dealii::Tensor<1, dim> *surface, std::optional<double> change,
                   double rounding, bool has_unit_force) {
  dealii::Tensor<1, dim> moved;
  if (surface != nullptr)
    moved -= *surface;
  for (std::size_t k = 0; k < n; ++k)
    moved += motion.displacement[row.support[k].entry] * row.support[k].weight;
  const double given = row.contact.normal * moved, distance = moved.norm();
  if (!change || !(distance > least_displacement * rounding))
    return given;
  const double factor = bounded((*change - given) / (distance * distance), distance, 1.);
  const dealii::Tensor<1, dim> turned = row.contact.normal + factor * moved;
  const dealii::Tensor<1, dim> normal = turned / turned.norm();
  row.contact.normal = normal;
  if (has_unit_force)
    return normal * moved;
  for (std::size_t k = 0; k < n; ++k) {
    auto &weight = row.support[k].weight;
    weight += (turned * weight - normal * weight) * normal;
  }
  return turned * moved;
}

} // namespace

template <int dim>
double correct_row(SecantRow<dim> &row, const StepMotion<dim> &motion,
                   const dealii::Tensor<1, dim> *surface, std::optional<double> change,
                   double rounding, bool has_unit_force) {
  const std::size_t n = row.support.size() - row.contact.n_traction;
  const bool is_between_nodes =
      surface == nullptr &&
      std::all_of(row.support.begin(), row.support.begin() + static_cast<std::ptrdiff_t>(n),
                  [&](const auto &support) { return support.entry < motion.n_elastic; });
  if (!is_between_nodes)
    return turn_normal(row, n, motion, surface, change, rounding, has_unit_force);
  auto nodes = nodes_of(row, n, motion);
  const double given = correct_nodes(nodes, change, rounding);
  return given / store(nodes, n, has_unit_force, row);
}

template <int dim>
double row_resultant(const Contact<dim> &contact, const Support<dim> *support,
                     unsigned int n_elastic) {
  constexpr double round_off = 1e-13;
  const dealii::Tensor<1, dim> &normal = contact.normal;
  const unsigned int n = contact.support_end - contact.support_begin - contact.n_traction;
  double own = 0, own_weight = 0;
  for (unsigned int k = 0; k + dim <= n && own_weight <= complete; k += dim) {
    if (support[k].entry >= n_elastic)
      break;
    for (unsigned int d = 0; d < dim; ++d)
      own += normal[d] * (normal * support[k + d].weight);
    own_weight += tangential_weight(contact, support + k);
  }
  const double resultant = own_weight > complete ? own / own_weight : 1.;
  return std::abs(resultant - 1.) > round_off && resultant > 0. ? resultant : 1.;
}

template <int dim>
double scale_to_unit_force(const Contact<dim> &contact, Support<dim> *support,
                           unsigned int n_elastic) {
  const double resultant = row_resultant(contact, support, n_elastic);
  if (resultant == 1.)
    return resultant;
  const unsigned int n = contact.support_end - contact.support_begin - contact.n_traction;
  for (unsigned int k = 0; k < n; ++k) {
    auto &weight = support[k].weight;
    weight += (1. / resultant - 1.) * (contact.normal * weight) * contact.normal;
  }
  return resultant;
}

template <int dim>
bool omit_gradients(ContactList<dim> &list, unsigned int n_elastic) {
  constexpr double round_off = 1e-12;
  bool has_changed = false;
  for (const Contact<dim> &contact : list.contacts) {
    const auto begin = list.support.begin() + contact.support_begin,
               end = list.support.begin() + contact.support_end - contact.n_traction;
    if (std::any_of(begin, end, [&](const auto &node) { return node.entry >= n_elastic; }))
      continue;
    for (auto node = begin; node != end; node += dim) {
      const double weight = tangential_weight(contact, &*node);
      for (unsigned int d = 0; d < dim; ++d) {
        dealii::Tensor<1, dim> plain;
        plain[d] = weight;
        has_changed = has_changed || (plain - (node + d)->weight).norm() > round_off;
        (node + d)->weight = plain;
      }
    }
  }
  return has_changed;
}

template bool omit_gradients(ContactList<2> &, unsigned int);
template bool omit_gradients(ContactList<3> &, unsigned int);
template double row_resultant(const Contact<2> &, const Support<2> *, unsigned int);
template double row_resultant(const Contact<3> &, const Support<3> *, unsigned int);
template double scale_to_unit_force(const Contact<2> &, Support<2> *, unsigned int);
template double scale_to_unit_force(const Contact<3> &, Support<3> *, unsigned int);
template double correct_row(SecantRow<2> &, const StepMotion<2> &, const dealii::Tensor<1, 2> *,
                            std::optional<double>, double, bool);
template double correct_row(SecantRow<3> &, const StepMotion<3> &, const dealii::Tensor<1, 3> *,
                            std::optional<double>, double, bool);

} // namespace percussion
