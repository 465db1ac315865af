// Steps of a hyperelastic body in 3D with many contacts, compared in one run with the costs of one
// assembly of its tangent and one solution with it to round-off, by conjugate gradients as in the
// steps.
//
//   contact_benchmark CASE.prm [PATH=VALUE ...]

#include <percussion/algebra/krylov.h>
#include <percussion/body/finite_strain.h>

#include "timing.h"
#include <cmath>
#include <cstdio>
#include <ctime>
#include <sys/resource.h>

namespace {

using namespace percussion;
using percussion::benchmark::median;

/// Returns the processor time of a call [s], which other programs hardly change.
template <typename Call>
double seconds_of(const Call &call) {
  const std::clock_t start = std::clock();
  call();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Assembly and solution at a state of a run.
class Yardstick {
public:
  Yardstick(const Case<3> &of, ContactSystem &s)
      : c(of), system(s), strains(*c.bodies->elastic.front(), 0) {
    const unsigned int n = strains.dofs_per_group();
    for (unsigned int group = 0; group < strains.n_groups(); ++group)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = i; j < n; ++j)
          positions.push_back(
              system.index(strains.dofs_of_group(group)[i], strains.dofs_of_group(group)[j]));
    tangent.resize(std::size_t(n) * n);
  }

  /// Assembles the tangent of a step of the current velocity.
  void assemble(const State<3> &state) {
    const double h = c.choices.h;
    Vector q1 = state.q, force(c.bodies->n_dofs());
    q1.add(h, state.v);
    strains.begin_step(state.q);
    strains.evaluate(q1, h, force);
    right.assign(force.data(), force.data() + force.size());
    assembly = seconds_of([&] {
      values.assign(system.values().size(), 0.);
      auto position = positions.begin();
      const unsigned int n = strains.dofs_per_group();
      for (unsigned int group = 0; group < strains.n_groups(); ++group) {
        strains.group_tangent(group, h, tangent.data());
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = i; j < n; ++j, ++position)
            if (*position >= 0)
              values[static_cast<std::size_t>(*position)] +=
                  h * h * c.choices.theta * (tangent[i * n + j] + tangent[j * n + i]);
      }
    });
  }

  /// Solves with the matrix of the last step.
  void solve() {
    constexpr double round_off = 1e-14;
    constexpr unsigned int max_iterations = 2000;
    std::vector<double> inverse = system.diagonal(), x(right.size(), 0.);
    for (std::size_t i = 0; i < inverse.size(); ++i) {
      right[i] = system.is_free(static_cast<unsigned int>(i)) ? right[i] : 0.;
      inverse[i] = 1. / inverse[i];
    }
    const KrylovSystem krylov{[&](const auto &y, auto &image) { system.multiply(y, image); },
                              [&](const auto &r, auto &z) { system.precondition(r, z); }, inverse,
                              system.partition()};
    const double limit = round_off * residual_norm(right, inverse, system.partition());
    KrylovVectors vectors;
    solution = seconds_of([&] {
      n_iterations = conjugate_gradients(krylov, limit, max_iterations, vectors, x, right);
    });
  }

  double assembly = 0, solution = 0; ///< times [s]
  unsigned int n_iterations = 0;

private:
  const Case<3> &c;
  ContactSystem &system;
  FiniteStrain<3> strains;
  std::vector<int> positions;
  std::vector<double> values, tangent, right;
};

Case<3> make_case(const std::string &prm, const std::vector<std::string> &changes) {
  auto file = ParameterFile::read(prm);
  for (const std::string &change : changes)
    file.override_with(change);
  const Parameters parameters(declare_case(&file), file);
  return build_case<3>(parameters, file);
}

void report(const Case<3> &c) {
  Step<3> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<3> state = c.initial;
  step.initialise(state);
  std::vector<double> steps, contacts, corrections;
  double drift = 0, energy = state.energy(), residual = 0;
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    const double t = c.span.start + k * c.choices.h;
    const double seconds = seconds_of([&] { step.advance(state, t); });
    const auto &record = step.last();
    const auto n_active =
        std::count_if(record.contacts.begin(), record.contacts.end(),
                      [](const auto &contact) { return contact.status != ContactStatus::open; });
    energy = std::max(energy, state.energy());
    drift = std::max(drift, std::abs(record.balance_residual));
    residual = std::max(residual, record.solver_residual);
    std::fprintf(stderr, "step %u  %.3g s  %ld contacts  %u corrections\n", k, seconds,
                 static_cast<long>(n_active), record.solver_iterations);
    if (n_active == 0)
      continue;
    steps.push_back(seconds);
    contacts.push_back(static_cast<double>(n_active));
    corrections.push_back(record.solver_iterations);
  }
  rusage usage;
  getrusage(RUSAGE_SELF, &usage); // before the vectors of this program
  const double memory = 1024. * static_cast<double>(usage.ru_maxrss);
  Yardstick yardstick(c, step.momentum().system());
  yardstick.assemble(state);
  yardstick.solve();
  const double unit = yardstick.assembly + yardstick.solution;
  std::printf("%u unknowns, %.0f to %.0f contacts, %.0f corrections, step %.3g s, assembly %.3g s, "
              "solution %.3g s of %u iterations, balance %.0e of the energy, law %.0e, "
              "memory %.2f GB\n",
              c.bodies->n_dofs(), *std::min_element(contacts.begin(), contacts.end()),
              *std::max_element(contacts.begin(), contacts.end()), median(corrections),
              median(steps), yardstick.assembly, yardstick.solution, yardstick.n_iterations,
              drift / energy, residual, memory / 1e9);
  std::printf("step / (assembly + solution) = %.2f  target <= 6\n", median(steps) / unit);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: contact_benchmark CASE.prm [PATH=VALUE ...]\n");
    return 2;
  }
  const percussion::MpiSession mpi;
  try {
    report(make_case(argv[1], {argv + 2, argv + argc}));
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "contact_benchmark: %s\n", error.what());
    return 1;
  }
}
