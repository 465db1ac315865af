#include <percussion/algebra/contact_variables.h>

#include <deal.II/base/symmetric_tensor.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

using Components = std::array<double, 3>;
using Square = std::array<Components, 3>;

using DofEntries = ContactVariables::DofEntries;

/// Returns the entries of the free degrees of freedom in the rows of each contact, in the order of
/// its support.
std::vector<DofEntries> free_entries(const ContactRows &H, unsigned int dim,
                                     const ContactSystem &system) {
  std::vector<DofEntries> list(H.n_rows() / dim);
  for (unsigned int r = 0; r < H.n_rows(); ++r)
    for (unsigned int k = H.start[r]; k < H.start[r + 1]; ++k) {
      const unsigned int dof = system.dof(H.entries[H.column[k]]);
      if (!system.is_free(dof))
        continue;
      DofEntries &contact_entries = list[r / dim];
      auto entry = std::find_if(contact_entries.begin(), contact_entries.end(),
                                [&](const auto &e) { return e.first == dof; });
      if (entry == contact_entries.end())
        entry = contact_entries.insert(contact_entries.end(), {dof, {}});
      entry->second[r % dim] += H.value[k];
    }
  return list;
}

/// Elastic nodes of a contact with the sizes of their largest entries, descending.
using NodeSizes = std::vector<std::pair<unsigned int, double>>;

NodeSizes nodes_of(const DofEntries &contact_entries, const ContactSystem &system) {
  NodeSizes nodes;
  for (const auto &[dof, weight] : contact_entries) {
    if (dof >= system.n_elastic())
      continue;
    const unsigned int node = dof / system.node_size();
    const double size = std::hypot(weight[0], weight[1], weight[2]);
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [&](const auto &n) { return n.first == node; });
    if (found == nodes.end())
      nodes.emplace_back(node, size);
    else
      found->second = std::max(found->second, size);
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [](const auto &a, const auto &b) { return a.second > b.second; });
  return nodes;
}

/// Returns a node for each contact, if possible: no other contact with such a node acts on it. Its
/// entries are not much smaller than the largest ones; the elimination would amplify these.
std::vector<std::optional<unsigned int>> own_nodes(const std::vector<NodeSizes> &nodes,
                                                   unsigned int n_nodes) {
  constexpr double least_ratio = 0.3;
  std::vector<std::optional<unsigned int>> own(nodes.size());
  std::vector<unsigned int> n_contacts(n_nodes, 0);
  for (const NodeSizes &contact_entries : nodes)
    for (const auto &node : contact_entries)
      ++n_contacts[node.first];
  std::vector<bool> is_own(n_nodes, false), is_acted_on(n_nodes, false);
  const auto choose = [&](std::size_t i, const auto &is_available) {
    for (const auto &[node, size] : nodes[i])
      if (size >= least_ratio * nodes[i].front().second && is_available(node)) {
        own[i] = node;
        is_own[node] = true;
        for (const auto &acted_on : nodes[i])
          is_acted_on[acted_on.first] = true;
        return;
      }
  };
  for (std::size_t i = 0; i < nodes.size(); ++i)
    choose(i, [&](unsigned int node) { return n_contacts[node] == 1; });
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!own[i] && std::none_of(nodes[i].begin(), nodes[i].end(),
                                [&](const auto &node) { return is_own[node.first]; }))
      choose(i, [&](unsigned int node) { return !is_acted_on[node]; });
  return own;
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

/// Products of the normal row with itself, of the first tangential row with itself and with the
/// second, and of the second with itself.
struct ProductsOfRows {
  double normal = 0, a = 0, b = 0, d = 0;
};

ProductsOfRows products_of_rows(const DofEntries &entries) {
  ProductsOfRows products;
  for (const auto &entry : entries) {
    const Components &weight = entry.second;
    products.normal += weight[0] * weight[0];
    products.a += weight[1] * weight[1];
    products.b += weight[1] * weight[2];
    products.d += weight[2] * weight[2];
  }
  return products;
}

/// Writes the directions of a contact whose node has `n_free` free degrees of freedom: rows of H,
/// or the normal and the free tangent. Returns false if prescribed motion is not tangential.
bool choose_directions(const DofEntries &node_entries, unsigned int dim,
                       ContactVariables::Contact &contact) {
  constexpr double tolerance = 1e-12;
  contact.n_rows = static_cast<unsigned int>(node_entries.size());
  if (node_entries.size() == dim) {
    for (unsigned int r = 0; r < dim; ++r)
      contact.direction[r][r] = 1.;
    return true;
  }
  contact.direction[0][0] = 1.;
  const auto [normal, a, b, d] = products_of_rows(node_entries);
  if (node_entries.size() == 1)
    return a + d <= tolerance * normal;
  if (dim < 3 || a * d - b * b > tolerance * (a + d) * (a + d))
    return false;
  const double x = a >= d ? a : b, y = a >= d ? b : d, length = std::hypot(x, y);
  contact.direction[1][1] = x / length;
  contact.direction[1][2] = y / length;
  return length > 0.;
}

/// Writes the normal, and the tangents in which free degrees of freedom move a contact: its rows,
/// or one or no direction. Returns false if they do not move it in its normal direction.
bool choose_free_directions(const DofEntries &entries, unsigned int dim,
                            ContactVariables::Contact &contact) {
  constexpr double tolerance = 1e-12;
  const auto [normal, a, b, d] = products_of_rows(entries);
  contact.direction[0][0] = 1.;
  contact.n_rows = a + d <= tolerance * normal ? 1 : 2;
  if (dim == 3 && contact.n_rows == 2 && a * d - b * b > tolerance * (a + d) * (a + d))
    contact.n_rows = 3;
  if (contact.n_rows == dim)
    contact.direction[1][1] = contact.direction[2][2] = 1.;
  else if (contact.n_rows == 2) {
    const double x = a >= d ? a : b, y = a >= d ? b : d, length = std::hypot(x, y);
    contact.direction[1] = {0., x / length, y / length};
  }
  return normal > tolerance * (a + d);
}

