// Times the solvers of Siconos numerics on files of FCLib and Siconos: the counterpart of
// percussion-fc --compare.
//
//     siconos_benchmark TOLERANCE TIME_LIMIT OUT.csv [--solvers NAME,...] FILE...
//
// Writes rows "problem,solver,time,solved,residual,difference". The difference is the largest
// difference of a local velocity from the solution of percussion's solver `auto` to 1e-12, relative
// to the largest local velocity or free velocity; it is empty for solvers of global problems. All
// solves start cold. The time is the thread CPU time of the driver's call: the smallest of the
// calls that fill 5 ms; below 2 us, the time of 64 calls in a row. A problem counts as solved if
// natural_map_residual() of the returned solution meets the tolerance, whatever status the solver
// reports; Siconos divides the natural map by ||q|| instead of 1 + ||q||, and its tolerance is
// converted to the same norm. Global problems are reduced first by percussion, in a time that is
// added; in 3D, Siconos' solvers of global problems are measured, too. Problems in 2D are passed to
// its 2D solvers and, with an uncoupled third direction, to its 3D solvers. Each solve runs in a
// separate process, because some solvers abort or do not end.

#include <percussion/cone/global.h>
#include <percussion/cone/natural_units.h>
#include <percussion/cone/operators.h>
#include <percussion/cone/residual.h>
#include <percussion/cone/solver.h>
#include <percussion/fclib/problem_file.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <optional>
#include <set>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/NumericsVerbose.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {
using Problem = percussion::FrictionContactProblem;
using GlobalProblem = percussion::GlobalFrictionContactProblem;

struct Solver {
  const char *name;
  unsigned int dimension;
  int id;
  std::size_t most_contacts; ///< larger problems are beyond enumeration
  bool dense = false;        ///< true if the solver requires a dense W
};

constexpr std::size_t any = 1000000;
const std::vector<Solver> solvers = {
    {"siconos-2d-nsgs", 2, SICONOS_FRICTION_2D_NSGS, any},
    {"siconos-2d-cpg", 2, SICONOS_FRICTION_2D_CPG, any},
    {"siconos-2d-lemke", 2, SICONOS_FRICTION_2D_LEMKE, 1000, true},
    {"siconos-2d-enum", 2, SICONOS_FRICTION_2D_ENUM, 5, true},
    {"siconos-3d-nsgs", 3, SICONOS_FRICTION_3D_NSGS, any},
    {"siconos-3d-nsn-ac", 3, SICONOS_FRICTION_3D_NSN_AC, any},
    {"siconos-3d-nsn-fb", 3, SICONOS_FRICTION_3D_NSN_FB, any},
    {"siconos-3d-nsn-nm", 3, SICONOS_FRICTION_3D_NSN_NM, any},
    {"siconos-3d-prox", 3, SICONOS_FRICTION_3D_PROX, any},
    {"siconos-3d-tfp", 3, SICONOS_FRICTION_3D_TFP, any},
    {"siconos-3d-admm", 3, SICONOS_FRICTION_3D_ADMM, any},
};

/// Solvers of global problems in 3D; WR: they reduce the problem.
const std::vector<Solver> global_solvers = {
    {"siconos-global-nsgs-wr", 3, SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, any},
    {"siconos-global-nsn-ac-wr", 3, SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, any},
    {"siconos-global-prox-wr", 3, SICONOS_GLOBAL_FRICTION_3D_PROX_WR, any},
    {"siconos-global-tfp-wr", 3, SICONOS_GLOBAL_FRICTION_3D_TFP_WR, any},
    {"siconos-global-admm-wr", 3, SICONOS_GLOBAL_FRICTION_3D_ADMM_WR, any},
    {"siconos-global-nsgs", 3, SICONOS_GLOBAL_FRICTION_3D_NSGS, any},
    {"siconos-global-nsn-ac", 3, SICONOS_GLOBAL_FRICTION_3D_NSN_AC, any},
    {"siconos-global-admm", 3, SICONOS_GLOBAL_FRICTION_3D_ADMM, any},
    {"siconos-global-ipm", 3, SICONOS_GLOBAL_FRICTION_3D_IPM, any},
};

double thread_time() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Returns the time since `start`, minus the time of reading the clock.
double time_since(double start) {
  static const double clock_time = [] {
    double least = INFINITY;
    for (unsigned int n = 0; n < 1000; ++n) {
      const double before = thread_time();
      least = std::min(least, thread_time() - before);
    }
    return least;
  }();
  return std::max(thread_time() - start - clock_time, 2e-8); // resolution of the clock
}

/// Returns W by rows.
std::vector<double> dense(Problem problem) {
  percussion::make_dense(problem);
  return problem.W;
}

