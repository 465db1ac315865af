#include <percussion/algebra/cholesky.h>
#include <percussion/base/error.h>
#include <percussion/base/instantiate.h>
#include <percussion/body/mass_redistribution.h>

#include <deal.II/lac/lapack_full_matrix.h>
#include <deal.II/lac/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

namespace percussion {
namespace {

constexpr unsigned int unreached = std::numeric_limits<unsigned int>::max();

struct Entry {
  unsigned int node;
  double value;
};

/// Mass matrix of one component of the displacement, as entries by rows of nodes [mass].
using NodalMass = std::vector<std::vector<Entry>>;

/// Number of independent products of two components of x̂ = (1, x).
template <int dim>
constexpr unsigned int n_moments = (dim + 1) * (dim + 2) / 2;

template <int dim>
using Moments = std::array<double, n_moments<dim>>;

template <int dim>
NodalMass first_component(const Space<dim> &space, const SparseMatrix &mass) {
  std::vector<unsigned int> node_of(mass.n_rows(), unreached);
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    node_of[space.node_dofs[i][0]] = i;
  NodalMass rows(space.n_nodes());
  for (unsigned int i = 0; i < space.n_nodes(); ++i) {
    const unsigned int row = space.node_dofs[i][0];
    const SparseRow entries = mass.row(row);
    for (int k = 0; k < entries.size; ++k)
      if (const unsigned int node = node_of[static_cast<unsigned int>(entries.column[k])];
          node != unreached)
        rows[i].push_back({node, entries.value[k]});
  }
  return rows;
}

template <int dim>
void write_to_all_components(const Space<dim> &space, const NodalMass &rows, SparseMatrix &mass) {
  for (unsigned int i = 0; i < rows.size(); ++i)
    for (const Entry &entry : rows[i])
      for (unsigned int d = 0; d < dim; ++d)
        mass.at(space.node_dofs[i][d], space.node_dofs[entry.node][d]) = entry.value;
}

/// Returns the number of edges from each node to the nearest one with the given value in
/// `is_start`; `unreached` if there is none.
std::vector<unsigned int> layers_from(const NodalMass &rows, const std::vector<bool> &is_start,
                                      bool value) {
  std::vector<unsigned int> layer(rows.size(), unreached), front;
  for (unsigned int i = 0; i < rows.size(); ++i)
    if (is_start[i] == value) {
      layer[i] = 0;
      front.push_back(i);
    }
  for (std::size_t k = 0; k < front.size(); ++k) {
    const unsigned int i = front[k];
    for (const Entry &entry : rows[i])
      if (layer[entry.node] == unreached) {
        layer[entry.node] = layer[i] + 1;
        front.push_back(entry.node);
      }
  }
  return layer;
}

/// Element without contact nodes.
template <int dim>
struct FreeElement {
  std::vector<unsigned int> nodes;
  dealii::Point<dim> centre;
};

/// Returns the elements without contact nodes by connected component. Throws InputError if a
/// component with contact nodes has none: the remaining nodes could lie on a line and have no
/// moment of inertia about it.
template <int dim>
std::map<unsigned int, std::vector<FreeElement<dim>>>
free_elements(const Space<dim> &space, const std::vector<bool> &is_contact) {
  std::map<unsigned int, std::vector<FreeElement<dim>>> elements;
  for (const auto &cell : space.dofs.active_cell_iterators()) {
    FreeElement<dim> element{{}, cell->center()};
    const unsigned int *const nodes = space.nodes_of(cell->active_cell_index());
    for (unsigned int k = 0; k < space.nodes_per_cell(); ++k)
      if (!is_contact[nodes[k]])
        element.nodes.push_back(nodes[k]);
    if (element.nodes.size() == space.nodes_per_cell())
      elements[space.component[element.nodes[0]]].push_back(element);
  }
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (is_contact[i] && elements.count(space.component[i]) == 0) {
      std::ostringstream message;
      message << "the mass cannot be taken from the contact nodes: every element of the component "
                 "of the body with the node at ("
              << space.nodes[i]
              << ") has a contact node; refine the mesh, name a smaller contact region, or keep "
                 "the consistent mass";
      throw InputError(message.str());
    }
  return elements;
}

/// Clears the rows and columns of the contact nodes. Returns the sum of the entries lost by each
/// row.
std::vector<double> empty_contact_rows(const std::vector<bool> &is_contact, NodalMass &rows) {
  std::vector<double> lost(rows.size(), 0.);
  for (unsigned int i = 0; i < rows.size(); ++i)
    for (Entry &entry : rows[i])
      if (is_contact[i] || is_contact[entry.node]) {
        lost[i] += entry.value;
        entry.value = 0;
      }
  return lost;
}

void add(NodalMass &rows, unsigned int i, unsigned int j, double value) {
  for (Entry &entry : rows[i])
    if (entry.node == j)
      entry.value += value;
}

/// Returns the contact nodes by decreasing number of edges to the nearest node without contact.
std::vector<unsigned int> innermost_first(const std::vector<unsigned int> &depth) {
  std::vector<unsigned int> order;
  for (unsigned int i = 0; i < depth.size(); ++i)
    if (depth[i] > 0 && depth[i] != unreached)
      order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned int i, unsigned int j) { return depth[i] > depth[j]; });
  return order;
}

