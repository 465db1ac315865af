#include <percussion/output/point_fields.h>

#include "run_data.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion::python {
namespace {

template <int dim>
using Components = std::array<double, dim>;

/// Values of a contact in Python.
template <int dim>
struct ContactValues {
  std::int32_t pair, body, obstacle;
  std::int64_t node;
  Components<dim> initial_position, position;
  double area, friction, gap;
  Components<dim> normal, percussion, velocity;
  std::int8_t status;
  bool took_part;
  std::array<std::uint32_t, 4> key;
  std::array<Components<dim>, dim> frame;
};

struct Column {
  const char *name, *text;
};

constexpr Column columns[] = {
    {"pair", "Index in `names` of each contact, (n,)."},
    {"node", "Node of the mesh, (n,); -1: a point of a rigid body."},
    {"body", "Rigid body of each point, (n,); -1: a point of an elastic body."},
    {"obstacle",
     "Rigid body opposite to each point, (n,); -1: a surface, or faces of an elastic body."},
    {"initial_position",
     "Undeformed positions of the points, (n, dim) [length]; of two polyhedra, of the material "
     "point of the first that touches the second."},
    {"position", "Positions of the points, (n, dim) [length]."},
    {"area", "Tributary area, (n,) [length x thickness]; 0 for rigid bodies."},
    {"friction",
     "Coefficient of friction, (n,); a formula: in the step, NaN if the contact took no "
     "part."},
    {"gap",
     "Gap at the end of the step, (n,) [length]; negative: penetration; NaN: no longer near."},
    {"normal", "Unit normals out of the opposite side, (n, dim): of the step if the contact took "
               "part in it."},
    {"percussion",
     "Percussion of the step in the local frame, (n, dim): normal, then tangential [impulse]."},
    {"velocity", "Mean velocity of the step relative to the opposite side, in the local frame, (n, "
                 "dim) [length/time]; 0 for contacts that took no part."},
    {"status", "Status, (n,): OPEN, STICK or SLIP."},
    {"took_part", "True for contacts that took part in the step, (n,)."},
    {"key", "Key that identifies a contact from step to step, (n, 4)."},
};

std::int32_t number(std::optional<unsigned int> body) {
  return body ? static_cast<std::int32_t>(*body) : -1;
}

template <int dim>
Components<dim> components(const dealii::Tensor<1, dim> &x) {
  Components<dim> values;
  std::copy(x.begin_raw(), x.end_raw(), values.begin());
  return values;
}

/// Returns the number of a node in the joined mesh of all bodies.
template <int dim>
std::int64_t number_of_node(const System<dim> &bodies, const MeshNode &node) {
  return bodies.elastic[node.elastic]->space.number_of_node(node.node);
}

/// Returns the position of a contact at the displacements q.
template <int dim>
Components<dim> position(const Boundary<dim> &boundary, const std::vector<RigidPose<dim>> &poses,
                         const TraceField &q, const ContactRow<dim> &row) {
  const ContactPoint<dim> &point = boundary.points[row.point];
  if (const auto body = point.rigid_body())
    return components<dim>(poses[*body].position(boundary.system.rigid[*body], row.material_point));
  return components<dim>(row.material_point + boundary.value_at(point, q));
}

/// Returns the rows of the listed contacts.
template <int dim>
std::vector<ContactRow<dim>> rows_of_contacts(const RunData<dim> &run) {
  std::vector<ContactRow<dim>> rows =
      contact_table(run.run->state(), run.run->last(), {}, run.run->accounts());
  const auto has_account_only = [](const ContactRow<dim> &row) {
    return std::isnan(row.gap) && !row.participated;
  };
  rows.erase(std::remove_if(rows.begin(), rows.end(), has_account_only), rows.end());
  return rows;
}

/// Returns the coefficient of friction of a contact.
template <int dim>
double friction(const ContactPair<dim> &pair, const ContactPoint<dim> &point,
                const ContactRow<dim> &row) {
  if (pair.friction_formula == nullptr)
    return point.friction;
  return row.participated ? row.friction : std::numeric_limits<double>::quiet_NaN();
}

template <int dim>
std::vector<ContactValues<dim>> contacts_of(const RunData<dim> &run) {
  const InLibrary library; // a step of another thread would change the contacts
  const System<dim> &bodies = *run.case_data->c.bodies;
  const State<dim> &state = run.run->state();
  const Boundary<dim> &boundary = *run.case_data->c.boundary;
  const TraceField q = boundary.trace.gather(state.q);
  const auto poses = boundary.trace.poses(q);
  std::vector<ContactValues<dim>> values;
  for (const ContactRow<dim> &row : rows_of_contacts(run)) {
    const ContactPoint<dim> &point = boundary.points[row.point];
    const MeshNode *const node = point.mesh_node();
    std::array<Components<dim>, dim> axes;
    for (unsigned int d = 0; d < dim; ++d)
      axes[d] = components<dim>(local_frame<dim>(row.normal)[d]);
    values.push_back({number(row.key.pair),
                      number(point.rigid_body()),
                      number(row.opposite_body),
                      node ? number_of_node(bodies, *node) : -1,
                      components<dim>(row.material_point),
                      position(boundary, poses, q, row),
                      row.area,
                      friction(run.case_data->c.boundary->pairs[row.key.pair], point, row),
                      row.gap,
                      components<dim>(row.normal),
                      row.percussion,
                      row.velocity,
                      static_cast<std::int8_t>(row.status),
                      row.participated,
                      {{row.key.pair, row.key.first, row.key.second, row.key.feature}},
                      axes});
  }
  return values;
}

/// Returns a new array of one of the values.
template <int dim>
py::object column(const ContactsView<dim> &self, const char *name) {
  const auto values = contacts_of(*self.data);
  return py::array_t<ContactValues<dim>>(values.size(), values.data())[name].attr("copy")();
}

/// Returns a new array of a point field.
template <int dim>
py::array_t<double> values_of(const ContactsView<dim> &self, const PointField<dim> &field) {
  std::vector<double> values;
  {
    const InLibrary library;
    for (const ContactRow<dim> &row : rows_of_contacts(*self.data))
      values.push_back(field.value(row));
  }
  return py::array_t<double>(values.size(), values.data());
}

} // namespace