/// Returns the problem with an additional tangential direction, in which q = 0 and W is diagonal.
Problem to_3d(const Problem &problem) {
  Problem larger;
  larger.dimension = 3;
  larger.n_contacts = problem.n_contacts;
  larger.mu = problem.mu;
  const std::size_t n = 3 * problem.n_contacts, m = 2 * problem.n_contacts;
  larger.q.assign(n, 0.);
  const auto place = [](std::size_t k) { return 3 * (k / 2) + k % 2; };
  for (std::size_t row = 0; row < m; ++row)
    larger.q[place(row)] = problem.q[row];
  if (!problem.blocks.value.empty()) {
    const percussion::BlockSparseMatrix &plane = problem.blocks;
    larger.blocks = {plane.row_start, plane.column, {}};
    for (std::size_t i = 0; i < problem.n_contacts; ++i)
      for (std::size_t b = plane.row_start[i]; b < plane.row_start[i + 1]; ++b) {
        const double *w = &plane.value[4 * b];
        const double third = plane.column[b] == i ? w[3] : 0.;
        larger.blocks.value.insert(larger.blocks.value.end(),
                                   {w[0], w[1], 0., w[2], w[3], 0., 0., 0., third});
      }
    return larger;
  }
  larger.W.assign(n * n, 0.);
  for (std::size_t row = 0; row < m; ++row)
    for (std::size_t column = 0; column < m; ++column)
      larger.W[place(row) * n + place(column)] = problem.W[row * m + column];
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    larger.W[(3 * i + 2) * (n + 1)] = problem.W[(2 * i + 1) * (m + 1)];
  return larger;
}

/// Returns W by columns, as Siconos stores it; W of hyperelastic bodies is not symmetric.
std::vector<double> transposed(const std::vector<double> &W) {
  const auto n = static_cast<std::size_t>(std::lround(std::sqrt(W.size())));
  std::vector<double> result(W.size());
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t column = 0; column < n; ++column)
      result[column * n + row] = W[row * n + column];
  return result;
}

/// Returns W by blocks in Siconos' format.
NumericsMatrix *block_matrix(const Problem &problem) {
  const std::size_t d = problem.dimension;
  const percussion::BlockSparseMatrix &blocks = problem.blocks;
  const int n = static_cast<int>(problem.q.size());
  NumericsMatrix *entries = NM_create(NM_SPARSE, n, n);
  NM_triplet_alloc(entries, static_cast<CS_INT>(blocks.value.size()));
  for (std::size_t i = 0; i < problem.n_contacts; ++i)
    for (std::size_t b = blocks.row_start[i]; b < blocks.row_start[i + 1]; ++b)
      for (std::size_t k = 0; k < d * d; ++k)
        NM_entry(entries, static_cast<int>(d * i + k / d),
                 static_cast<int>(d * blocks.column[b] + k % d), blocks.value[b * d * d + k]);
  NumericsMatrix *result = NM_create(NM_SPARSE_BLOCK, n, n);
  if (!result->matrix1)
    result->matrix1 = SBM_new();
  SBM_from_csparse(static_cast<int>(d), NM_csc(entries), result->matrix1);
  return result;
}

struct Result {
  double time, residual;
  double difference; ///< of the local velocities; NaN if these are not compared
};

constexpr double not_compared = std::numeric_limits<double>::quiet_NaN();

double norm(const std::vector<double> &x) {
  double square = 0.;
  for (const double component : x)
    square += component * component;
  return std::sqrt(square);
}

/// Returns the local velocities u = W p + q that the solver `auto` of percussion finds.
std::vector<double> expected_velocities(const Problem &problem) {
  percussion::ConeOptions options;
  options.tolerance = 1e-12;
  percussion::ConeSolution solution;
  percussion::ConeSolver(options).solve(problem, solution);
  return solution.u;
}

/// Returns the largest difference of two fields of local velocities, relative to the largest
/// component of the second or of the free velocities.
double distance(const std::vector<double> &u, const std::vector<double> &expected,
                const std::vector<double> &q) {
  double largest = 0., difference = 0.;
  for (std::size_t i = 0; i < q.size(); ++i) {
    largest = std::max({largest, std::abs(expected[i]), std::abs(q[i])});
    difference = std::max(difference, std::abs(u[i] - expected[i]));
  }
  return largest > 0. ? difference / largest : difference;
}

