#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/report/axis.h>
#include <percussion/report/frames.h>

#include <vtkAppendFilter.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkCleanPolyData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkFeatureEdges.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLGenericDataObjectReader.h>
#include <vtkXMLUtilities.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace percussion::report {
namespace {
/// Keeps VTK from writing to the screen: what is wrong with a file is reported once, by us.
struct Silence {
  int before = vtkObject::GetGlobalWarningDisplay();
  Silence() { vtkObject::GlobalWarningDisplayOff(); }
  ~Silence() { vtkObject::SetGlobalWarningDisplay(before); }
};

Mesh read_mesh(const std::filesystem::path &file) {
  if (!std::filesystem::exists(file))
    throw InputError(file.string() + ": no such file, though the .pvd file lists it");
  // VTK reads some truncated files without complaint, as meshes without points.
  const auto bytes = read_file(file.string());
  const bool whole = bytes && bytes->rfind("</VTKFile>") != std::string::npos;
  vtkNew<vtkXMLGenericDataObjectReader> reader;
  reader->SetFileName(file.c_str());
  if (whole)
    reader->Update();
  auto *mesh = whole ? vtkUnstructuredGrid::SafeDownCast(reader->GetOutput()) : nullptr;
  if (reader->GetErrorCode() != 0 || mesh == nullptr)
    throw InputError(file.string() + ": is not a VTK mesh, or is truncated");
  return mesh;
}
} // namespace

std::vector<Frame> read_series(const std::filesystem::path &pvd) {
  const Silence silence;
  const auto root =
      vtkSmartPointer<vtkXMLDataElement>::Take(vtkXMLUtilities::ReadElementFromFile(pvd.c_str()));
  vtkXMLDataElement *collection =
      root == nullptr ? nullptr : root->FindNestedElementWithName("Collection");
  if (collection == nullptr)
    throw InputError(pvd.string() + ": is not a collection of VTK files");
  std::map<double, std::vector<std::filesystem::path>> files;
  for (int i = 0; i < collection->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement &entry = *collection->GetNestedElement(i);
    double time = 0;
    const char *file = entry.GetAttribute("file");
    if (file == nullptr || entry.GetScalarAttribute("timestep", time) == 0)
      throw InputError(pvd.string() + ": entry " + std::to_string(i + 1) +
                       " has no file or no timestep");
    files[time].push_back(pvd.parent_path() / file);
  }
  if (files.empty())
    throw InputError(pvd.string() + ": lists no files");
  std::vector<Frame> series;
  for (auto &[time, parts] : files)
    series.push_back({time, std::move(parts)});
  return series;
}

Instant read_instant(const Frame &frame) {
  const Silence silence;
  Instant instant{frame, read_mesh(frame.files.front())};
  if (frame.files.size() > 1) {
    vtkNew<vtkAppendFilter> all;
    all->AddInputData(instant.mesh);
    for (std::size_t part = 1; part < frame.files.size(); ++part)
      all->AddInputData(read_mesh(frame.files[part]));
    all->Update();
    instant.mesh = all->GetOutput();
  }
  return instant;
}

std::size_t nearest_frame(const std::vector<Frame> &series, const double time) {
  const auto closer = [time](const Frame &a, const Frame &b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  };
  return std::min_element(series.begin(), series.end(), closer) - series.begin();
}

std::vector<Instant> read_nearest(const std::vector<Frame> &series,
                                  const std::vector<double> &times) {
  std::set<std::size_t> chosen;
  for (const double time : times)
    chosen.insert(nearest_frame(series, time));
  std::vector<Instant> instants;
  for (const std::size_t index : chosen)
    instants.push_back(read_instant(series[index]));
  return instants;
}

std::vector<double> notable_times(const History &run, const std::size_t count) {
  const auto &time = run["time"], &strain = run["strain"], &active = run["contacts_active"];
  std::vector<double> times = {time.front(), time.back()};
  const auto touches = [](const double contacts) { return contacts > 0; };
  const auto begin = std::find_if(active.begin() + 1, active.end(), touches);
  const auto end = std::find_if_not(begin, active.end(), touches);
  if (begin != end) {
    const auto extreme = std::max_element(strain.begin() + (begin - active.begin()),
                                          strain.begin() + (end - active.begin()));
    times.push_back(time[extreme - strain.begin()]);
    if (end != active.end())
      times.push_back(time[end - active.begin()]);
  }
  std::sort(times.begin(), times.end());
  // Two instants closer than this would be the same picture twice.
  const double near = 0.01 * (time.back() - time.front());
  const auto same = [near](const double a, const double b) { return b - a <= near; };
  const double last = times.back();
  times.erase(std::unique(times.begin(), times.end(), same), times.end());
  times.back() = last;
  while (times.size() > 1 && times.size() < count) {
    std::size_t widest = 1;
    for (std::size_t i = 2; i < times.size(); ++i)
      if (times[i] - times[i - 1] > times[widest] - times[widest - 1])
        widest = i;
    times.insert(times.begin() + widest, (times[widest] + times[widest - 1]) / 2);
  }
  return times;
}

