#include <percussion/base/freed_memory.h>
#include <percussion/run/release_setup.h>

namespace percussion {

template <int dim>
void release_setup(Case<dim> &c) {
  for (auto &body : c.bodies->elastic)
    body->space.release_cells();
  for (auto &mesh : c.meshes)
    mesh->triangulation.clear();
  c.initial = {};
  trim_heap();
}

template void release_setup(Case<2> &);
template void release_setup(Case<3> &);

} // namespace percussion
