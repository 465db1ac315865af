#include <percussion/dynamics/contact_variables.h>

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace percussion {
namespace {

using Components = std::array<double, 3>;
using Square = std::array<Components, 3>;

/// Entries of a degree of freedom in the rows n, t, t' of a contact.
using DofEntries = std::vector<std::pair<unsigned int, Components>>;

/// Returns the entries of the free degrees of freedom in the rows of each contact, in the order of
/// its support.
std::vector<DofEntries> free_entries(const ContactRows &H, unsigned int dim,
                                     const ContactSystem &system) {
  std::vector<DofEntries> entries(H.n_rows() / dim);
  for (unsigned int r = 0; r < H.n_rows(); ++r)
    for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k) {
      const unsigned int dof = system.dof(H.entries[H.column[k]]);
      if (!system.is_free(dof))
        continue;
      DofEntries &of_contact = entries[r / dim];
      auto entry = std::find_if(of_contact.begin(), of_contact.end(),
                                [&](const auto &e) { return e.first == dof; });
      if (entry == of_contact.end())
        entry = of_contact.insert(of_contact.end(), {dof, {}});
      entry->second[r % dim] += H.value[k];
    }
  return entries;
}

/// Returns the elastic nodes on which exactly one contact acts.
std::map<unsigned int, bool> exclusive_nodes(const std::vector<DofEntries> &entries,
                                             const ContactSystem &system) {
  std::map<unsigned int, bool> is_exclusive;
  std::vector<unsigned int> nodes;
  for (const DofEntries &of_contact : entries) {
    nodes.clear();
    for (const auto &entry : of_contact)
      if (entry.first < system.n_elastic())
        nodes.push_back(entry.first / system.node_size());
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const unsigned int node : nodes) {
      const auto [found, is_new] = is_exclusive.emplace(node, true);
      found->second = found->second && is_new;
    }
  }
  return is_exclusive;
}

/// Returns the exclusive node with the largest entries; none if there is none.
std::optional<unsigned int> node_of_contact(const DofEntries &of_contact,
                                            const std::map<unsigned int, bool> &is_exclusive,
                                            const ContactSystem &system) {
  std::optional<unsigned int> node;
  double largest = 0;
  for (const auto &[dof, weight] : of_contact) {
    if (dof >= system.n_elastic() || !is_exclusive.at(dof / system.node_size()))
      continue;
    const double size = std::hypot(weight[0], weight[1], weight[2]);
    if (size > largest) {
      largest = size;
      node = dof / system.node_size();
    }
  }
  return node;
}

/// Inverts the first n rows and columns. Returns false if they are nearly singular.
bool invert(const Square &matrix, unsigned int n, Square &inverse) {
  dealii::Tensor<2, 3> block = dealii::unit_symmetric_tensor<3>();
  double size = 0;
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j) {
      block[i][j] = matrix[i][j];
      size = std::max(size, std::abs(matrix[i][j]));
    }
  if (!(std::abs(dealii::determinant(block)) > 1e-3 * std::pow(size, n)))
    return false;
  const dealii::Tensor<2, 3> inverse_block = dealii::invert(block);
  for (unsigned int i = 0; i < n; ++i)
    for (unsigned int j = 0; j < n; ++j)
      inverse[i][j] = inverse_block[i][j];
  return true;
}

/// Writes the directions of a contact whose node has `n_free` free degrees of freedom: rows of H,
/// or the normal and the free tangent. Returns false if prescribed motion is not tangential.
bool choose_directions(const DofEntries &of_node, unsigned int dim,
                       ContactVariables::Contact &contact) {
  constexpr double tolerance = 1e-12;
  contact.n_rows = static_cast<unsigned int>(of_node.size());
  if (of_node.size() == dim) {
    for (unsigned int r = 0; r < dim; ++r)
      contact.direction[r][r] = 1.;
    return true;
  }
  contact.direction[0][0] = 1.;
  double a = 0, b = 0, d = 0, normal = 0; // squares of the tangential rows, and their product
  for (const auto &entry : of_node) {
    const Components &weight = entry.second;
    normal += weight[0] * weight[0];
    a += weight[1] * weight[1];
    b += weight[1] * weight[2];
    d += weight[2] * weight[2];
  }
  if (of_node.size() == 1)
    return a + d <= tolerance * normal;
  if (dim < 3 || a * d - b * b > tolerance * (a + d) * (a + d))
    return false;
  const double x = a >= d ? a : b, y = a >= d ? b : d, length = std::hypot(x, y);
  contact.direction[1][1] = x / length;
  contact.direction[1][2] = y / length;
  return length > 0.;
}

/// Returns the components of a vector n, t, t' in the directions of a contact.
Components in_directions(const ContactVariables::Contact &contact, const Components &rows) {
  Components components{};
  for (unsigned int r = 0; r < contact.n_rows; ++r)
    for (unsigned int k = 0; k < 3; ++k)
      components[r] += contact.direction[r][k] * rows[k];
  return components;
}

