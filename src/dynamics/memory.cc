#include <percussion/dynamics/step.h>

namespace percussion {

template <int dim>
StepMemory<dim> Step<dim>::memory() const {
  StepMemory<dim> memory;
  memory.percussion = record.percussion;
  memory.status = record.status;
  memory.surface_motion = surface_motion;
  memory.momentum = balance->memory();
  memory.posed_active = posed_active;
  memory.keeps_delassus = delassus_version == balance->system_version();
  memory.cone = cone.memory(problem);
  memory.width = kept_width;
  memory.n_good = n_good;
  memory.largest_energy = largest_energy;
  return memory;
}

template <int dim>
void Step<dim>::restore(State<dim> &state, const StepMemory<dim> &memory) {
  state.force = make_vector(bodies.n_dofs());
  place(state);
  measure_penetration(state);
  record.percussion = memory.percussion;
  record.status = memory.status;
  surface_motion = memory.surface_motion;
  balance->restore(memory.momentum);
  kept_width = memory.width;
  n_good = memory.n_good;
  largest_energy = memory.largest_energy;
  if (!memory.keeps_delassus)
    return;
  record.active = memory.posed_active;
  take_active_delassus();
  cone.restore(problem, memory.cone);
}

template StepMemory<2> Step<2>::memory() const;
template void Step<2>::restore(State<2> &, const StepMemory<2> &);

} // namespace percussion
