#pragma once

#include <percussion/balance/balance.h>
#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/substeps.h>

namespace percussion {

/// Data, besides the State, that a Step carries from one step to the next. With both, another Step
/// continues bitwise identically. (Dependent data such as W are computed again.)
struct StepMemory {
  MomentumMemory momentum;
  ReactionMemory reaction;
  Substeps::Memory substeps;
  double largest_energy = 0; ///< largest energy so far
};

} // namespace percussion
