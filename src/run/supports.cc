#include <percussion/body/free_rigid_motion.h>

#include "parameter_sections.h"
#include <filesystem>

namespace percussion {

template <int dim>
void check_supports(const CaseInput &input, const Case<dim> &c) {
  if (c.choices.has_inertia)
    return;
  std::vector<bool> may_be_held(c.bodies->n_dofs(), false);
  for (const auto *const dofs : {&c.bodies->motion.dofs(), &c.boundary->trace.dofs()})
    for (const unsigned int dof : *dofs)
      may_be_held[dof] = true;
  for (const auto &body : c.bodies->elastic)
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

template void check_supports<2>(const CaseInput &, const Case<2> &);
template void check_supports<3>(const CaseInput &, const Case<3> &);

} // namespace percussion
