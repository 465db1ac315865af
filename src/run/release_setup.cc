#include <percussion/base/freed_memory.h>
#include <percussion/base/instantiate.h>
#include <percussion/run/release_setup.h>

namespace percussion {

template <int dim>
void release_cells(Case<dim> &c) {
  for (auto &body : c.bodies->elastic)
    body->space.release_cells();
  for (auto &mesh : c.meshes) {
    mesh->triangulation.clear(); // keeps the memory of the vertices
    const dealii::Triangulation<dim> released(std::move(mesh->triangulation));
  }
  trim_heap();
}

template <int dim>
void release_initial_state(Case<dim> &c) {
  c.initial = {};
  trim_heap();
}

PERCUSSION_INSTANTIATE(release_cells);
PERCUSSION_INSTANTIATE(release_initial_state);

} // namespace percussion
