#include <percussion/base/error.h>
#include <percussion/report/axis.h>
#include <percussion/report/frames.h>

#include <vtkAppendFilter.h>
#include <vtkDataArray.h>
#include <vtkDataSet.h>
#include <vtkNew.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLGenericDataObjectReader.h>
#include <vtkXMLUtilities.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>

namespace percussion::report {
namespace {
/// VTK stays silent while one of these lives: what is wrong with a file is said once, by us.
class Silence {
public:
  Silence() : before(vtkObject::GetGlobalWarningDisplay()) { vtkObject::GlobalWarningDisplayOff(); }
  ~Silence() { vtkObject::SetGlobalWarningDisplay(before); }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

private:
  int before;
};

/// VTK reads some truncated files without complaint, as meshes without points.
bool is_whole(const std::filesystem::path &file) {
  const std::string end = "</VTKFile>";
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  const auto size = static_cast<long>(in.tellg());
  std::string text(static_cast<std::size_t>(std::clamp(size, 0L, 64L)), ' ');
  in.seekg(size - static_cast<long>(text.size()));
  in.read(text.data(), static_cast<long>(text.size()));
  return in.good() && text.find(end) != std::string::npos;
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

vtkSmartPointer<vtkUnstructuredGrid> read_frame(const Frame &frame) {
  const Silence silence;
  vtkNew<vtkAppendFilter> all;
  for (const auto &file : frame.files) {
    if (!std::filesystem::is_regular_file(file))
      throw InputError(file.string() + ": no such file, though the .pvd file lists it");
    if (!is_whole(file))
      throw InputError(file.string() + ": is not a VTK mesh, or is truncated");
    vtkNew<vtkXMLGenericDataObjectReader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    auto *part = vtkDataSet::SafeDownCast(reader->GetOutput());
    if (reader->GetErrorCode() != 0 || part == nullptr)
      throw InputError(file.string() + ": is not a VTK mesh");
    all->AddInputData(part);
  }
  all->Update();
  return all->GetOutput();
}

std::size_t nearest_frame(const std::vector<Frame> &series, const double time) {
  const auto closer = [time](const Frame &a, const Frame &b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  };
  return std::min_element(series.begin(), series.end(), closer) - series.begin();
}

std::vector<double> telling_times(const History &run, const std::size_t count) {
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

Motion motion_of(vtkDataArray &displacement) {
  Motion motion;
  const vtkIdType points = displacement.GetNumberOfTuples();
  const int components = std::min(3, displacement.GetNumberOfComponents());
  for (vtkIdType i = 0; i < points; ++i)
    for (int c = 0; c < components; ++c)
      motion.mean[c] += displacement.GetComponent(i, c) / static_cast<double>(points);
  for (vtkIdType i = 0; i < points; ++i) {
    std::array<double, 3> stray = {{0, 0, 0}};
    for (int c = 0; c < components; ++c)
      stray[c] = displacement.GetComponent(i, c) - motion.mean[c];
    motion.deviation = std::max(motion.deviation, std::hypot(stray[0], stray[1], stray[2]));
  }
  return motion;
}

Warp automatic_warp(const double deviation, const std::array<double, 3> &translation,
                    const double body_size) {
  const double moved = std::hypot(translation[0], translation[1], translation[2]);
  Warp warp;
  // A deviation at round-off of the translation is a rigid motion: nothing to exaggerate.
  if (deviation > 1e-10 * std::max(moved, body_size))
    warp.factor = std::max(1., round_1_2_5(0.05 * body_size / deviation));
  for (int c = 0; c < 3; ++c)
    warp.about_mean[c] =
        warp.factor > 1 && warp.factor * std::abs(translation[c]) > 0.5 * body_size;
  return warp;
}

std::array<double, 3> warped(const Warp &warp, const Motion &motion,
                             const std::array<double, 3> &displacement) {
  std::array<double, 3> result{};
  for (int c = 0; c < 3; ++c) {
    const double kept = warp.about_mean[c] ? motion.mean[c] : 0.;
    result[c] = kept + warp.factor * (displacement[c] - kept);
  }
  return result;
}

double size_of(vtkUnstructuredGrid &mesh) {
  std::array<double, 6> box{};
  mesh.GetBounds(box.data());
  return std::max({box[1] - box[0], box[3] - box[2], box[5] - box[4]});
}

} // namespace percussion::report
