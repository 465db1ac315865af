#pragma once

#include <percussion/output/contact_table.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion {

/// Field of contacts: an array of one component at the points of both series of VTU files. In
/// `contacts` it has the value of the contact, in `solution` the sum or the largest value of all
/// contacts of a node.
template <int dim>
struct PointField {
  std::string name;        ///< name of the array
  std::string unit;        ///< unit, in words; empty for numbers
  std::string description; ///< text of doc/paraview.md
  bool is_sum_at_node;     ///< true: contacts of a node add up; false: the largest value
  std::function<double(const ContactRow<dim> &)> value;
};

/// Returns the numbers of the accounts (account_entries), and further fields.
template <int dim>
const std::vector<PointField<dim>> &point_fields();

} // namespace percussion
