#include "one_contact.h"

#include <percussion/cone/local_solver.h>
#include <percussion/cone/residual.h>

#include "check.h"
#include "delassus_operator.h"
#include <algorithm>

namespace percussion {
namespace {

template <int d>
bool is_at_rest(const ConeSolution &solution) {
  return solution.p.size() != d || (solution.status.empty() && vanishes(solution.p));
}

void complete(double residual, const ConeOptions &options, ConeSolution &solution) {
  solution.residual = residual;
  solution.converged = true;
  solution.outcome = ConeOutcome::converged;
  solution.iterations = 1;
  solution.method = "nsgs";
  solution.record.clear();
  if (options.record)
    solution.record.emplace_back("a single contact, directly");
}

template <int d>
bool solve(const FrictionContactProblem &problem, const ConeOptions &options,
           ConeSolution &solution) {
  constexpr double round_off = 1e-13;
  if (!is_at_rest<d>(solution))
    return false;
  check_problem(problem, true);
  if (problem.q[0] >= 0.) { // p = 0 is exact
    solution.p.assign(d, 0.);
    solution.u = problem.q;
    solution.status.assign(1, ContactStatus::open);
    complete(0., options, solution);
    return true;
  }
  const DelassusOperator<d> W(problem);
  const local::Block<d> diagonal_block = W.diagonal_block(0);
  local::Vector<d> q;
  std::copy_n(problem.q.begin(), d, q.begin());
  const local::Vector<d> p = local::solve_one_contact<d>(diagonal_block, q, problem.mu[0]);
  const local::Vector<d> u = velocity<d>(problem, W, 0, p.data());
  solution.p.assign(p.begin(), p.end());
  solution.u.assign(u.begin(), u.end());
  const double residual = natural_map_residual(problem, solution.p, solution.u);
  if (!is_small(problem.q, solution.p, residual, round_off) || !(residual <= options.tolerance)) {
    solution.p.assign(d, 0.);
    return false;
  }
  solution.status.assign(
      1, local::local_status<d>(p.data(), u.data(), problem.mu[0], diagonal_block).status);
  complete(residual, options, solution);
  return true;
}

} // namespace

bool solve_one_contact(const FrictionContactProblem &problem, const ConeOptions &options,
                       ConeSolution &solution) {
  if (problem.n_contacts != 1 || options.method != ConeMethod::automatic)
    return false;
  return problem.dimension == 2   ? solve<2>(problem, options, solution)
         : problem.dimension == 3 ? solve<3>(problem, options, solution)
                                  : false;
}

} // namespace percussion
