// Costs of a step of the ring impact, ledger included, against what its parts cost, measured in one
// run: step ≤ 2 × (one numeric factorisation + one tangent assembly) + iterations × (one residual
// assembly + one triangular solve). Not a test: nothing here passes or fails unless --check is
// given.
//
//   ring_benchmark CASE.prm [--check]

#include "timing.h"
#include <cstdio>
#include <cstring>

namespace {

using namespace percussion;
using percussion::benchmark::median;
using percussion::benchmark::seconds_of;

/// Medians over the run of the parts of a step, at the states that the run goes through [s].
struct Parts {
  std::vector<double> refactor, residual, solve;
};

void measure_parts(const Case<2> &c, Step<2> &step, const State<2> &state, Parts &parts) {
  Momentum<2> &momentum = step.momentum();
  Vector v = make_vector(c.bodies->n_dofs()), x = make_vector(c.bodies->n_dofs());
  const std::vector<double> none(c.bodies->motion.dofs().size(), 0.);
  momentum.predict(state, state.force, none, FirstGuess::velocity, v);
  parts.refactor.push_back(seconds_of([&] { momentum.refactor(); }));
  parts.residual.push_back(seconds_of([&] { momentum.evaluate(state, state.force, v); }));
  momentum.system().use_contacts({});
  parts.solve.push_back(seconds_of([&] {
    momentum.system().start(entries(momentum.defect()), none, entries(x));
    momentum.system().finish(entries(x));
  }));
}

bool report(const Case<2> &c) {
  // One run for the parts, which disturb the factor that steps keep, and one for the steps, in
  // turn.
  Step<2> step(*c.bodies, *c.contacts, c.choices, c.cone);
  Step<2> measured(*c.bodies, *c.contacts, c.choices, c.cone);
  State<2> state = c.initial, of_parts = c.initial;
  step.initialise(state);
  measured.initialise(of_parts);
  measured.momentum().set_length(c.choices.h);
  Parts parts;
  std::vector<double> ratios, steps;
  double iterations = 0, contacts = 0, drift = 0;
  const double initial = state.energy();
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    measure_parts(c, measured, state, parts);
    const double t = c.span.start + k * c.choices.h;
    const double seconds = seconds_of([&] { step.advance(state, t); });
    const auto &record = step.last();
    const double allowed = 2. * parts.refactor.back() +
                           record.solver_iterations * (parts.residual.back() + parts.solve.back());
    ratios.push_back(seconds / allowed);
    steps.push_back(seconds);
    iterations += record.solver_iterations;
    contacts += static_cast<double>(record.active.size());
    drift = std::max(drift, std::abs(record.balance_residual));
  }
  const double unit = median(parts.refactor);
  std::printf("ring  %u unknowns  %.1f contacts  %.1f iterations  balance %.0e of the energy\n",
              c.bodies->n_dofs(), contacts / c.span.n_steps, iterations / c.span.n_steps,
              drift / initial);
  std::printf("      in units of factorisation + tangent: step %.2f, residual %.2f, solve %.2f "
              "(that unit: %.2g ms)\n",
              median(steps) / unit, median(parts.residual) / unit, median(parts.solve) / unit,
              1e3 * unit);
  const double ratio = median(ratios);
  std::printf("      step / (2 (factorisation + tangent) + iterations (residual + solve)) = %.2f  "
              "target <= 1\n",
              ratio);
  return ratio <= 1.;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: ring_benchmark CASE.prm [--check]\n");
    return 2;
  }
  const bool check = argc > 2 && std::strcmp(argv[2], "--check") == 0;
  const percussion::MpiSession mpi(argc, argv);
  try {
    const bool met =
        report(percussion::benchmark::make_case(argv[1], {"Solver/Newton tolerance=1e-9"}));
    return check && !met ? 1 : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "ring_benchmark: %s\n", error.what());
    return 1;
  }
}
