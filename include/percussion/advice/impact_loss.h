#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <string>
#include <vector>

namespace percussion {

/// Watch for impacts of elastic bodies in steps of more than ten transits of a wave through an
/// element, in which the scheme dissipates most of the kinetic energy.
template <int dim>
class ImpactLoss {
public:
  /// Prepares the watch. The case must outlive it.
  explicit ImpactLoss(const Case<dim> &the_case);

  /// Adds a step.
  void add(const State<dim> &state, const StepRecord<dim> &record);

  /// Returns a sentence on the impact with the largest kinetic energy, if the scheme has dissipated
  /// more than half of it and it is a tenth of the largest energy of the run; else empty.
  std::string look(double energy_max) const;

private:
  /// Impact: the steps from the closing of a pair on.
  struct Impact {
    unsigned int pair = 0;
    double time = 0;         ///< end of the first step
    double kinetic = 0;      ///< kinetic energy before [energy]
    double loss = 0;         ///< energy that the scheme has dissipated [energy]
    unsigned int n_left = 0; ///< steps that still belong to it
  };
  const Case<dim> &c;
  std::vector<double> transits;  ///< transits of a step, pair by pair; zero without inertia
  std::vector<bool> was_closed;  ///< true for pairs that carried in the step before
  double previous_kinetic = -1.; ///< negative before the first step
  Impact present, largest;
};

} // namespace percussion
