#include <percussion/body/free_rigid_motion.h>

#include "parameter_sections.h"
#include <algorithm>
#include <filesystem>

namespace percussion {

namespace {

/// True if a mesh has several components, and contacts alone hold one of them: the additions to the
/// factor of linear bodies are found for whole meshes.
template <int dim>
bool has_loose_component(const Space<dim> &space, const std::vector<bool> &is_prescribed) {
  const auto &component = space.component;
  return std::count(component.begin(), component.end(), component.front()) !=
             static_cast<std::ptrdiff_t>(component.size()) &&
         !free_rigid_motion(space, is_prescribed).empty();
}

} // namespace

template <int dim>
void check_supports(const CaseInput &input, const Case<dim> &c) {
  if (c.choices.has_inertia)
    return;
  std::vector<bool> is_prescribed(c.bodies->n_dofs(), false);
  for (const unsigned int dof : c.bodies->motion.dofs())
    is_prescribed[dof] = true;
  std::vector<bool> may_be_held = is_prescribed;
  for (const unsigned int dof : c.boundary->trace.dofs())
    may_be_held[dof] = true;
  for (const auto &body : c.bodies->elastic) {
    if (c.bodies->operators.linear && has_loose_component(body->space, is_prescribed))
      input.report("Time/Inertia",
                   "the mesh '" + std::filesystem::path(body->space.mesh.file).filename().string() +
                       "' has separate components, and contacts alone hold one of them; give each "
                       "component a mesh of its own (Mesh/File = one.msh, other.msh)");
    if (const std::string motion = free_rigid_motion(body->space, may_be_held); !motion.empty())
      input.report(
          "Time/Inertia",
          (c.meshes.size() > 1
               ? "body '" + std::filesystem::path(body->space.mesh.file).stem().string() + "'"
               : std::string("the body")) +
              " or a component of it is not held: without inertia it is free to " + motion +
              " as a whole. Prescribe displacements, or let it touch another "
              "body or a surface");
  }
}

template void check_supports<2>(const CaseInput &, const Case<2> &);
template void check_supports<3>(const CaseInput &, const Case<3> &);

} // namespace percussion
