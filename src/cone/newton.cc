#include <percussion/cone/newton.h>
#include <percussion/cone/residual.h>

#include "delassus_factors.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace percussion {
namespace {

/// Adds a word to a hash, by FNV-1a.
void mix(std::uint64_t &hash, std::uint64_t word) { hash = (hash ^ word) * 0x100000001b3ULL; }

template <int d>
std::uint64_t hash_of(const std::vector<local::LocalStatus<d>> &statuses) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const local::LocalStatus<d> &status : statuses) {
    mix(hash, static_cast<std::uint64_t>(status.status));
    for (const double component : status.direction) {
      std::uint64_t bits;
      std::memcpy(&bits, &component, sizeof bits);
      mix(hash, bits ^ (bits >> 32));
    }
  }
  return hash;
}

/// Returns the equations of the reductions in the space of the bodies.
template <int d>
std::vector<ContactEquations<d>> equations_of(const std::vector<local::Reduction<d>> &reductions) {
  std::vector<ContactEquations<d>> contacts(reductions.size());
  for (std::size_t i = 0; i < reductions.size(); ++i) {
    contacts[i] = {reductions[i].size, reductions[i].test, reductions[i].basis, {}};
    for (std::size_t k = 0; k < reductions[i].size; ++k)
      contacts[i].diagonal_block[k][k] = reductions[i].shift[k];
  }
  return contacts;
}

/// Returns a function that computes the entries of the linear system for two contacts: W between
/// the test and basis vectors of the reductions.
template <int d>
auto entries_of(const std::vector<local::Reduction<d>> &reductions) {
  return [&reductions](std::size_t i, std::size_t j, const double *block, std::size_t stride,
                       auto &&result) {
    const local::Reduction<d> &row = reductions[i], &column = reductions[j];
    for (std::size_t c = 0; c < column.size; ++c) {
      if (row.size == d && column.size == d) { // both stick
        for (std::size_t k = 0; k < d; ++k)
          result(k, c) = block[k * stride + c];
        continue;
      }
      const auto response = [&](std::size_t k) {
        double sum = 0.;
        for (std::size_t l = 0; l < d; ++l)
          sum += block[k * stride + l] * column.basis[c][l];
        return sum;
      };
      result(0, c) = response(0); // the first test of a closed contact is its normal velocity
      for (std::size_t r = 1; r < d; ++r) {
        if (r >= row.size)
          break;
        double tested = 0.;
        for (std::size_t k = 0; k < d; ++k)
          tested += row.test[r][k] * response(k);
        result(r, c) = tested;
      }
    }
    for (std::size_t r = 0; i == j && r < row.size; ++r)
      result(r, r) += row.shift[r];
  };
}

} // namespace

template <int d>
ActiveSetNewton<d>::ActiveSetNewton() : factors(std::make_unique<DelassusFactors<d>>()) {}
template <int d>
ActiveSetNewton<d>::~ActiveSetNewton() = default;

template <int d>
void ActiveSetNewton<d>::start_from_status(const FrictionContactProblem &problem,
                                           const ConeSolution &start) {
  assumed.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    assumed[i] = {start.status[i], {}, 0.};
    const bool frictionless_stick = start.status[i] == ContactStatus::stick && problem.mu[i] <= 0.;
    if (start.status[i] != ContactStatus::slip && !frictionless_stick)
      continue;
    // Friction opposes the motion: if p_T vanishes, q_T determines the direction.
    local::Direction<d> p_direction, against_q;
    for (std::size_t k = 1; k < d; ++k) {
      p_direction[k - 1] = start.p[d * i + k];
      against_q[k - 1] = -problem.q[d * i + k];
    }
    if (problem.mu[i] <= 0.)
      assumed[i] = local::slip_along<d>({});
    else
      assumed[i] =
          local::slip_along<d>(p_direction == local::Direction<d>{} ? against_q : p_direction);
    if (d > 2)
      assumed[i].weight = 0.5; // the exact value needs the velocities, which may be unknown
  }
}

template <int d>
void ActiveSetNewton<d>::start_from_percussion(const FrictionContactProblem &problem,
                                               const std::vector<double> &p) {
  percussion = p;
  determine_statuses(problem);
}

