#include "defect_places.h"

#include <percussion/body/bracketed_point.h>
#include <percussion/body/mesh.h>

#include <filesystem>

namespace percussion {

template <int dim>
DefectPlace defect_place(const Case<dim> &c, const Defect &defect) {
  DefectPlace result;
  result.value = defect.value;
  result.time = defect.time;
  if (defect.pair == Defect::none)
    return result;
  const ContactPoint<dim> &point = c.boundary->points[defect.point];
  result.contact = c.boundary->pairs[defect.pair].name;
  result.local_size = point.size;
  if (const auto body = point.rigid_body())
    result.body = c.bodies->rigid[*body].name;
  else
    result.body = std::filesystem::path(c.meshes[*point.elastic_body()]->file).stem().string();
  for (unsigned int d = 0; d < dim; ++d)
    result.position.push_back(defect.material_point[d]);
  return result;
}

template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects) {
  std::vector<DefectPlace> results;
  for (const DefectEntry &entry : defect_entries()) {
    results.push_back(defect_place(c, defects.defect(entry.kind)));
    results.back().entry = &entry;
  }
  return results;
}

std::string point_in_words(const DefectPlace &defect) {
  std::string position;
  for (const double x : defect.position)
    position += (position.empty() ? "(" : ", ") + format("%.6g", x);
  return "the point at " + position + ") of '" + defect.body + "'";
}

template DefectPlace defect_place(const Case<2> &, const Defect &);
template DefectPlace defect_place(const Case<3> &, const Defect &);
template std::vector<DefectPlace> defect_places(const Case<2> &, const ContactDefects &);
template std::vector<DefectPlace> defect_places(const Case<3> &, const ContactDefects &);

} // namespace percussion
