#include <percussion/output/point_fields.h>

namespace percussion {
namespace {

template <int dim>
std::vector<PointField<dim>> make_point_fields() {
  std::vector<PointField<dim>> fields;
  for (const AccountEntry &entry : account_entries)
    fields.push_back(
        {entry.name, entry.unit, entry.description, entry.is_sum_at_node,
         [number = entry.number](const ContactRow<dim> &row) { return row.account.*number; }});
  return fields;
}

} // namespace

template <int dim>
const std::vector<PointField<dim>> &point_fields() {
  static const std::vector<PointField<dim>> fields = make_point_fields<dim>();
  return fields;
}

template const std::vector<PointField<2>> &point_fields();
template const std::vector<PointField<3>> &point_fields();

} // namespace percussion