/// Calls visit(contact, components) with the entries of v at each contact's node, and replaces them
/// by the result.
template <typename Map>
void replace_entries(const std::vector<ContactVariables::Contact> &contacts, std::vector<double> &v,
                     const Map &map) {
  for (const auto &contact : contacts) {
    Components entries{};
    for (unsigned int c = 0; c < contact.n_rows; ++c)
      entries[c] = v[contact.dof[c]];
    const Components result = map(contact, entries);
    for (unsigned int c = 0; c < contact.n_rows; ++c)
      v[contact.dof[c]] = result[c];
  }
}

Components times(const Square &matrix, unsigned int n, const Components &x) {
  Components y{};
  for (unsigned int r = 0; r < n; ++r)
    for (unsigned int c = 0; c < n; ++c)
      y[r] += matrix[r][c] * x[c];
  return y;
}

Components transpose_times(const Square &matrix, unsigned int n, const Components &x) {
  Components y{};
  for (unsigned int r = 0; r < n; ++r)
    for (unsigned int c = 0; c < n; ++c)
      y[c] += matrix[r][c] * x[r];
  return y;
}

} // namespace

std::optional<ContactVariables> ContactVariables::make(const ContactRows &H, unsigned int dim,
                                                       const ContactSystem &system) {
  ContactVariables variables;
  variables.dim = dim;
  const auto entries = free_entries(H, dim, system);
  const auto is_exclusive = exclusive_nodes(entries, system);
  for (const DofEntries &of_contact : entries) {
    const auto node = node_of_contact(of_contact, is_exclusive, system);
    if (!node)
      return {};
    Contact contact;
    DofEntries of_node;
    contact.coupled_begin = static_cast<unsigned int>(variables.coupled_dofs.size());
    for (const auto &entry : of_contact)
      if (entry.first < system.n_elastic() && entry.first / system.node_size() == *node)
        of_node.push_back(entry);
    if (!choose_directions(of_node, dim, contact))
      return {};
    for (const auto &entry : of_contact)
      if (entry.first >= system.n_elastic() || entry.first / system.node_size() != *node)
        variables.coupled_dofs.push_back({entry.first, in_directions(contact, entry.second)});
    contact.coupled_end = static_cast<unsigned int>(variables.coupled_dofs.size());
    if (contact.n_rows < dim && contact.coupled_end > contact.coupled_begin)
      return {};
    for (unsigned int c = 0; c < contact.n_rows; ++c) {
      contact.dof[c] = of_node[c].first;
      const Components column = in_directions(contact, of_node[c].second);
      for (unsigned int r = 0; r < contact.n_rows; ++r)
        contact.block[r][c] = column[r];
    }
    if (!invert(contact.block, contact.n_rows, contact.inverse))
      return {};
    variables.contacts.push_back(contact);
  }
  return variables;
}

std::array<double, 3> ContactVariables::local(std::size_t contact,
                                              const std::vector<double> &rows) const {
  Components of_contact{};
  for (unsigned int r = 0; r < dim; ++r)
    of_contact[r] = rows[dim * contact + r];
  return in_directions(contacts[contact], of_contact);
}

void ContactVariables::add_to_rows(std::size_t contact, const std::array<double, 3> &components,
                                   std::vector<double> &rows) const {
  for (unsigned int r = 0; r < contacts[contact].n_rows; ++r)
    for (unsigned int k = 0; k < dim; ++k)
      rows[dim * contact + k] += contacts[contact].direction[r][k] * components[r];
}

std::array<double, 3> ContactVariables::coupled_velocity(std::size_t contact,
                                                         const std::vector<double> &v) const {
  Components sum{};
  for (unsigned int k = contacts[contact].coupled_begin; k < contacts[contact].coupled_end; ++k)
    for (unsigned int r = 0; r < 3; ++r)
      sum[r] += coupled_dofs[k].weight[r] * v[coupled_dofs[k].dof];
  return sum;
}

std::array<double, 3> ContactVariables::velocity(std::size_t contact,
                                                 const std::vector<double> &v) const {
  const Contact &c = contacts[contact];
  Components s = coupled_velocity(contact, v);
  for (unsigned int r = 0; r < c.n_rows; ++r)
    for (unsigned int k = 0; k < c.n_rows; ++k)
      s[r] += c.block[r][k] * v[c.dof[k]];
  return s;
}

std::array<double, 3> ContactVariables::percussion(std::size_t contact,
                                                   const std::vector<double> &r) const {
  const Contact &c = contacts[contact];
  Components of_node{};
  for (unsigned int k = 0; k < c.n_rows; ++k)
    of_node[k] = r[c.dof[k]];
  return transpose_times(c.inverse, c.n_rows, of_node);
}

void ContactVariables::make_local(std::vector<double> &v) const {
  replace_entries(contacts, v, [](const Contact &c, const Components &entries) {
    return times(c.block, c.n_rows, entries);
  });
}

void ContactVariables::make_cartesian(std::vector<double> &v) const {
  replace_entries(contacts, v, [](const Contact &c, const Components &entries) {
    return times(c.inverse, c.n_rows, entries);
  });
}

void ContactVariables::make_forces(std::vector<double> &percussions) const {
  replace_entries(contacts, percussions, [](const Contact &c, const Components &entries) {
    return transpose_times(c.block, c.n_rows, entries);
  });
}

} // namespace percussion
