#include <percussion/cone/newton.h>

#include "dense.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace percussion {
namespace {

/// FNV-1a, a word at a time.
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

/// Whether the smallest pivot of LU factors is round-off of the largest, as it is where W is
/// singular but for the errors of its entries: a solution would be arbitrary along the null space.
bool pivots_vanish(const std::vector<double> &lu, std::size_t n) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.;
  for (std::size_t k = 0; k < n; ++k) {
    smallest = std::min(smallest, std::abs(lu[k * n + k]));
    largest = std::max(largest, std::abs(lu[k * n + k]));
  }
  return smallest < 1e-12 * largest;
}

} // namespace

template <int d>
void ActiveSetNewton<d>::start_from_status(const FrictionContactProblem &problem,
                                           const ConeSolution &start) {
  supposed_.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    supposed_[i] = {start.status[i], {}};
    const bool frictionless_stick = start.status[i] == ContactStatus::stick && problem.mu[i] <= 0.;
    if (start.status[i] != ContactStatus::slip && !frictionless_stick)
      continue;
    // Friction opposes the motion: without a percussion to tell its direction, q does.
    local::Direction<d> with_p, against_q;
    for (std::size_t k = 1; k < d; ++k) {
      with_p[k - 1] = start.p[d * i + k];
      against_q[k - 1] = -problem.q[d * i + k];
    }
    if (problem.mu[i] <= 0.)
      supposed_[i] = local::slip_along<d>({});
    else
      supposed_[i] = local::slip_along<d>(with_p == local::Direction<d>{} ? against_q : with_p);
  }
}

template <int d>
void ActiveSetNewton<d>::start_from_percussion(const FrictionContactProblem &problem,
                                               const std::vector<double> &p) {
  p_ = p;
  read_statuses(problem);
}

template <int d>
NewtonOutcome ActiveSetNewton<d>::iterate(const FrictionContactProblem &problem,
                                          unsigned int max_iterations) {
  iterations_ = 0;
  singular_ = singular_ && factored_version_ == problem.version && factored_ == supposed_;
  history_.clear();
  while (iterations_ < max_iterations && !seen_before()) {
    ++iterations_;
    if (!factorise(problem) || !solve_linear_system(problem))
      return NewtonOutcome::broken_down;
    read_statuses(problem);
    hold_reversed();
    if (supposed_ == factored_)
      return NewtonOutcome::repeated;
  }
  return iterations_ > 0 ? NewtonOutcome::unsettled : NewtonOutcome::broken_down;
}

/// A slip that would turn round in one iteration would turn back in the next: it sticks instead.
template <int d>
void ActiveSetNewton<d>::hold_reversed() {
  for (std::size_t i = 0; i < supposed_.size(); ++i) {
    if (supposed_[i].status != ContactStatus::slip || factored_[i].status != ContactStatus::slip)
      continue;
    double cosine = 0.;
    for (std::size_t k = 0; k + 1 < d; ++k)
      cosine += supposed_[i].direction[k] * factored_[i].direction[k];
    if (cosine < 0.)
      supposed_[i] = {ContactStatus::stick, {}};
  }
}

template <int d>
bool ActiveSetNewton<d>::seen_before() {
  const std::uint64_t hash = hash_of<d>(supposed_);
  if (std::find(history_.begin(), history_.end(), hash) != history_.end())
    return true;
  history_.push_back(hash);
  return false;
}

/// Make the LU factors those of the statuses supposed. False if the matrix is singular.
template <int d>
bool ActiveSetNewton<d>::factorise(const FrictionContactProblem &problem) {
  if (factored_version_ != 0 && factored_version_ == problem.version && factored_ == supposed_)
    return !singular_;

  factored_ = supposed_;
  assemble(problem);
  int info = 0;
  const int n = static_cast<int>(z_.size());
  if (n > 0)
    dgetrf_(&n, &n, lu_.data(), &n, pivots_.data(), &info);
  singular_ = info != 0 || pivots_vanish(lu_, z_.size());
  factored_version_ = problem.version;
  return !singular_;
}

/// The reduced matrix: the rows of W whose velocities shall vanish, times the bases of p.
template <int d>
void ActiveSetNewton<d>::assemble(const FrictionContactProblem &problem) {
  const std::size_t n_contacts = problem.n_contacts, n_full = d * n_contacts;
  std::size_t n = 0;
  reductions_.resize(n_contacts);
  for (std::size_t i = 0; i < n_contacts; ++i) {
    reductions_[i] = local::reduce<d>(supposed_[i], problem.mu[i]);
    n += reductions_[i].size;
  }
  z_.resize(n);
  pivots_.resize(n);
  lu_.resize(n * n);

  std::size_t row = 0;
  for (std::size_t i = 0; i < n_contacts; ++i)
    for (std::size_t k = 0; k < reductions_[i].size; ++k, ++row) {
      const double *w = problem.W.data() + (d * i + k) * n_full;
      double *entry = lu_.data() + row;
      for (std::size_t j = 0; j < n_contacts; ++j)
        for (std::size_t c = 0; c < reductions_[j].size; ++c, entry += n) {
          *entry = 0.;
          for (std::size_t l = 0; l < d; ++l)
            *entry += w[d * j + l] * reductions_[j].basis[c][l];
        }
    }
}

/// Find the percussions with which the velocities of the reduced rows vanish. False if not finite.
template <int d>
bool ActiveSetNewton<d>::solve_linear_system(const FrictionContactProblem &problem) {
  std::size_t row = 0;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t k = 0; k < reductions_[i].size; ++k)
      z_[row++] = -problem.q[d * i + k];

  const int n = static_cast<int>(z_.size()), one = 1;
  int info = 0;
  if (n > 0)
    dgetrs_("N", &n, &one, lu_.data(), &n, pivots_.data(), z_.data(), &n, &info, 1);

  p_.assign(problem.q.size(), 0.);
  bool finite = info == 0;
  row = 0;
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t c = 0; c < reductions_[i].size; ++c, ++row) {
      finite = finite && std::isfinite(z_[row]);
      for (std::size_t k = 0; k < d; ++k)
        p_[d * i + k] += reductions_[i].basis[c][k] * z_[row];
    }
  return finite;
}

/// Set the velocities that belong to p, and the statuses that both show.
template <int d>
void ActiveSetNewton<d>::read_statuses(const FrictionContactProblem &problem) {
  u_.resize(p_.size());
  supposed_.resize(problem.n_contacts);
  for (std::size_t i = 0; i < problem.n_contacts; ++i) {
    for (std::size_t k = 0; k < d; ++k)
      u_[d * i + k] = velocity(problem, d * i + k, p_.data());
    supposed_[i] = local::local_status<d>(&p_[d * i], &u_[d * i], problem.mu[i],
                                          local::diagonal_block<d>(problem, i));
  }
}

template class ActiveSetNewton<2>;

} // namespace percussion
