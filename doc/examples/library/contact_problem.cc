// Two contacts of unit mass: one is pushed sideways and slides, the other is thrown up.

#include <percussion/cone/solver.h>

#include <cmath>
#include <cstdio>

int main() {
  percussion::FrictionContactProblem problem;
  problem.dimension = 2;
  problem.n_contacts = 2;
  problem.mu = {0.3, 0.3};
  problem.q = {-1., 0.5, 2., 0.}; // velocities without contact: normal, tangential, ...
  problem.W.assign(4 * 4, 0.);    // velocity per impulse: the identity
  for (int i = 0; i < 4; ++i)
    problem.W[4 * i + i] = 1.;

  percussion::ConeSolver solver(percussion::ConeOptions{});
  percussion::ConeSolution solution;
  solver.solve(problem, solution);

  // The first is stopped by p_N = 1, with which friction of -0.3 reduces its velocity of 0.5.
  const double p[] = {1., -0.3, 0., 0.}, u[] = {0., 0.2, 2., 0.};
  bool good = solution.converged;
  for (int i = 0; i < 4; ++i) {
    std::printf("p = %4.1f   u = %4.1f\n", solution.p[i], solution.u[i]);
    good = good && std::abs(solution.p[i] - p[i]) + std::abs(solution.u[i] - u[i]) < 1e-12;
  }
  std::printf("%s: %.*s, residual %.0e\n", good ? "as expected" : "WRONG",
              int(solution.method.size()), solution.method.data(), solution.residual);
  return good ? 0 : 1;
}