/// Returns the mean time of consecutive calls of Siconos' driver, and the residual and difference
/// of the last. `problem` has the dimension of the solver.
Result solve_once(const Solver &solver, const Problem &problem, const std::vector<double> &expected,
                  double tolerance, unsigned int n_calls) {
  const int n = static_cast<int>(problem.q.size());
  const bool is_dense = solver.dense || problem.blocks.value.empty();
  std::vector<double> q = problem.q, mu = problem.mu;
  std::vector<double> W = is_dense ? transposed(dense(problem)) : std::vector<double>();
  std::vector<std::vector<double>> p(n_calls, std::vector<double>(problem.q.size(), 0.)),
      u(n_calls, problem.q);
  ::FrictionContactProblem theirs{};
  theirs.dimension = static_cast<int>(problem.dimension);
  theirs.numberOfContacts = static_cast<int>(problem.n_contacts);
  theirs.M = is_dense ? NM_create_from_data(NM_DENSE, n, n, W.data()) : block_matrix(problem);
  theirs.q = q.data();
  theirs.mu = mu.data();
  SolverOptions *options = solver_options_create(solver.id);
  const double norm_q = norm(problem.q);
  options->dparam[SICONOS_DPARAM_TOL] =
      norm_q > 0. ? tolerance * (1. + norm_q) / norm_q : tolerance;
  if (solver.id == SICONOS_FRICTION_2D_NSGS || solver.id == SICONOS_FRICTION_2D_CPG ||
      solver.id == SICONOS_FRICTION_3D_NSGS || solver.id == SICONOS_FRICTION_3D_ADMM)
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  const double start = thread_time();
  for (unsigned int call = 0; call < n_calls; ++call)
    if (solver.dimension == 2)
      fc2d_driver(&theirs, p[call].data(), u[call].data(), options);
    else
      fc3d_driver(&theirs, p[call].data(), u[call].data(), options);
  return {time_since(start) / n_calls, percussion::natural_map_residual(problem, p.back()),
          distance(percussion::local_velocities(problem, p.back()), expected, problem.q)};
}

NumericsMatrix *sparse(const percussion::CompressedRows &matrix) {
  NumericsMatrix *result =
      NM_create(NM_SPARSE, static_cast<int>(matrix.n_rows), static_cast<int>(matrix.n_columns));
  NM_triplet_alloc(result, static_cast<CS_INT>(matrix.value.size()));
  for (std::size_t row = 0; row < matrix.n_rows; ++row)
    for (std::size_t k = matrix.row_start[row]; k < matrix.row_start[row + 1]; ++k)
      NM_entry(result, static_cast<int>(row), static_cast<int>(matrix.column[k]), matrix.value[k]);
  return result;
}

/// Calls Siconos' driver for global problems once, with or without elimination of v.
Result solve_global_once(const Solver &solver, const GlobalProblem &problem, double tolerance) {
  std::vector<double> q = problem.q, b = problem.b, mu = problem.mu;
  percussion::GlobalConeSolution found;
  found.p.assign(b.size(), 0.);
  found.v.assign(q.size(), 0.);
  found.u.assign(b.size(), 0.);
  ::GlobalFrictionContactProblem theirs{};
  theirs.dimension = 3;
  theirs.numberOfContacts = static_cast<int>(problem.n_contacts);
  theirs.M = sparse(problem.M);
  theirs.H = sparse(problem.H);
  theirs.q = q.data();
  theirs.b = b.data();
  theirs.mu = mu.data();
  theirs.norm_q = norm(q);
  theirs.norm_b = norm(b);
  SolverOptions *options = solver_options_create(solver.id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (solver.id == SICONOS_GLOBAL_FRICTION_3D_NSGS_WR ||
      solver.id == SICONOS_GLOBAL_FRICTION_3D_NSGS ||
      solver.id == SICONOS_GLOBAL_FRICTION_3D_ADMM_WR ||
      solver.id == SICONOS_GLOBAL_FRICTION_3D_ADMM)
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 1000000;
  const double start = thread_time();
  gfc3d_driver(&theirs, found.p.data(), found.u.data(), found.v.data(), options);
  return {time_since(start), percussion::natural_map_residual(problem, found), not_compared};
}

/// Solves in a separate process, which ends after the time limit. The argument of `solve_once` is
/// the number of calls for one reading of the clock.
Result solve(const std::function<Result(unsigned int)> &solve_once, double tolerance,
             double time_limit) {
  const Result failure{INFINITY, INFINITY, not_compared};
  Result result = failure;
  int ends[2];
  if (pipe(ends) != 0)
    return result;
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    const auto seconds = static_cast<rlim_t>(std::ceil(time_limit));
    const rlimit limit{seconds,
                       seconds}; // limit of processor time, after which the process is killed
    setrlimit(RLIMIT_CPU, &limit);
    Result best = solve_once(1);
    unsigned int last_calls = 1;
    for (double spent = best.time; spent < 5e-3 && best.residual <= tolerance;) {
      const unsigned int n_calls = last_calls > 1 || best.time < 2e-6 ? 64 : 1;
      const Result again = solve_once(n_calls);
      if (again.residual > tolerance)
        break;
      spent += std::max(n_calls * again.time, 1e-6);
      best.time = n_calls > last_calls ? again.time : std::min(best.time, again.time);
      last_calls = n_calls;
    }
    _exit(write(ends[1], &best, sizeof best) == sizeof best ? 0 : 1);
  }
  close(ends[1]);
  if (read(ends[0], &result, sizeof result) != sizeof result)
    result = failure;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return result;
}