template <int dim>
void bind_contacts(py::module_ &module) {
  using Values = ContactValues<dim>;
  PYBIND11_NUMPY_DTYPE(Values, pair, body, obstacle, node, initial_position, position, area,
                       friction, gap, normal, percussion, velocity, status, took_part, key, frame);
  py::class_<ContactsView<dim>> contacts(
      module, "Contacts",
      "The contacts that took part in the last step, and the points near to their opposite side at "
      "its end, by ascending keys. Each step detects its contacts again: arrays are new, and their "
      "length n changes from step to step.");
  for (const Column &c : columns)
    contacts.def_property_readonly(
        c.name, [name = c.name](const ContactsView<dim> &self) { return column(self, name); },
        c.text);
  for (const PointField<dim> &field : point_fields<dim>())
    contacts.def_property_readonly(
        field.name.c_str(),
        [&field](const ContactsView<dim> &self) { return values_of(self, field); },
        sentence(field.description + ", (n,)", field.unit).c_str());
  contacts
      .def_property_readonly(
          "names",
          [](const ContactsView<dim> &self) {
            return to_list(self.data->case_data->c.boundary->pairs,
                           [](const auto &pair) { return pair.name; });
          },
          "Names of the contacts of the parameter file.")
      .def(
          "frame", [](const ContactsView<dim> &self) { return column(self, "frame"); },
          "Local frames, (n, dim, dim): rows normal and tangents, so that "
          "numpy.einsum('ni,nij->nj', "
          "percussion, frame()) are percussions in x, y, z.")
      .def("__len__", [](const ContactsView<dim> &self) { return contacts_of(*self.data).size(); })
      .def("__repr__", [](const ContactsView<dim> &self) {
        return "<percussion.Contacts: " + std::to_string(contacts_of(*self.data).size()) + ">";
      });
}

template void bind_contacts<2>(py::module_ &);
template void bind_contacts<3>(py::module_ &);

} // namespace percussion::python
