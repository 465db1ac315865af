#include <percussion/io/error.h>
#include <percussion/report/contact_history.h>
#include <percussion/report/frames.h>

#include <vtkDataArray.h>
#include <vtkPointData.h>

#include <algorithm>

namespace percussion::report {
namespace {
/// The length of a step: all are equally long.
double step_of(const History &run) {
  const double steps = run["step"].back() - run["step"].front();
  return steps > 0 ? (run["time"].back() - run["time"].front()) / steps : 0;
}

vtkDataArray &field(vtkUnstructuredGrid &points, const Frame &frame, const char *name) {
  vtkDataArray *array = points.GetPointData()->GetArray(name);
  if (array == nullptr)
    throw InputError(frame.files.front().string() + ": has no point data '" + name + "'");
  return *array;
}
} // namespace

ContactHistory read_contact_history(const History &run) {
  ContactHistory history;
  const auto file = run.folder / "contacts.pvd";
  const double step = step_of(run);
  if (!std::filesystem::exists(file) || !(step > 0))
    return history;
  for (const Frame &frame : read_series(file)) {
    if (!(frame.time > run["time"].front()))
      continue;
    const auto points = read_frame(frame);
    vtkDataArray &percussion = field(*points, frame, "percussion");
    vtkDataArray &normal = field(*points, frame, "normal");
    vtkDataArray &pressure = field(*points, frame, "pressure");
    double sum = 0, highest = 0;
    for (vtkIdType i = 0; i < points->GetNumberOfPoints(); ++i) {
      for (int c = 0; c < 3; ++c)
        sum += percussion.GetComponent(i, c) * normal.GetComponent(i, c);
      highest = std::max(highest, pressure.GetComponent(i, 0));
    }
    history.time.push_back(frame.time);
    history.normal_force.push_back(sum / step);
    history.pressure.push_back(highest);
  }
  return history;
}

} // namespace percussion::report