/// Problem in natural units, as posed by percussion-fc; for a global problem also the reduced
/// problem.
struct Posed {
  Problem problem;
  std::optional<GlobalProblem> global;
  double reduction = 0.; ///< time [s]
};

Posed read(const char *name) {
  const percussion::FclibFile file = percussion::read_problem_file(name);
  const auto *global = std::get_if<GlobalProblem>(&file.problem);
  const Problem problem =
      global ? percussion::reduced_problem(*global) : std::get<Problem>(file.problem);
  double reduction = global ? INFINITY : 0.;
  for (unsigned int repetition = 0; global && repetition < 5; ++repetition) {
    const double start = thread_time();
    percussion::reduced_problem(*global);
    reduction = std::min(reduction, time_since(start));
  }
  const percussion::NaturalUnits units = percussion::natural_units(problem);
  Posed posed_problem{percussion::to_units(units, problem), {}, reduction};
  if (global)
    posed_problem.global = percussion::to_units(units, *global);
  return posed_problem;
}

/// Returns the names in "NAME,...".
std::set<std::string> names(const std::string &list) {
  std::set<std::string> result;
  std::istringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');)
    result.insert(name);
  return result;
}

/// Returns true if a table of solvers has this name.
bool is_solver(const std::string &name) {
  const auto is_named = [&](const Solver &solver) { return solver.name == name; };
  return std::any_of(solvers.begin(), solvers.end(), is_named) ||
         std::any_of(global_solvers.begin(), global_solvers.end(), is_named);
}

} // namespace

int main(int argc, char **argv) {
  const bool has_choice = argc > 5 && std::string(argv[4]) == "--solvers";
  if (argc < (has_choice ? 7 : 5)) {
    std::cerr << "usage: siconos_benchmark TOLERANCE TIME_LIMIT OUT.csv [--solvers NAME,...] "
                 "FILE...\n";
    return 2;
  }
  const std::set<std::string> chosen = has_choice ? names(argv[5]) : std::set<std::string>();
  for (const std::string &name : chosen)
    if (!is_solver(name)) {
      std::cerr << "siconos_benchmark: there is no solver '" << name << "'\n";
      return 2;
    }
  numerics_set_verbose(0);
  const double tolerance = std::atof(argv[1]), time_limit = std::atof(argv[2]);
  std::ofstream table(argv[3]);
  table << "problem,solver,time,solved,residual,difference\n";
  for (int argument = has_choice ? 6 : 4; argument < argc; ++argument) {
    const auto run = [&](const Solver &solver, const std::function<Result(unsigned int)> &once) {
      if (has_choice && chosen.count(solver.name) == 0)
        return;
      const Result result = solve(once, tolerance, time_limit);
      const bool solved = result.residual <= tolerance && result.time <= time_limit;
      table << std::filesystem::path(argv[argument]).stem().string() << ',' << solver.name << ','
            << result.time << ',' << solved << ',' << result.residual << ',';
      if (!std::isnan(result.difference))
        table << result.difference;
      table << std::endl;
    };
    Posed posed_problem;
    try {
      posed_problem = read(argv[argument]);
    } catch (const std::exception &error) { // not a problem of this kind
      std::cerr << argv[argument] << ": " << error.what() << '\n';
      continue;
    }
    const Problem &problem = posed_problem.problem;
    if (posed_problem.global && problem.dimension == 3)
      for (const Solver &solver : global_solvers)
        run(solver, [&](unsigned int) {
          return solve_global_once(solver, *posed_problem.global, tolerance);
        });
    const Problem larger = problem.dimension == 2 ? to_3d(problem) : problem;
    const std::vector<double> expected = expected_velocities(problem),
                              expected_in_3d = expected_velocities(larger);
    for (const Solver &solver : solvers) {
      if (solver.dimension < problem.dimension || problem.n_contacts > solver.most_contacts)
        continue;
      const bool is_larger = solver.dimension != problem.dimension;
      run(solver, [&](unsigned int n_calls) {
        Result result = solve_once(solver, is_larger ? larger : problem,
                                   is_larger ? expected_in_3d : expected, tolerance, n_calls);
        result.time += posed_problem.reduction;
        return result;
      });
    }
  }
  return table ? 0 : 1;
}
