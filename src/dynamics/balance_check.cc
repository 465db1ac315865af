#include "balance_check.h"

#include <percussion/base/error.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/state.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace percussion {
namespace {

/// Returns ε |v_θ|ᵀ |H|ᵀ |p|, including the velocities of surfaces.
template <int dim>
double round_off_of_contacts(const Substep<dim> &substep) {
  const PosedLaw<dim> &law = substep.law;
  const TraceField v_theta = substep.machinery.momentum->velocity_on_trace();
  double sum = 0;
  const ContactRows &H = law.H;
  const std::vector<double> percussion = substep.reaction.total_percussions();
  for (unsigned int row = 0; row < H.n_rows(); ++row) {
    double speed = std::abs(law.surface[row]);
    for (unsigned int k = H.start[row]; k < H.start[row + 1]; ++k)
      speed += std::abs(H.value[k] * v_theta[H.entries[H.column[k]]]);
    sum += speed * std::abs(percussion[row]);
  }
  return std::numeric_limits<double>::epsilon() * sum;
}

/// Largest term of the balance of a step.
struct BalanceTerm {
  const char *name; ///< name for messages
  double size;      ///< magnitude [energy]
};

/// Returns the largest of the energies at both ends of a step and of its works.
BalanceTerm largest_term(const StateEnergies &start, const StateEnergies &end, const Works &works) {
  BalanceTerm largest{"kinetic energy", std::max(start.kinetic, end.kinetic)};
  const auto compare = [&](const char *name, double value) {
    if (std::abs(value) > largest.size)
      largest = {name, std::abs(value)};
  };
  for (const StateEnergies *const energies : {&start, &end}) {
    compare("strain energy", energies->strain);
    compare("potential of contact springs", energies->contact_potential);
  }
  compare("work of loads", works.external);
  compare("work of viscosity", works.viscous);
  compare("numerical work", works.numerical);
  compare("normal work of contacts", works.contact_normal);
  compare("tangential work of contacts", works.contact_tangential);
  compare("work of rolling friction", works.contact_rolling);
  compare("work of prescribed motion", works.prescribed);
  compare("plastic work", works.plastic);
  compare("work of fracture", works.fracture);
  compare("work of position corrections", works.position_correction);
  return largest;
}

} // namespace

template <int dim>
void require_balance(const StateEnergies &start, const Substep<dim> &substep) {
  const State<dim> &end = substep.state;
  const StepRecord<dim> &record = substep.record;
  constexpr double largest_term_tolerance = 1e-10, round_off_factor = 1000.;
  const double residual = std::abs(record.balance_residual);
  const BalanceTerm largest = largest_term(start, end, record.works);
  constexpr double underflow = std::numeric_limits<double>::min();
  if (residual <= std::max(largest_term_tolerance * largest.size, underflow))
    return;
  const double round_off =
      substep.machinery.momentum->round_off(end) + round_off_of_contacts(substep);
  if (residual <= round_off_factor * round_off)
    return;
  std::ostringstream message;
  message << "step " << end.step + 1 << " (t = " << substep.interval.t1
          << "): the energy balance does not close: residual " << record.balance_residual
          << ", of which rounding explains " << round_off << "; its largest term is the "
          << largest.name << ", " << largest.size
          << ". The motion of this step is wrong, by an error of Percussion and not of the case";
  throw RunError(message.str());
}

PERCUSSION_INSTANTIATE(require_balance);

} // namespace percussion
