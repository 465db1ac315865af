#include <percussion/output/contact_table.h>

#include "run.h"

namespace percussion::python {
namespace {

using Pair = std::array<double, 2>;

/// A contact as Python sees it.
struct ContactValues {
  std::int32_t pair, body, obstacle;
  std::int64_t node;
  Pair initial_position, position;
  double area, friction, gap;
  Pair normal, percussion, velocity;
  std::int8_t status;
  bool took_part;
  std::array<std::uint32_t, 4> key;
  std::array<Pair, 2> frame;
};

struct Column {
  const char *name, *text;
};

constexpr Column columns[] = {
    {"pair", "Which of `names` each contact belongs to, (n,)."},
    {"node", "Node of the mesh, (n,); -1: a point of a rigid body."},
    {"body", "Rigid body that each point belongs to, (n,); -1: an elastic one."},
    {"obstacle", "Rigid body that each point is near to, (n,); -1: a surface, or faces of an "
                 "elastic body."},
    {"initial_position", "Where the points began, undeformed, (n, 2) [length]."},
    {"position", "Where the points are, (n, 2) [length]."},
    {"area", "Tributary area, (n,) [length x thickness]; 0 of rigid bodies."},
    {"friction", "Coefficient of friction, (n,)."},
    {"gap",
     "At the end of the step, (n,) [length]; negative: penetration; NaN: not near any more."},
    {"normal", "Unit normals, (n, 2), away from what is touched: of the step where it took part."},
    {"percussion", "Of the step in the local frame, (n, 2): normal, tangential [impulse]."},
    {"velocity", "Mean over the step, relative to what is touched, in the local frame, (n, 2) "
                 "[length/time]; 0 of contacts that took no part."},
    {"status", "(n,): OPEN, STICK or SLIP."},
    {"took_part", "Whether each contact took part in the step, (n,)."},
    {"key", "Identifies a contact from step to step, (n, 4)."},
};

std::int32_t number(unsigned int body) {
  return body == ContactPoint<2>::none ? -1 : static_cast<std::int32_t>(body);
}

Pair pair(const dealii::Tensor<1, 2> &x) { return {{x[0], x[1]}}; }

/// Where a point is.
Pair position(const System<2> &bodies, const std::vector<RigidPose<2>> &poses, const Vector &q,
              const ContactPoint<2> &point) {
  const dealii::Point<2> &x = point.position;
  if (point.body == ContactPoint<2>::none)
    return {{x[0] + entries(q)[point.dofs[0]], x[1] + entries(q)[point.dofs[1]]}};
  return pair(poses[point.body].centre +
              poses[point.body].turned(x - bodies.rigid[point.body].centre));
}

std::vector<ContactValues> contacts_of(const RunData &run) {
  const InLibrary here; // a step of another thread would change the contacts
  const System<2> &bodies = *run.of_case->c.bodies;
  const State<2> &state = run.run->state();
  const auto poses = bodies.poses(state.q);
  std::vector<ContactValues> values;
  for (const ContactRow<2> &row : contact_table(state, run.run->last())) {
    const ContactPoint<2> &point = run.of_case->c.boundary->points[row.point];
    const bool is_node = point.node != ContactPoint<2>::none;
    const auto frame = local_frame<2>(row.normal);
    values.push_back({number(row.key.pair),
                      number(point.body),
                      number(row.obstacle),
                      is_node ? std::int64_t(point.dofs[0] / 2) : -1,
                      pair(point.position),
                      position(bodies, poses, state.q, point),
                      row.area,
                      point.friction,
                      row.gap,
                      pair(row.normal),
                      row.percussion,
                      row.velocity,
                      static_cast<std::int8_t>(row.status),
                      row.took_part,
                      {{row.key.pair, row.key.first, row.key.second, row.key.feature}},
                      {{pair(frame[0]), pair(frame[1])}}});
  }
  return values;
}

/// A new array of one of the values.
py::object column(const ContactsView &self, const char *name) {
  const auto values = contacts_of(*self.data);
  return py::array_t<ContactValues>(values.size(), values.data())[name].attr("copy")();
}

} // namespace

void bind_contacts(py::module_ &module) {
  PYBIND11_NUMPY_DTYPE(ContactValues, pair, body, obstacle, node, initial_position, position, area,
                       friction, gap, normal, percussion, velocity, status, took_part, key, frame);
  py::class_<ContactsView> contacts(
      module, "Contacts",
      "The contacts that took part in the last step, and the points that are near to what they may "
      "touch at its end, by ascending keys. They are found anew in each step: arrays are new ones, "
      "whose length n changes from step to step.");
  for (const Column &c : columns)
    contacts.def_property_readonly(
        c.name, [name = c.name](const ContactsView &self) { return column(self, name); }, c.text);
  contacts
      .def_property_readonly(
          "names",
          [](const ContactsView &self) {
            return to_list(self.data->of_case->c.boundary->pairs,
                           [](const auto &pair) { return pair.name; });
          },
          "Names of the contacts of the parameter file.")
      .def(
          "frame", [](const ContactsView &self) { return column(self, "frame"); },
          "Local frames, (n, 2, 2): rows normal and tangent, so that numpy.einsum('ni,nij->nj', "
          "percussion, frame()) are percussions in x and y.")
      .def("__len__", [](const ContactsView &self) { return contacts_of(*self.data).size(); })
      .def("__repr__", [](const ContactsView &self) {
        return "<percussion.Contacts: " + std::to_string(contacts_of(*self.data).size()) + ">";
      });
  module.attr("OPEN") = static_cast<int>(ContactStatus::open);
  module.attr("STICK") = static_cast<int>(ContactStatus::stick);
  module.attr("SLIP") = static_cast<int>(ContactStatus::slip);
}

} // namespace percussion::python