vtkDataArray &Instant::point_field(const char *name) const {
  vtkDataArray *field = mesh->GetPointData()->GetArray(name);
  if (field == nullptr)
    throw InputError(frame.files.front().string() + ": has no point data '" + name + "'");
  return *field;
}

Vector vector_at(vtkDataArray &field, const vtkIdType index) {
  return {field.GetComponent(index, 0), field.GetComponent(index, 1)};
}

double length(const Vector &v) { return std::hypot(v[0], v[1]); }

bool is_rigid(vtkUnstructuredGrid &mesh, const vtkIdType cell) {
  vtkDataArray *body = mesh.GetCellData()->GetArray("body");
  return body != nullptr && body->GetComponent(cell, 0) > 0;
}

bool has_cells(vtkUnstructuredGrid &mesh, const bool rigid) {
  for (vtkIdType c = 0; c < mesh.GetNumberOfCells(); ++c)
    if (is_rigid(mesh, c) == rigid)
      return true;
  return false;
}

vtkSmartPointer<vtkPolyData> outline_of(vtkUnstructuredGrid &mesh, const bool rigid) {
  vtkNew<vtkUnstructuredGrid> part;
  part->SetPoints(mesh.GetPoints());
  part->Allocate(mesh.GetNumberOfCells());
  for (vtkIdType c = 0; c < mesh.GetNumberOfCells(); ++c)
    if (is_rigid(mesh, c) == rigid)
      part->InsertNextCell(mesh.GetCellType(c), mesh.GetCell(c)->GetPointIds());
  vtkNew<vtkDataSetSurfaceFilter> surface;
  surface->SetInputData(part);
  // Cells of an elastic body may have points of their own, rigid bodies may touch each other.
  vtkNew<vtkCleanPolyData> merged;
  merged->SetInputConnection(surface->GetOutputPort());
  merged->SetPointMerging(!rigid);
  merged->SetTolerance(1e-7);
  vtkNew<vtkFeatureEdges> edges;
  edges->SetInputConnection(merged->GetOutputPort());
  edges->ExtractAllEdgeTypesOff();
  edges->BoundaryEdgesOn();
  edges->PassLinesOn(); // sticks
  edges->ColoringOff();
  edges->Update();
  return edges->GetOutput();
}

double size_of(vtkUnstructuredGrid &mesh) {
  const double *box = mesh.GetBounds();
  return std::max(box[1] - box[0], box[3] - box[2]);
}

Motion motion_of(vtkDataArray &displacement) {
  Motion motion;
  const vtkIdType points = displacement.GetNumberOfTuples();
  for (vtkIdType i = 0; i < points; ++i)
    for (int c = 0; c < 2; ++c)
      motion.mean[c] += displacement.GetComponent(i, c) / static_cast<double>(points);
  for (vtkIdType i = 0; i < points; ++i) {
    const Vector u = vector_at(displacement, i);
    motion.deviation =
        std::max(motion.deviation, length({u[0] - motion.mean[0], u[1] - motion.mean[1]}));
  }
  return motion;
}

Warp automatic_warp(const double deviation, const Vector &translation, const double body_size) {
  Warp warp;
  // A deviation at round-off of the translation is a rigid motion: nothing to exaggerate.
  if (deviation > 1e-10 * std::max(length(translation), body_size))
    warp.factor = std::max(1., round_1_2_5(0.05 * body_size / deviation));
  for (int c = 0; c < 2; ++c)
    warp.about_mean[c] =
        warp.factor > 1 && warp.factor * std::abs(translation[c]) > 0.5 * body_size;
  return warp;
}

Vector warped(const Warp &warp, const Motion &motion, const Vector &displacement) {
  Vector result{};
  for (int c = 0; c < 2; ++c) {
    const double kept = warp.about_mean[c] ? motion.mean[c] : 0.;
    result[c] = kept + warp.factor * (displacement[c] - kept);
  }
  return result;
}

} // namespace percussion::report
