#include "defect_places.h"

#include <percussion/body/mesh.h>

#include "format.h"
#include <filesystem>

namespace percussion {

template <int dim>
std::vector<DefectPlace> defect_places(const Case<dim> &c, const ContactDefects &defects) {
  std::vector<DefectPlace> places;
  for (const DefectEntry &entry : defect_entries()) {
    const Defect &defect = defects.of(entry.kind);
    DefectPlace place;
    place.entry = &entry;
    place.value = defect.value;
    place.time = defect.time;
    if (defect.pair != Defect::none) {
      const ContactPoint<dim> &point = c.boundary->points[defect.point];
      place.contact = c.boundary->pairs[defect.pair].name;
      place.local_size = point.size;
      if (point.body != ContactPoint<dim>::none)
        place.body = c.bodies->rigid[point.body].name;
      else
        place.body = std::filesystem::path(c.meshes[point.elastic]->file).stem().string();
      for (unsigned int d = 0; d < dim; ++d)
        place.position.push_back(point.position[d]);
    }
    places.push_back(place);
  }
  return places;
}

std::string point_in_words(const DefectPlace &defect) {
  std::string position;
  for (const double x : defect.position)
    position += (position.empty() ? "(" : ", ") + format("%.6g", x);
  return "the point at " + position + ") of '" + defect.body + "'";
}

template std::vector<DefectPlace> defect_places(const Case<2> &, const ContactDefects &);
template std::vector<DefectPlace> defect_places(const Case<3> &, const ContactDefects &);

} // namespace percussion