template <int d>
NewtonOutcome ActiveSetNewton<d>::iterate(const FrictionContactProblem &problem,
                                          unsigned int max_iterations, const Deadline &deadline,
                                          double tolerance, double acceptable) {
  constexpr unsigned int max_stalled = 5; // limit of iterations that do not halve an acceptable
                                          // residual
  double best_residual = std::numeric_limits<double>::infinity();
  unsigned int n_stalled = 0;
  n_iterations = 0;
  is_singular = is_singular && factored_version == problem.version && factored == assumed;
  history.clear();
  while (n_iterations < max_iterations && !seen_before() && !deadline.is_over()) {
    ++n_iterations;
    if (!factorise(problem) || !solve_linear_system(problem))
      return NewtonOutcome::broken_down;
    determine_statuses(problem);
    stick_where_reversed();
    if (has_converged())
      return NewtonOutcome::repeated;
    if (tolerance <= 0.)
      continue;
    const double residual = natural_map_residual(problem, percussion, velocity);
    if (is_small(problem.q, percussion, residual, tolerance))
      return NewtonOutcome::accurate;
    n_stalled = residual > 0.5 * best_residual ? n_stalled + 1 : 0;
    best_residual = std::min(best_residual, residual);
    if (n_stalled >= max_stalled && is_small(problem.q, percussion, residual, acceptable))
      return NewtonOutcome::accurate;
  }
  return n_iterations > 0 ? NewtonOutcome::unsettled : NewtonOutcome::broken_down;
}

template <int d>
void ActiveSetNewton<d>::release_factors() {
  factors = std::make_unique<DelassusFactors<d>>();
  reductions = std::vector<local::Reduction<d>>();
  factored_version = 0;
}

/// Makes contacts stick whose slip direction has reversed in one iteration: it would reverse again
/// in the next.
template <int d>
void ActiveSetNewton<d>::stick_where_reversed() {
  for (std::size_t i = 0; i < assumed.size(); ++i) {
    if (assumed[i].status != ContactStatus::slip || factored[i].status != ContactStatus::slip)
      continue;
    double cosine = 0.;
    for (std::size_t k = 0; k + 1 < d; ++k)
      cosine += assumed[i].direction[k] * factored[i].direction[k];
    if (cosine < 0.)
      assumed[i] = {ContactStatus::stick, {}, 0.};
  }
}

template <int d>
bool ActiveSetNewton<d>::has_converged() const {
  for (std::size_t i = 0; i < assumed.size(); ++i)
    if (!local::alike<d>(assumed[i], factored[i]))
      return false;
  return true;
}

template <int d>
bool ActiveSetNewton<d>::seen_before() {
  const std::uint64_t hash = hash_of<d>(assumed);
  if (std::find(history.begin(), history.end(), hash) != history.end())
    return true;
  history.push_back(hash);
  return false;
}

/// Updates the LU factors for the assumed statuses. Returns false if the matrix is singular.
template <int d>
bool ActiveSetNewton<d>::factorise(const FrictionContactProblem &problem) {
  constexpr std::size_t dense_limit = 40; // dense factors take less time, whatever the zeros
  if (factored_version != 0 && factored_version == problem.version && factored == assumed)
    return !is_singular;

  const DelassusOperator<d> W(problem);
  factored = assumed;
  factored_version = problem.version;
  reductions.resize(problem.n_contacts);
  offsets.assign(1, 0);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    reductions[i] = local::reduce<d>(assumed[i], problem.mu[i], W.diagonal_block(i));
    offsets.push_back(offsets.back() + reductions[i].size);
  }
  const std::size_t n = offsets.back();
  z.resize(n);
  // In the space of the bodies a contact without compliance has a singular block.
  const bool uses_bodies = n > dense_limit && W.bodies() && !W.rigid_bodies() &&
                           factors->factorise_by_bodies(W, equations_of<d>(reductions));
  is_singular =
      !uses_bodies && (n > W.largest_rank() ||
                       !factors->factorise(W, offsets, dense_limit, entries_of<d>(reductions)));
  return !is_singular;
}

/// Solves the reduced equations for the percussions. Returns false if they are not finite.
template <int d>
bool ActiveSetNewton<d>::solve_linear_system(const FrictionContactProblem &problem) {
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t r = 0; r < reductions[i].size; ++r) {
      double tested = 0.;
      for (std::size_t k = 0; k < d; ++k)
        tested += reductions[i].test[r][k] * problem.q[d * i + k];
      z[offsets[i] + r] = -tested;
    }
  const bool finite = factors->solve(DelassusOperator<d>(problem), z);
  percussion.assign(problem.q.size(), 0.);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t c = 0; c < reductions[i].size; ++c)
      for (std::size_t k = 0; k < d; ++k)
        percussion[d * i + k] += reductions[i].basis[c][k] * z[offsets[i] + c];
  return finite;
}

/// Computes the velocities of p, and the statuses from both.
template <int d>
void ActiveSetNewton<d>::determine_statuses(const FrictionContactProblem &problem) {
  velocities<d>(problem, percussion, velocity);
  const DelassusOperator<d> W(problem);
  assumed.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    assumed[i] = local::local_status<d>(&percussion[d * i], &velocity[d * i], problem.mu[i],
                                        W.diagonal_block(i));
}

template class ActiveSetNewton<2>;
template class ActiveSetNewton<3>;

} // namespace percussion
