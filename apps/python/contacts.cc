#include "run.h"

namespace percussion::python {
namespace {

/// Of something in each contact point, which stand one after the other in memory.
template <typename T>
py::array view_of_points(const py::object &self, const T *first) {
  const auto &points = self.cast<ContactsView &>().data->of_case->c.boundary->points;
  return strided_view(first, {static_cast<py::ssize_t>(points.size())}, {sizeof(ContactPoint<2>)},
                      self);
}

const ContactPoint<2> *first_point(const py::object &self) {
  return self.cast<ContactsView &>().data->of_case->c.boundary->points.data();
}

/// Numbers of bodies: "none" is −1.
const std::int32_t *with_sign(const unsigned int *number) {
  static_assert(static_cast<std::int32_t>(ContactPoint<2>::none) == -1);
  return reinterpret_cast<const std::int32_t *>(number);
}

/// Where the candidates are.
py::array_t<double> positions(const RunData &run) {
  const Case<2> &c = run.of_case->c;
  const Vector &q = run.run->state().q;
  const auto poses = c.bodies->poses(q);
  py::array_t<double> result({std::size_t(c.boundary->points.size()), std::size_t(2)});
  auto entry = result.mutable_unchecked<2>();
  for (unsigned int i = 0; i < c.boundary->points.size(); ++i) {
    const ContactPoint<2> &point = c.boundary->points[i];
    dealii::Point<2> x = point.position;
    if (point.body == ContactPoint<2>::none)
      x += dealii::Point<2>(entries(q)[point.dofs[0]], entries(q)[point.dofs[1]]);
    else
      x = poses[point.body].centre +
          poses[point.body].turned(point.position - c.bodies->rigid[point.body].centre);
    entry(i, 0) = x[0];
    entry(i, 1) = x[1];
  }
  return result;
}

py::array_t<double> frames(const RunData &run) {
  const auto &normal = run.run->last().normal;
  py::array_t<double> result({normal.size(), std::size_t(2), std::size_t(2)});
  auto entry = result.mutable_unchecked<3>();
  for (std::size_t i = 0; i < normal.size(); ++i) {
    const auto frame = local_frame<2>(normal[i]);
    for (unsigned int r = 0; r < 2; ++r)
      for (unsigned int d = 0; d < 2; ++d)
        entry(static_cast<py::ssize_t>(i), r, d) = frame[r][d];
  }
  return result;
}

const Run<2> &run_of(const py::object &self) { return *self.cast<ContactsView &>().data->run; }

template <typename Class>
void bind_candidates(Class &contacts) {
  contacts
      .def_property_readonly(
          "names",
          [](const ContactsView &self) {
            py::list names;
            for (const auto &pair : self.data->of_case->c.boundary->pairs)
              names.append(to_str(pair.name));
            return names;
          },
          "Names of the contacts of the parameter file.")
      .def_property_readonly(
          "pair",
          [](const py::object &self) {
            return view_of_points(self, with_sign(&first_point(self)->pair));
          },
          "Which of `names` each candidate belongs to, (n,).")
      .def_property_readonly(
          "node",
          [](const py::object &self) {
            const auto &node = self.cast<ContactsView &>().data->of_case->contact_node;
            return view(node.data(), node.size(), self);
          },
          "Node of the mesh that each candidate is, (n,); -1: a point of a rigid body.")
      .def_property_readonly(
          "body",
          [](const py::object &self) {
            return view_of_points(self, with_sign(&first_point(self)->body));
          },
          "Rigid body that each candidate belongs to, (n,); -1: the elastic one.")
      .def_property_readonly(
          "obstacle",
          [](const py::object &self) {
            return view_of_points(self, with_sign(&first_point(self)->obstacle));
          },
          "Rigid body that each candidate may touch, (n,); -1: a surface.")
      .def_property_readonly(
          "initial_position",
          [](const py::object &self) {
            const auto n = self.cast<ContactsView &>().data->of_case->c.boundary->points.size();
            return strided_view(&first_point(self)->position[0],
                                {static_cast<py::ssize_t>(n), py::ssize_t(2)},
                                {sizeof(ContactPoint<2>), sizeof(double)}, self);
          },
          "Where the candidates begin, undeformed, (n, 2) [length].")
      .def_property_readonly(
          "area",
          [](const py::object &self) { return view_of_points(self, &first_point(self)->area); },
          "Tributary area, (n,) [length x thickness]; 0 of rigid bodies.")
      .def_property_readonly(
          "friction",
          [](const py::object &self) { return view_of_points(self, &first_point(self)->friction); },
          "Coefficient of friction, (n,).");
}

template <typename Class>
void bind_what_happens(Class &contacts) {
  contacts
      .def_property_readonly(
          "gap",
          [](const py::object &self) {
            const auto &gap = run_of(self).state().gaps.distance;
            return view(gap.data(), gap.size(), self);
          },
          "Gaps at the end of the step, (n,) [length]; negative: penetration; infinite: far away.")
      .def_property_readonly(
          "normal",
          [](const py::object &self) {
            static_assert(sizeof(dealii::Tensor<1, 2>) == 2 * sizeof(double));
            const auto &normal = run_of(self).last().normal;
            return view(reinterpret_cast<const double *>(normal.data()), normal.size(), 2, self);
          },
          "Unit normals of the step, (n, 2), away from what is touched.")
      .def_property_readonly(
          "percussion",
          [](const py::object &self) {
            const auto &p = run_of(self).last().percussion;
            return view(p.data(), p.size() / 2, 2, self);
          },
          "Percussions of the step in the local frame, (n, 2): normal, tangential [impulse].")
      .def_property_readonly(
          "status",
          [](const py::object &self) {
            const auto &status = run_of(self).last().status;
            return view(reinterpret_cast<const std::int8_t *>(status.data()), status.size(), self);
          },
          "Statuses, (n,): OPEN, STICK or SLIP.")
      .def_property_readonly(
          "active",
          [](const py::object &self) {
            const auto &active = run_of(self).last().active;
            return view(active.data(), active.size(), self);
          },
          "Candidates that took part in the step, (n_active,): take it anew after each step, its "
          "length changes.")
      .def_property_readonly(
          "velocity",
          [](const py::object &self) {
            const auto &u = run_of(self).last().velocity;
            return view(u.data(), u.size() / 2, 2, self);
          },
          "Mean velocities of the active candidates over the step, relative to what they touch, in "
          "the local frame, (n_active, 2) [length/time]: take it anew after each step.")
      .def(
          "position", [](const ContactsView &self) { return positions(*self.data); },
          "Where the candidates are, (n, 2) [length]. A new array.")
      .def(
          "frame", [](const ContactsView &self) { return frames(*self.data); },
          "Local frames of the step, (n, 2, 2): rows normal and tangent, so that "
          "numpy.einsum('ni,nij->nj', percussion, frame()) are percussions in x and y. A new "
          "array.");
}

} // namespace

void bind_contacts(py::module_ &module) {
  py::class_<ContactsView> contacts(
      module, "Contacts",
      "The candidates: points that may touch something. Properties are views, without copies and "
      "read-only; those of the step show the next one after it. Methods make new arrays.");
  bind_candidates(contacts);
  bind_what_happens(contacts);
  contacts
      .def("__len__",
           [](const ContactsView &self) { return self.data->of_case->c.boundary->points.size(); })
      .def("__repr__", [](const ContactsView &self) {
        return "<percussion.Contacts: " + std::to_string(self.data->of_case->c.boundary->points.size()) +
               " candidates, " + std::to_string(self.data->run->last().active.size()) + " active>";
      });
  module.attr("OPEN") = static_cast<int>(ContactStatus::open);
  module.attr("STICK") = static_cast<int>(ContactStatus::stick);
  module.attr("SLIP") = static_cast<int>(ContactStatus::slip);
}

} // namespace percussion::python
