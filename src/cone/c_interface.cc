#include <percussion/base/nearest_name.h>
#include <percussion/cone/natural_solve.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/percussion_cone.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>

using percussion::CompressedRows;
using percussion::ConeSolution;
using percussion::ContactStatus;
using percussion::FrictionContactProblem;
using percussion::GlobalConeSolution;
using percussion::GlobalFrictionContactProblem;

struct percussion_cone {
  percussion::ConeOptions options;
  std::string message, method;
};

namespace {

[[noreturn]] void refuse(const std::string &message) { throw std::invalid_argument(message); }

/// Runs a function that may throw. Returns its status, and stores the message in `solver`.
template <typename Action>
int guarded(percussion_cone *solver, const Action &action) noexcept {
  if (solver == nullptr)
    return PERCUSSION_BAD_INPUT;
  try {
    solver->message.clear();
    return action();
  } catch (const std::exception &error) {
    const bool is_input = dynamic_cast<const std::invalid_argument *>(&error) != nullptr;
    try {
      solver->message = error.what();
    } catch (...) { // no memory for the message
    }
    return is_input ? PERCUSSION_BAD_INPUT : PERCUSSION_FAILED;
  } catch (...) {
    return PERCUSSION_FAILED;
  }
}

std::size_t size(const char *name, int value) {
  if (value < 0)
    refuse(std::string(name) + " is " + std::to_string(value) + "; allowed are numbers >= 0");
  return static_cast<std::size_t>(value);
}

std::size_t dimension(int value) {
  if (value != 2 && value != 3)
    refuse("dimension is " + std::to_string(value) + "; allowed are 2 and 3");
  return static_cast<std::size_t>(value);
}

void require(const char *name, const void *pointer, std::size_t n) {
  if (pointer == nullptr && n > 0)
    refuse(std::string(name) + " is a null pointer; needed are " + std::to_string(n) + " numbers");
}

std::vector<double> vector(const char *name, const double *values, std::size_t n) {
  require(name, values, n);
  return n == 0 ? std::vector<double>() : std::vector<double>(values, values + n);
}

void check_rows(const std::string &name, const percussion_matrix &matrix, std::size_t n_rows,
                std::size_t n_columns) {
  const int *start = matrix.row_start;
  if (start[0] != 0)
    refuse(name + ".row_start[0] is " + std::to_string(start[0]) + "; needed is 0");
  for (std::size_t row = 0; row < n_rows; ++row)
    if (start[row + 1] < start[row])
      refuse(name + ".row_start descends in row " + std::to_string(row));
  const auto n = static_cast<std::size_t>(start[n_rows]);
  require((name + ".column").c_str(), matrix.column, n);
  require((name + ".value").c_str(), matrix.value, n);
  for (std::size_t k = 0; k < n; ++k)
    if (matrix.column[k] < 0 || static_cast<std::size_t>(matrix.column[k]) >= n_columns)
      refuse(name + ".column[" + std::to_string(k) + "] is " + std::to_string(matrix.column[k]) +
             "; allowed are 0 to " + std::to_string(n_columns) + " - 1");
}

/// Returns the rows with ascending columns, each once.
CompressedRows rows_of(const char *name, const percussion_matrix &matrix, std::size_t n_rows,
                       std::size_t n_columns) {
  CompressedRows result{n_rows, n_columns, {0}, {}, {}};
  std::vector<std::size_t> order;
  if (matrix.row_start != nullptr)
    check_rows(name, matrix, n_rows, n_columns);
  else
    require(name, matrix.value, n_rows * n_columns);
  for (std::size_t row = 0; row < n_rows; ++row) {
    if (matrix.row_start == nullptr) {
      for (std::size_t column = 0; column < n_columns; ++column)
        if (const double value = matrix.value[row * n_columns + column]; value != 0.) {
          result.column.push_back(column);
          result.value.push_back(value);
        }
    } else {
      order.resize(static_cast<std::size_t>(matrix.row_start[row + 1] - matrix.row_start[row]));
      std::iota(order.begin(), order.end(), static_cast<std::size_t>(matrix.row_start[row]));
      std::stable_sort(order.begin(), order.end(), [&matrix](std::size_t a, std::size_t b) {
        return matrix.column[a] < matrix.column[b];
      });
      for (const std::size_t k : order) {
        const auto column = static_cast<std::size_t>(matrix.column[k]);
        if (result.column.size() > result.row_start.back() && result.column.back() == column)
          result.value.back() += matrix.value[k];
        else {
          result.column.push_back(column);
          result.value.push_back(matrix.value[k]);
        }
      }
    }
    result.row_start.push_back(result.column.size());
  }
  return result;
}

/// Returns the warm start, which is cold if all percussions are zero.
void start(std::size_t n_contacts, const double *p, std::size_t n, const int *status,
           ConeSolution &solution) {
  require("p", p, n);
  if (std::all_of(p, p + n, [](double x) { return x == 0.; }))
    return;
  solution.p.assign(p, p + n);
  if (status == nullptr ||
      std::find(status, status + n_contacts, PERCUSSION_UNKNOWN) != status + n_contacts)
    return;
  for (std::size_t i = 0; i < n_contacts; ++i) {
    if (status[i] < PERCUSSION_OPEN || status[i] > PERCUSSION_SLIP)
      refuse("status[" + std::to_string(i) + "] is " + std::to_string(status[i]) +
             "; allowed are -1, 0, 1 and 2");
    solution.status.push_back(static_cast<ContactStatus>(status[i]));
  }
}

int give(percussion_cone &solver, const ConeSolution &solution, double *p, double *u, int *status,
         percussion_cone_result *result) {
  std::copy(solution.p.begin(), solution.p.end(), p);
  if (u != nullptr)
    std::copy(solution.u.begin(), solution.u.end(), u);
  if (status != nullptr)
    std::transform(solution.status.begin(), solution.status.end(), status,
                   [](ContactStatus s) { return static_cast<int>(s); });
  solver.method = solution.method;
  if (result != nullptr)
    *result = {solver.method.c_str(), percussion::outcome_name(solution.outcome),
               solution.iterations, solution.residual};
  return solution.converged ? PERCUSSION_SOLVED : PERCUSSION_NOT_SOLVED;
}

} // namespace