/// Adds the row sum of each contact node to the diagonal of its neighbours one edge nearer to the
/// nodes without contact, in proportion to the entries that couple them. Preserves the total mass.
NodalMass move_to_neighbours(const NodalMass &consistent, const std::vector<bool> &is_contact) {
  NodalMass rows = consistent;
  std::vector<double> moved = empty_contact_rows(is_contact, rows);
  const auto depth = layers_from(consistent, is_contact, false);
  for (const unsigned int c : innermost_first(depth)) {
    double sum = 0;
    for (const Entry &entry : consistent[c])
      sum += depth[entry.node] < depth[c] ? entry.value : 0.;
    for (const Entry &entry : consistent[c])
      if (depth[entry.node] < depth[c])
        moved[entry.node] += moved[c] * entry.value / sum;
  }
  for (unsigned int i = 0; i < rows.size(); ++i)
    if (!is_contact[i])
      add(rows, i, i, moved[i]);
  return rows;
}

/// Returns the coefficients of the nodal values of an element in the value at x of their best
/// linear fit.
template <int dim>
std::vector<double> extrapolation(const Space<dim> &space, const FreeElement<dim> &element,
                                  const dealii::Point<dim> &x) {
  const double n = double(element.nodes.size());
  dealii::Tensor<1, dim> mean;
  for (const unsigned int node : element.nodes)
    mean += space.nodes[node] / n;
  dealii::Tensor<2, dim> gram;
  for (const unsigned int node : element.nodes)
    gram += outer_product(space.nodes[node] - mean, space.nodes[node] - mean);
  const dealii::Tensor<1, dim> slope = invert(gram) * (x - mean);
  std::vector<double> coefficients;
  for (const unsigned int node : element.nodes)
    coefficients.push_back(1 / n + slope * (space.nodes[node] - mean));
  return coefficients;
}

/// Distributes the row sum of each contact node by linear extrapolation from the nearest element
/// without contact nodes: positive semi-definite, preserves the total mass and its centre.
template <int dim>
NodalMass move_to_elements(const Space<dim> &space, const NodalMass &consistent,
                           const std::vector<bool> &is_contact) {
  const auto elements = free_elements(space, is_contact);
  NodalMass rows = consistent;
  const std::vector<double> moved = empty_contact_rows(is_contact, rows);
  for (unsigned int c = 0; c < rows.size(); ++c) {
    if (!is_contact[c]) {
      add(rows, c, c, moved[c]);
      continue;
    }
    const auto &candidates = elements.at(space.component[c]);
    const auto distance = [&](const auto &e) { return e.centre.distance(space.nodes[c]); };
    const auto nearest =
        *std::min_element(candidates.begin(), candidates.end(),
                          [&](const auto &a, const auto &b) { return distance(a) < distance(b); });
    const auto coefficients = extrapolation(space, nearest, space.nodes[c]);
    for (std::size_t i = 0; i < coefficients.size(); ++i)
      for (std::size_t j = 0; j < coefficients.size(); ++j)
        add(rows, nearest.nodes[i], nearest.nodes[j],
            moved[c] * (coefficients[i] * coefficients[j]));
  }
  return rows;
}

