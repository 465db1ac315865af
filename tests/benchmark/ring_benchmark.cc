// Costs of a step of the ring impact, ledger included, compared in one run with a fixed measure:
// the costs of its operations with the KLU factorisation of the consistent tangent,
//
//     2 × (numeric factorisation + tangent assembly) + iterations × (residual assembly + solve)
//
// with the iterations of the step. This program passes or fails only if --check is given.
//
//   ring_benchmark CASE.prm [--check]

#include <percussion/body/finite_strain.h>

#include "timing.h"
#include <cstdio>
#include <cstring>
#include <klu.h>

namespace {

using namespace percussion;
using percussion::benchmark::median;
using percussion::benchmark::seconds_of;

/// Tangent of a body without constraints, as compressed columns for KLU.
class Yardstick {
public:
  explicit Yardstick(const Case<2> &of) : c(of), strains(*c.bodies->elastic.front(), 0) {
    const SparseMatrix &pattern = c.bodies->operators.stiffness;
    start.push_back(0);
    for (unsigned int j = 0; j < pattern.n_rows(); ++j) {
      const SparseRow column = pattern.row(j); // the pattern is symmetric
      rows.insert(rows.end(), column.column, column.column + column.size);
      std::sort(rows.begin() + start.back(), rows.end());
      start.push_back(static_cast<int>(rows.size()));
    }
    values.resize(rows.size());
    mass = values;
    for (unsigned int i = 0; i < pattern.n_rows(); ++i) {
      const SparseRow entries = c.bodies->operators.mass.row(i);
      for (int k = 0; k < entries.size; ++k)
        mass[place(i, static_cast<unsigned int>(entries.column[k]))] = entries.value[k];
    }
    const unsigned int n = strains.dofs_per_group();
    for (unsigned int group = 0; group < strains.n_groups(); ++group)
      for (unsigned int i = 0; i < n; ++i)
        for (unsigned int j = 0; j < n; ++j)
          places.push_back(place(strains.dofs_of_group(group)[i], strains.dofs_of_group(group)[j]));
    tangent.resize(std::size_t(n) * n);
    for (Vector *work : {&q1, &force, &Mv})
      work->reinit(c.bodies->n_dofs());
    klu_defaults(&common);
    common.btf = 0;
    common.scale = 2;
    symbolic = klu_analyze(static_cast<int>(pattern.n_rows()), start.data(), rows.data(), &common);
  }
  ~Yardstick() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Yardstick(const Yardstick &) = delete;
  Yardstick &operator=(const Yardstick &) = delete;

  /// Measures the operations at a state [s].
  void measure(const State<2> &state) {
    const double h = c.choices.h;
    strains.begin_step(state.q);
    residual.push_back(seconds_of([&] {
      q1 = state.q;
      q1.add(h, state.v);
      force = 0.;
      strains.evaluate(q1, h, force);
      multiply(c.bodies->operators.mass, state.v, Mv);
    }));
    factorisation.push_back(seconds_of([&] {
      assemble(h);
      if (numeric == nullptr)
        numeric = klu_factor(start.data(), rows.data(), values.data(), symbolic, &common);
      else
        klu_refactor(start.data(), rows.data(), values.data(), symbolic, numeric, &common);
    }));
    std::vector<double> x(force.data(), force.data() + force.size());
    solution.push_back(seconds_of(
        [&] { klu_solve(symbolic, numeric, static_cast<int>(x.size()), 1, x.data(), &common); }));
  }

  std::vector<double> factorisation, residual, solution;

private:
  std::size_t place(unsigned int row, unsigned int column) const {
    const auto begin = rows.begin() + start[column], end = rows.begin() + start[column + 1];
    return static_cast<std::size_t>(std::lower_bound(begin, end, static_cast<int>(row)) -
                                    rows.begin());
  }

  void assemble(double h) {
    values = mass;
    auto at = places.begin();
    for (unsigned int group = 0; group < strains.n_groups(); ++group) {
      strains.group_tangent(group, h, tangent.data());
      for (const double entry : tangent)
        values[*at++] += h * h * c.choices.theta * entry;
    }
  }

  const Case<2> &c;
  FiniteStrain<2> strains;
  std::vector<int> start, rows;
  std::vector<double> values, mass, tangent;
  std::vector<std::size_t> places;
  Vector q1, force, Mv;
  klu_common common;
  klu_symbolic *symbolic = nullptr;
  klu_numeric *numeric = nullptr;
};

bool report(const Case<2> &c) {
  Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  State<2> state = c.initial;
  step.initialise(state);
  Yardstick yardstick(c);
  std::vector<double> ratios, steps;
  double iterations = 0, contacts = 0, drift = 0;
  const double initial = state.energy();
  for (unsigned int k = 1; k <= c.span.n_steps; ++k) {
    yardstick.measure(state);
    const double t = c.span.start + k * c.choices.h;
    const double seconds = seconds_of([&] { step.advance(state, t); });
    const auto &record = step.last();
    ratios.push_back(seconds / (2. * yardstick.factorisation.back() +
                                record.solver_iterations *
                                    (yardstick.residual.back() + yardstick.solution.back())));
    steps.push_back(seconds);
    iterations += record.solver_iterations;
    contacts += static_cast<double>(record.contacts.size());
    drift = std::max(drift, std::abs(record.balance_residual));
  }
  const double unit = median(yardstick.factorisation);
  std::printf("ring  %u unknowns  %.1f contacts  %.1f iterations  balance %.0e of the energy\n",
              c.bodies->n_dofs(), contacts / c.span.n_steps, iterations / c.span.n_steps,
              drift / initial);
  std::printf("      in units of tangent + KLU factorisation: step %.2f, residual %.2f, KLU solve "
              "%.2f (that unit: %.2g ms)\n",
              median(steps) / unit, median(yardstick.residual) / unit,
              median(yardstick.solution) / unit, 1e3 * unit);
  const double ratio = median(ratios);
  std::printf("      step / (2 (tangent + factorisation) + iterations (residual + solve)) = %.3f  "
              "target <= 0.3\n",
              ratio);
  return ratio <= 0.3;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: ring_benchmark CASE.prm [--check]\n");
    return 2;
  }
  const bool check = argc > 2 && std::strcmp(argv[2], "--check") == 0;
  const percussion::MpiSession mpi;
  try {
    const bool met =
        report(percussion::benchmark::make_case(argv[1], {"Solver/Newton tolerance=1e-9"}));
    return check && !met ? 1 : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "ring_benchmark: %s\n", error.what());
    return 1;
  }
}
