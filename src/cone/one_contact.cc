#include "one_contact.h"

#include <percussion/cone/local_solver.h>
#include <percussion/cone/residual.h>

#include "delassus_operator.h"
#include <algorithm>

namespace percussion {
namespace {

/// Returns W by rows; nullptr unless check_problem() accepts the data.
template <int d>
const double *checked_operator(const FrictionContactProblem &problem) {
  const BlockSparseMatrix &blocks = problem.blocks;
  const bool is_dense = blocks.value.empty();
  const std::vector<double> &W = is_dense ? problem.W : blocks.value;
  if (problem.q.size() != d || problem.mu.size() != 1 || W.size() != d * d)
    return nullptr;
  if (!is_dense &&
      !(problem.W.empty() && blocks.row_start.size() == 2 && blocks.column.size() == 1 &&
        blocks.row_start[0] == 0 && blocks.row_start[1] == 1 && blocks.column[0] == 0))
    return nullptr;
  bool is_sound = problem.mu[0] >= 0. && 0. * problem.mu[0] == 0.;
  for (std::size_t k = 0; k < d; ++k) {
    double zero = 0. * problem.q[k]; // NaN unless all are finite
    for (std::size_t l = 0; l < d; ++l)
      zero += 0. * W[k * d + l];
    is_sound = is_sound && zero == 0. && W[k * (d + 1)] >= 0.;
  }
  return is_sound ? W.data() : nullptr;
}

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
  const double *const entries = checked_operator<d>(problem);
  if (!entries || !is_at_rest<d>(solution))
    return false;
  if (problem.q[0] >= 0.) { // p = 0 is exact
    solution.p.assign(d, 0.);
    solution.u = problem.q;
    solution.status.assign(1, ContactStatus::open);
    complete(0., options, solution);
    return true;
  }
  local::Block<d> W;
  local::Vector<d> q;
  std::copy_n(entries, d * d, W[0].data());
  std::copy_n(problem.q.begin(), d, q.begin());
  const local::Vector<d> p = local::solve_one_contact<d>(W, q, problem.mu[0]);
  const local::Vector<d> u = velocity<d>(problem, DelassusOperator<d>(problem), 0, p.data());
  solution.p.assign(p.begin(), p.end());
  solution.u.assign(u.begin(), u.end());
  const double residual = natural_map_residual(problem, solution.p, solution.u);
  if (!is_small(problem.q, solution.p, residual, round_off) || !(residual <= options.tolerance)) {
    solution.p.assign(d, 0.);
    return false;
  }
  solution.status.assign(1, local::local_status<d>(p.data(), u.data(), problem.mu[0], W).status);
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