/// Correction that restores the moments x̂ᵀ M x̂ of one connected component by the smallest
/// weighted change of entries.
template <int dim>
class MomentCorrection {
public:
  /// `taking_part`: ψ of each node of the body.
  MomentCorrection(const Space<dim> &body_space, const NodalMass &mass,
                   const std::vector<unsigned int> &part_nodes,
                   const std::vector<double> &taking_part)
      : space(body_space), consistent(mass), nodes(part_nodes), psi(taking_part) {
    scale_positions();
    invert_gram_matrix();
  }

  /// Restores the moments of the consistent matrix in `rows`. Returns false if this is impossible.
  bool apply(NodalMass &rows) const {
    const Moments<dim> missing = missing_moments(rows);
    Moments<dim> remaining_moments = missing;
    // Iterative refinement, because the Gram matrix of a slender region is ill-conditioned.
    for (unsigned int pass = 0; pass < 3; ++pass) {
      add_correction(multipliers(remaining_moments), rows);
      remaining_moments = missing_moments(rows);
    }
    return largest(remaining_moments) <= 1e-8 * largest(missing);
  }

private:
  const Space<dim> &space;
  const NodalMass &consistent;
  const std::vector<unsigned int> &nodes;
  const std::vector<double> &psi;
  dealii::Point<dim> origin;
  std::array<double, dim> scale;
  dealii::LAPACKFullMatrix<double> inverse{n_moments<dim>};

  static double largest(const Moments<dim> &m) {
    double value = 0;
    for (const double entry : m)
      value = std::max(value, std::abs(entry));
    return value;
  }

  /// Computes centre and radii of gyration of the participating nodes, with which all moments are
  /// of order one.
  void scale_positions() {
    double sum = 0;
    dealii::Tensor<1, dim> first, second;
    const auto each_node = [&](const auto &visit) {
      for (const unsigned int i : nodes)
        visit(psi[i] * psi[i], space.nodes[i]);
    };
    each_node([&](double weight, const auto &x) {
      sum += weight;
      first += weight * x;
    });
    origin = dealii::Point<dim>(first / sum);
    each_node([&](double weight, const auto &x) {
      for (unsigned int d = 0; d < dim; ++d)
        second[d] += weight * (x[d] - origin[d]) * (x[d] - origin[d]);
    });
    for (unsigned int d = 0; d < dim; ++d)
      scale[d] = second[d] > 0 ? std::sqrt(second[d] / sum) : 1.;
  }

  std::array<double, dim + 1> scaled(unsigned int node) const {
    std::array<double, dim + 1> x;
    x[0] = 1;
    for (unsigned int d = 0; d < dim; ++d)
      x[d + 1] = (space.nodes[node][d] - origin[d]) / scale[d];
    return x;
  }

  /// Returns the contribution of a unit entry and its transpose to each moment, divided by two.
  Moments<dim> moments(unsigned int i, unsigned int j) const {
    const auto x = scaled(i), y = scaled(j);
    Moments<dim> m;
    unsigned int k = 0;
    for (unsigned int a = 0; a <= dim; ++a)
      for (unsigned int b = a; b <= dim; ++b)
        m[k++] = 0.5 * (x[a] * y[b] + x[b] * y[a]);
    return m;
  }

  double weight(unsigned int i, const Entry &entry) const {
    return entry.value * psi[i] * psi[entry.node];
  }

  void invert_gram_matrix() {
    inverse = 0.;
    for (const unsigned int i : nodes)
      for (const Entry &entry : consistent[i])
        if (const double w = weight(i, entry); w != 0) {
          const auto m = moments(i, entry.node);
          for (unsigned int k = 0; k < m.size(); ++k)
            for (unsigned int l = 0; l < m.size(); ++l)
              inverse(k, l) += w * m[k] * m[l];
        }
    // Singular if the participating nodes lie on a line; apply() reports this.
    inverse.compute_inverse_svd(1e-12);
  }

  Moments<dim> missing_moments(const NodalMass &rows) const {
    Moments<dim> missing{};
    for (const unsigned int i : nodes)
      for (std::size_t k = 0; k < rows[i].size(); ++k) {
        const double difference = consistent[i][k].value - rows[i][k].value;
        if (difference == 0)
          continue;
        const auto m = moments(i, rows[i][k].node);
        for (unsigned int l = 0; l < m.size(); ++l)
          missing[l] += difference * m[l];
      }
    return missing;
  }

