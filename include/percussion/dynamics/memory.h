#pragma once

#include <percussion/algebra/lu_system.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/surface_motion.h>

#include <vector>

namespace percussion {

/// What the balance of momentum carries from step to step besides the state.
struct MomentumMemory {
  double length = 0;           ///< h of the last part of a step
  bool factor_is_stale = true; ///< the tangent is to be made anew
  LuMemory tangent;            ///< of hyperelastic bodies
};

/// All that a Step carries from one step to the next besides the State: with both, another Step
/// goes on bit for bit as this one would. (What follows from them, such as W, is made again.)
template <int dim>
struct StepMemory {
  std::vector<double> percussion;    ///< of every candidate: the next guess
  std::vector<ContactStatus> status; ///< of every candidate
  std::vector<SurfaceMotion<dim>> surface_motion;
  MomentumMemory momentum;

  std::vector<unsigned int> posed_active; ///< contacts of the W that is kept
  bool keeps_delassus = false;            ///< whether it suits the present system
  ConeMemory cone;

  // Adaptive steps.
  unsigned int width = 0;    ///< of the next part in units of the smallest; 0: a whole step
  unsigned int n_good = 0;   ///< parts of this width that have succeeded
  double largest_energy = 0; ///< so far
};

} // namespace percussion
