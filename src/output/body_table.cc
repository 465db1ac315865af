#include <percussion/base/file.h>
#include <percussion/base/format.h>
#include <percussion/base/instantiate.h>
#include <percussion/body/system.h>
#include <percussion/dynamics/state.h>
#include <percussion/output/body_table.h>

#include <algorithm>

namespace percussion {
namespace {

/// Returns the names of all columns with sizes of the rows.
template <int dim>
std::vector<std::string> sizes_of(const std::vector<BodyRow<dim>> &rows) {
  std::vector<std::string> names;
  for (const BodyRow<dim> &row : rows)
    for (const std::string &name : size_columns(row.shape))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  return names;
}

/// Returns position, attitude and velocities of a body, in the order of motion_columns().
std::vector<double> motion(const RigidBody<2> &body, const BodyRow<2> &row, const double *q,
                           const double *v) {
  return {body.centre[0] + q[0], body.centre[1] + q[1], row.attitude + q[2], v[0], v[1], v[2]};
}
std::vector<double> motion(const RigidBody<3> &body, const BodyRow<3> &row, const double *q,
                           const double *v) {
  std::vector<double> values;
  for (unsigned int d = 0; d < 3; ++d)
    values.push_back(body.centre[d] + q[d]);
  const Quaternion attitude = product(quaternion(q + 3), row.attitude);
  values.insert(values.end(), attitude.begin(), attitude.end());
  values.insert(values.end(), v, v + 3);
  const auto own = transpose(rotation_matrix(row.attitude)) *
                   dealii::Tensor<1, 3>({v[3], v[4], v[5]}); // about the shape's axes
  values.insert(values.end(), own.begin_raw(), own.end_raw());
  return values;
}

} // namespace

std::vector<std::string> size_columns(const std::string &shape) {
  if (shape == "disc" || shape == "sphere")
    return {"radius"};
  if (shape == "capsule")
    return {"radius", "length"};
  if (shape == "cylinder")
    return {"radius", "height"};
  if (shape == "rectangle")
    return {"width", "height"};
  if (shape == "stick")
    return {"length"};
  if (shape == "box")
    return {"size_x", "size_y", "size_z"};
  return {};
}

template <>
std::vector<std::string> motion_columns<2>() {
  return {"x", "y", "angle", "vx", "vy", "omega"};
}
template <>
std::vector<std::string> motion_columns<3>() {
  return {"x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"};
}

template <int dim>
void write_body_table(const std::string &file,
                      const std::vector<std::pair<std::string, std::string>> &comments,
                      const BodyTable<dim> &table, const System<dim> &system,
                      const State<dim> &state) {
  std::string text;
  for (const auto &[key, value] : comments)
    text += "# " + key + ": " + value + "\n";
  const auto names = sizes_of(table.rows);
  text += "shape";
  for (const std::string &name : names)
    text += "," + name;
  for (const std::string &name : motion_columns<dim>())
    text += "," + name;
  text += ",mass\n";
  for (std::size_t k = 0; k < table.rows.size(); ++k) {
    const BodyRow<dim> &row = table.rows[k];
    const unsigned int b = table.bodies[k];
    const auto own = size_columns(row.shape);
    text += row.shape;
    for (const std::string &name : names) {
      const auto found = std::find(own.begin(), own.end(), name);
      text += found == own.end()
                  ? ","
                  : format(",%.17g", row.size[static_cast<std::size_t>(found - own.begin())]);
    }
    for (const double value : motion(system.rigid[b], row, system.rigid_values(state.q, b),
                                     system.rigid_values(state.v, b)))
      text += format(",%.17g", value);
    text += format(",%.17g\n", system.rigid[b].mass);
  }
  write_file(file, text);
}

PERCUSSION_INSTANTIATE(write_body_table);

} // namespace percussion
