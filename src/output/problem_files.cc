#include <percussion/base/error.h>
#include <percussion/base/format.h>
#include <percussion/cone/residual.h>
#include <percussion/fclib/fclib.h>
#include <percussion/output/problem_files.h>
#include <percussion/version.h>

#include <filesystem>

namespace percussion {
namespace {

/// Returns the initial guess of percussions with the corresponding velocities.
GlobalConeSolution first_guess(const PosedProblem &posed_problem) {
  GlobalConeSolution guess;
  guess.p = posed_problem.guess;
  guess.u = local_velocities(posed_problem.problem, guess.p);
  return guess;
}

const char *const statement =
    "Find p with u = W p + q and 0 in u + mu |u_T| n + N_K(p), K the product of the cones |p_T| <= "
    "mu p_N; the normal component of each contact comes first. u is theta times the velocity u1 + "
    "e u0 of the impact law, whose u0 is in q, and W = theta H A^-1 H^T with the matrix A of the "
    "step. W may be singular.";

} // namespace

std::string ProblemFiles::description(const PosedProblem &posed_problem) const {
  return "Percussion " PERCUSSION_VERSION ". Scheme " + origin.scheme +
         format(", theta = %.17g, step of %.17g to the time t = %.17g", origin.theta,
                posed_problem.interval.h, posed_problem.interval.t1) +
         ". Natural units: W has a mean diagonal of one, the largest entry of q is one. Impulses " +
         (origin.units.empty() ? "in the units of the case" : "in units of " + origin.units) +
         format(" are the percussions of this problem times %.17g, velocities are its velocities "
                "times %.17g.",
                posed_problem.percussion_unit, posed_problem.velocity_unit) +
         (posed_problem.n_moments == 0
              ? ""
              : format(" The last %zu contacts are moments of rolling and spinning friction, in "
                       "rows of velocities; by q or W their normal rows give them the normal "
                       "percussions of their contacts.",
                       posed_problem.n_moments));
}

void ProblemFiles::write(const std::string &file, const std::string &title,
                         const PosedProblem &posed_problem) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw RunError(file + ": the folder cannot be made (" + error.message() + ")");
  FclibFile content;
  content.problem = posed_problem.problem;
  content.title = origin.case_name + ", " + title;
  content.description = description(posed_problem);
  content.math_info = statement;
  content.percussion_unit = posed_problem.percussion_unit;
  content.velocity_unit = posed_problem.velocity_unit;
  content.guesses = {first_guess(posed_problem)};
  if (posed_problem.solution.converged)
    static_cast<ConeSolution &>(content.solution.emplace()) = posed_problem.solution;
  try {
    write_fclib(file, content);
  } catch (const FclibError &failure) {
    throw RunError(failure.what());
  }
  ++n;
}

void ProblemFiles::write(unsigned int step, const PosedProblem &posed_problem) {
  write(folder + format("/step-%06u.hdf5", step), "step " + std::to_string(step), posed_problem);
}

std::string ProblemFiles::write_failed(unsigned int step, const PosedProblem &posed_problem) {
  const std::string file = folder + format("/failed-%06u.hdf5", step);
  write(file, "step " + std::to_string(step) + ", which failed", posed_problem);
  return file;
}

} // namespace percussion
