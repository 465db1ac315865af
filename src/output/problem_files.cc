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
GlobalConeSolution first_guess(const PosedProblem &posed) {
  GlobalConeSolution guess;
  guess.p = posed.guess;
  guess.u = local_velocities(posed.problem, guess.p);
  return guess;
}

const char *const statement =
    "Find p with u = W p + q and 0 in u + mu |u_T| n + N_K(p), K the product of the cones "
    "|p_T| <= mu p_N; of each contact the normal component comes first. u is theta times the "
    "velocity u1 + e u0 of the impact law, whose u0 is in q, and W = theta H A^-1 H^T with the "
    "matrix A of the step. W may be singular.";

} // namespace

std::string ProblemFiles::description(const PosedProblem &posed) const {
  return "Percussion " PERCUSSION_VERSION ". Scheme " + origin.scheme +
         format(", theta = %.17g, step of %.17g to the time t = %.17g", origin.theta,
                posed.interval.h, posed.interval.t1) +
         ". Natural units: W has a mean diagonal of one, the largest entry of q is one. Impulses " +
         (origin.units.empty() ? "in the units of the case" : "in units of " + origin.units) +
         format(" are the percussions of this problem times %.17g, velocities are its velocities "
                "times %.17g.",
                posed.percussion_unit, posed.velocity_unit);
}

void ProblemFiles::write(const std::string &file, const std::string &title,
                         const PosedProblem &posed) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw RunError(file + ": the folder cannot be made (" + error.message() + ")");
  FclibFile content;
  content.problem = posed.problem;
  content.title = origin.case_name + ", " + title;
  content.description = description(posed);
  content.math_info = statement;
  content.percussion_unit = posed.percussion_unit;
  content.velocity_unit = posed.velocity_unit;
  content.guesses = {first_guess(posed)};
  if (posed.solution.converged)
    static_cast<ConeSolution &>(content.solution.emplace()) = posed.solution;
  try {
    write_fclib(file, content);
  } catch (const FclibError &failure) {
    throw RunError(failure.what());
  }
  ++n;
}

void ProblemFiles::write(unsigned int step, const PosedProblem &posed) {
  write(folder + format("/step-%06u.hdf5", step), "step " + std::to_string(step), posed);
}

std::string ProblemFiles::write_failed(unsigned int step, const PosedProblem &posed) {
  const std::string file = folder + format("/failed-%06u.hdf5", step);
  write(file, "step " + std::to_string(step) + ", which failed", posed);
  return file;
}

} // namespace percussion