percussion_cone *percussion_cone_new() {
  auto *solver = new (std::nothrow) percussion_cone;
  if (solver != nullptr)
    solver->options.tolerance = 1e-8;
  return solver;
}

void percussion_cone_free(percussion_cone *solver) { delete solver; }

int percussion_cone_set_method(percussion_cone *solver, const char *name) {
  return guarded(solver, [&] {
    require("the method's name", name, 1);
    const auto *found = percussion::find_cone_method(name);
    if (found == nullptr) {
      std::vector<std::string> names;
      for (const auto &entry : percussion::cone_methods())
        names.emplace_back(entry.name);
      refuse("there is no method '" + std::string(name) + "'; allowed are " +
             percussion::joined(names, ", ") + percussion::did_you_mean(name, names));
    }
    solver->options.method = found->method;
    return PERCUSSION_SOLVED;
  });
}

int percussion_cone_set_tolerance(percussion_cone *solver, double tolerance) {
  return guarded(solver, [&] {
    if (!(tolerance > 0.) || !std::isfinite(tolerance))
      refuse("the tolerance is " + std::to_string(tolerance) + "; allowed are numbers > 0");
    solver->options.tolerance = tolerance;
    return PERCUSSION_SOLVED;
  });
}

int percussion_cone_set_limits(percussion_cone *solver, unsigned int max_iterations,
                               double seconds) {
  return guarded(solver, [&] {
    if (max_iterations == 0 || !(seconds > 0.))
      refuse("the limits are " + std::to_string(max_iterations) + " and " +
             std::to_string(seconds) + " s; allowed are numbers > 0");
    solver->options.max_iterations = max_iterations;
    solver->options.time_limit = seconds;
    return PERCUSSION_SOLVED;
  });
}

int percussion_cone_solve(percussion_cone *solver, const percussion_cone_problem *problem,
                          double *p, double *u, int *status, percussion_cone_result *result) {
  return guarded(solver, [&] {
    require("problem", problem, 1);
    FrictionContactProblem contact_problem;
    const std::size_t d = dimension(problem->dimension),
                      n_contacts = size("n_contacts", problem->n_contacts), n = d * n_contacts;
    contact_problem.dimension = static_cast<unsigned int>(d);
    contact_problem.n_contacts = n_contacts;
    if (problem->W.row_start == nullptr)
      percussion::set_delassus(vector("W", problem->W.value, n * n), contact_problem);
    else
      percussion::set_delassus(rows_of("W", problem->W, n, n), contact_problem);
    contact_problem.q = vector("q", problem->q, n);
    contact_problem.mu = vector("mu", problem->mu, n_contacts);
    ConeSolution solution;
    start(n_contacts, p, n, status, solution);
    percussion::solve_in_natural_units(contact_problem, solver->options, solution);
    return give(*solver, solution, p, u, status, result);
  });
}

int percussion_cone_solve_global(percussion_cone *solver,
                                 const percussion_cone_global_problem *problem, double *v,
                                 double *p, double *u, int *status,
                                 percussion_cone_result *result) {
  return guarded(solver, [&] {
    require("problem", problem, 1);
    GlobalFrictionContactProblem contact_problem;
    const std::size_t d = dimension(problem->dimension),
                      n_contacts = size("n_contacts", problem->n_contacts), n = d * n_contacts,
                      n_velocities = size("n_velocities", problem->n_velocities);
    contact_problem.dimension = static_cast<unsigned int>(d);
    contact_problem.n_contacts = n_contacts;
    contact_problem.M = rows_of("M", problem->M, n_velocities, n_velocities);
    contact_problem.H = rows_of("H", problem->H, n_velocities, n);
    contact_problem.q = vector("q", problem->q, n_velocities);
    contact_problem.b = vector("b", problem->b, n);
    contact_problem.mu = vector("mu", problem->mu, n_contacts);
    GlobalConeSolution solution;
    start(n_contacts, p, n, status, solution);
    solution.v = vector("v", v, n_velocities);
    percussion::solve_in_natural_units(contact_problem, solver->options, solution);
    std::copy(solution.v.begin(), solution.v.end(), v);
    return give(*solver, solution, p, u, status, result);
  });
}

const char *percussion_cone_message(const percussion_cone *solver) {
  return solver == nullptr ? "there is no solver: a null pointer" : solver->message.c_str();
}