/// Returns the components of a vector n, t, t' in the directions of a contact.
Components directional_components(const ContactVariables::Contact &contact,
                                  const Components &rows) {
  Components components{};
  for (unsigned int r = 0; r < contact.n_rows; ++r)
    for (unsigned int k = 0; k < 3; ++k)
      components[r] += contact.direction[r][k] * rows[k];
  return components;
}

/// Replaces the entries of v at each contact's node by map(a matrix of the contact, number of rows,
/// entries).
template <typename Map>
void replace_entries(const std::vector<ContactVariables::Contact> &contacts,
                     Square ContactVariables::Contact::*matrix, const Map &map,
                     std::vector<double> &v) {
  for (const auto &contact : contacts) {
    Components entries{};
    for (unsigned int c = 0; c < contact.n_rows; ++c)
      entries[c] = v[contact.dof[c]];
    const Components result = map(contact.*matrix, contact.n_rows, entries);
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
  std::vector<NodeSizes> nodes;
  for (const DofEntries &contact_entries : entries) {
    nodes.push_back(nodes_of(contact_entries, system));
    if (nodes.back().empty())
      return {};
  }
  const auto own = own_nodes(nodes, system.n_elastic() / system.node_size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const unsigned int first = own[i] ? system.node_size() * *own[i] : system.size();
    if (!variables.add_with_node(entries[i], first, system.node_size()) &&
        !variables.add_with_multiplier(entries[i], system.size()))
      return {};
  }
  return variables;
}

/// Adds a contact whose node has its degrees of freedom from `first` on. Returns false if the local
/// velocity cannot replace the velocity of the node.
bool ContactVariables::add_with_node(const DofEntries &entries, unsigned int first,
                                     unsigned int node_size) {
  const auto is_of_node = [&](unsigned int dof) { return dof >= first && dof < first + node_size; };
  DofEntries node_entries;
  for (const auto &entry : entries)
    if (is_of_node(entry.first))
      node_entries.push_back(entry);
  Contact contact;
  if (node_entries.empty() || !choose_directions(node_entries, dim, contact) ||
      (contact.n_rows < dim && entries.size() > node_entries.size()))
    return false;
  for (unsigned int c = 0; c < contact.n_rows; ++c) {
    contact.dof[c] = node_entries[c].first;
    const Components column = directional_components(contact, node_entries[c].second);
    for (unsigned int r = 0; r < contact.n_rows; ++r)
      contact.block[r][c] = column[r];
  }
  if (!invert(contact.block, contact.n_rows, contact.inverse))
    return false;
  contact.coupled_begin = static_cast<unsigned int>(coupled_dofs.size());
  for (const auto &entry : entries)
    if (!is_of_node(entry.first))
      coupled_dofs.push_back({entry.first, directional_components(contact, entry.second)});
  contact.coupled_end = static_cast<unsigned int>(coupled_dofs.size());
  contacts.push_back(contact);
  return true;
}

/// Adds a contact whose percussion is an unknown, numbered from `n_dofs` on. Returns false if
/// its normal row acts on no free degree of freedom.
bool ContactVariables::add_with_multiplier(const DofEntries &entries, unsigned int n_dofs) {
  Contact contact;
  contact.has_multiplier = true;
  if (!choose_free_directions(entries, dim, contact))
    return false;
  contact.coupled_begin = static_cast<unsigned int>(coupled_dofs.size());
  for (const auto &entry : entries)
    coupled_dofs.push_back({entry.first, directional_components(contact, entry.second)});
  contact.coupled_end = static_cast<unsigned int>(coupled_dofs.size());
  for (unsigned int r = 0; r < contact.n_rows; ++r) {
    contact.block[r][r] = contact.inverse[r][r] = 1.;
    contact.dof[r] = n_dofs + n_multipliers++;
  }
  contacts.push_back(contact);
  return true;
}

std::array<double, 3> ContactVariables::local(std::size_t contact,
                                              const std::vector<double> &rows) const {
  Components contact_entries{};
  for (unsigned int r = 0; r < dim; ++r)
    contact_entries[r] = rows[dim * contact + r];
  return directional_components(contacts[contact], contact_entries);
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
  for (unsigned int r = 0; r < c.n_rows && !c.has_multiplier; ++r)
    for (unsigned int k = 0; k < c.n_rows; ++k)
      s[r] += c.block[r][k] * v[c.dof[k]];
  return s;
}

std::array<double, 3> ContactVariables::percussion(std::size_t contact,
                                                   const std::vector<double> &r) const {
  const Contact &c = contacts[contact];
  Components node_values{};
  for (unsigned int k = 0; k < c.n_rows; ++k)
    node_values[k] = r[c.dof[k]];
  return transpose_times(c.inverse, c.n_rows, node_values);
}

void ContactVariables::make_local(std::vector<double> &v) const {
  replace_entries(contacts, &Contact::block, times, v);
}

void ContactVariables::make_cartesian(std::vector<double> &v) const {
  replace_entries(contacts, &Contact::inverse, times, v);
}

void ContactVariables::make_forces(std::vector<double> &percussions) const {
  replace_entries(contacts, &Contact::block, transpose_times, percussions);
}

} // namespace percussion