  Moments<dim> multipliers(const Moments<dim> &missing) const {
    dealii::Vector<double> right(missing.begin(), missing.end()), solution(n_moments<dim>);
    inverse.vmult(solution, right);
    Moments<dim> lambda;
    std::copy(solution.begin(), solution.end(), lambda.begin());
    return lambda;
  }

  void add_correction(const Moments<dim> &lambda, NodalMass &rows) const {
    for (const unsigned int i : nodes)
      for (std::size_t k = 0; k < rows[i].size(); ++k)
        if (const double w = weight(i, consistent[i][k]); w != 0) {
          const auto m = moments(i, rows[i][k].node);
          rows[i][k].value += w * std::inner_product(m.begin(), m.end(), lambda.begin(), 0.);
        }
  }
};

/// Returns (1 − layer / reach)² for nodes without contact within reach, otherwise 0.
std::vector<double> participation(const std::vector<unsigned int> &layer, unsigned int reach) {
  std::vector<double> psi(layer.size(), 0.);
  for (unsigned int i = 0; i < psi.size(); ++i)
    if (layer[i] > 0 && layer[i] < reach)
      psi[i] = std::pow(1. - double(layer[i]) / reach, 2);
  return psi;
}

/// Returns the nodes of each connected component that has contact nodes.
template <int dim>
std::map<unsigned int, std::vector<unsigned int>>
touching_pieces(const Space<dim> &space, const std::vector<unsigned int> &layer) {
  std::map<unsigned int, std::vector<unsigned int>> components;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (layer[i] != unreached)
      components[space.component[i]].push_back(i);
  return components;
}

/// Restores the moments of each component within a number of layers. Returns false if this is
/// impossible.
template <int dim>
bool restore_moments(const Space<dim> &space, const NodalMass &consistent,
                     const std::vector<unsigned int> &layer, unsigned int reach, NodalMass &rows) {
  const auto psi = participation(layer, reach);
  for (const auto &component : touching_pieces(space, layer))
    if (!MomentCorrection<dim>(space, consistent, component.second, psi).apply(rows))
      return false;
  return true;
}

/// Returns true if every motion of the nodes without contact retains a tenth of its kinetic energy
/// or more with contact nodes at rest. Overwrites `work`.
template <int dim>
bool is_definite(const Space<dim> &space, const NodalMass &consistent,
                 const std::vector<bool> &is_contact, NodalMass rows, SparseMatrix &work) {
  for (unsigned int i = 0; i < rows.size(); ++i)
    for (std::size_t k = 0; k < rows[i].size(); ++k)
      rows[i][k].value -= 0.1 * consistent[i][k].value;
  write_to_all_components(space, rows, work);
  std::vector<unsigned int> unknowns;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    if (!is_contact[i])
      unknowns.push_back(space.node_dofs[i][0]);
  Cholesky factor(work, unknowns);
  factor.set_values(work);
  return factor.factorise();
}

} // namespace

template <int dim>
void remove_contact_inertia(const Space<dim> &space, const std::vector<unsigned int> &contact_nodes,
                            SparseMatrix &mass) {
  if (contact_nodes.empty())
    return;
  std::vector<bool> is_contact(space.n_nodes(), false);
  for (const unsigned int node : contact_nodes)
    is_contact[node] = true;
  const NodalMass consistent = first_component(space, mass);
  const NodalMass moved_to_neighbours = move_to_neighbours(consistent, is_contact);
  const NodalMass extrapolated = move_to_elements(space, consistent, is_contact);
  const auto layer = layers_from(consistent, is_contact, true);
  for (const auto &[moved, reach] :
       {std::pair(&moved_to_neighbours, 16u), std::pair(&extrapolated, 16u),
        std::pair(&extrapolated, 4u), std::pair(&moved_to_neighbours, 4u)}) {
    NodalMass rows = *moved;
    if (restore_moments(space, consistent, layer, reach, rows) &&
        is_definite(space, consistent, is_contact, rows, mass)) {
      write_to_all_components(space, rows, mass);
      return;
    }
  }
  throw InputError("the mass cannot be taken from the contact nodes: too few neighbouring nodes "
                   "can carry it; refine the mesh, or keep the consistent mass");
}

PERCUSSION_INSTANTIATE(remove_contact_inertia);

} // namespace percussion
