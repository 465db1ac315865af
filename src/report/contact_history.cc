#include <percussion/base/error.h>
#include <percussion/report/contact_history.h>
#include <percussion/report/frames.h>

#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>

namespace percussion::report {
namespace {
vtkDataArray &field(vtkUnstructuredGrid &points, const Frame &frame, const char *name) {
  vtkDataArray *array = points.GetPointData()->GetArray(name);
  if (array == nullptr)
    throw InputError(frame.files.front().string() + ": has no point data '" + name + "'");
  return *array;
}

/// What presses at one instant.
struct Load {
  double percussion = 0; ///< along the normals, of the points that press on the bodies as a whole
  double between_bodies = 0; ///< the same of those with which rigid bodies press on each other
  bool any_outer = false;    ///< whether there are points of the first kind
  double pressure = 0;       ///< of the point that bears most
};

/// Whether a contact point is a rigid body's and may touch another.
bool is_between_bodies(vtkPointData &fields, const vtkIdType i) {
  vtkDataArray *body = fields.GetArray("body"), *obstacle = fields.GetArray("obstacle");
  return body != nullptr && obstacle != nullptr && body->GetComponent(i, 0) > 0 &&
         obstacle->GetComponent(i, 0) > 0;
}

/// Files may list no point at all, and have no fields then: rigid bodies far from each other.
Load load_of(vtkUnstructuredGrid &points, const Frame &frame) {
  Load load;
  if (points.GetNumberOfPoints() == 0)
    return load;
  vtkDataArray &percussion = field(points, frame, "percussion");
  vtkDataArray &normal = field(points, frame, "normal");
  vtkDataArray &pressure = field(points, frame, "pressure");
  for (vtkIdType i = 0; i < points.GetNumberOfPoints(); ++i) {
    const bool inner = is_between_bodies(*points.GetPointData(), i);
    for (int c = 0; c < 3; ++c)
      (inner ? load.between_bodies : load.percussion) +=
          percussion.GetComponent(i, c) * normal.GetComponent(i, c);
    load.any_outer = load.any_outer || !inner;
    load.pressure = std::max(load.pressure, pressure.GetComponent(i, 0));
  }
  return load;
}
} // namespace

ContactHistory read_contact_history(const History &run) {
  ContactHistory history;
  const auto file = run.folder / "contacts.pvd";
  const double step = step_length(run);
  if (!std::filesystem::exists(file) || !(step > 0))
    return history;
  std::vector<double> between_bodies;
  bool any_outer = false;
  for (const Frame &frame : read_series(file)) {
    if (!(frame.time > run["time"].front()))
      continue;
    const Load load = load_of(*read_frame(frame), frame);
    history.time.push_back(frame.time);
    history.normal_force.push_back(load.percussion / step);
    history.pressure.push_back(load.pressure);
    between_bodies.push_back(load.between_bodies / step);
    any_outer = any_outer || load.any_outer;
  }
  if (!any_outer)
    history.normal_force = between_bodies;
  return history;
}

} // namespace percussion::report
