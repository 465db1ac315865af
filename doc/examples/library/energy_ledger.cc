// energy_ledger CASE.prm STEPS: takes some steps of a case and prints its energy ledger.

#include <percussion/base/mpi_session.h>
#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>

using namespace percussion;

int run(const std::string &name, unsigned int n_steps) {
  const auto file = ParameterFile::read(name);
  const Parameters parameters(declare_case(&file), file);
  const Case<2> c = build_case<2>(parameters, file);
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  const double initial = state.energy();
  Works works;
  double largest = std::abs(initial);
  for (unsigned int k = 1; k <= n_steps; ++k) {
    works += step.advance(state, c.span.start + k * c.choices.h).works;
    largest = std::fmax(largest, std::abs(state.energy()));
  }
  const double missing = state.energy() - initial - works.sum();
  std::printf("time %g\nenergy %g, at first %g\nwork of loads %g\nwork of viscosity %g\n"
              "work of contact, normal %g, tangential %g\nmissing %g\n",
              state.time, state.energy(), initial, works.external, works.viscous,
              works.contact_normal, works.contact_tangential, missing);
  return std::abs(missing) <= 1e-10 * largest ? 0 : 1;
}

int main(int argc, char **argv) try {
  const MpiSession mpi;
  return run(argc > 1 ? argv[1] : "case.prm", argc > 2 ? std::stoul(argv[2]) : 100);
} catch (const std::exception &error) {
  std::fprintf(stderr, "energy_ledger: %s\n", error.what());
  return 1;
}
