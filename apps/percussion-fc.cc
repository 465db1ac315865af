// percussion-fc: solves frictional contact problems from files and compares solvers.

#include <percussion/base/address_space.h>
#include <percussion/base/error.h>
#include <percussion/base/launcher.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/comparison.h>
#include <percussion/fc/run_table.h>
#include <percussion/fc/session.h>
#include <percussion/fc/solvers.h>
#include <percussion/fc/write_results.h>

#include <CLI/CLI.hpp>

#include "help.h"
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;
using namespace percussion;

struct Arguments {
  std::vector<fs::path> paths;
  std::string solvers;
  fc::Settings settings;
  fs::path json, csv, comparison, converted;
  std::vector<fs::path> time_files;
  bool cold = false;
};

const char *const more_help = R"(
Measurements:
  Every problem is solved in natural units, in which it is of order one, so that
  the tolerance means the same in every system of units. 'residual' is the
  residual of the natural map in these units, computed from the data and the
  result: it decides. 'raw residual' is the residual in the units of the file.

  Times are processor times of one solve, all threads together, without reading
  and scaling. Solves below 0.1 s are repeated once, those below a millisecond
  until 5 ms are spent, by a new solver each time; the fastest counts. OpenBLAS
  uses one thread.

Exit status:
  0  All problems are solved. With 'all', solvers that do not handle a problem
     do not count.
  1  A solver failed on a problem (with --compare that is a result, and the
     status 0), a file cannot be written, or Ctrl-C: the current solve is
     completed and all results are written. A second one ends the program.
  2  Bad input. Files without a problem, or with invalid data (NaN, a negative
     friction coefficient), are reported and skipped.

Files:
  *.hdf5                    problems in the format of FCLib 3, reduced or
                            global, in 2D or 3D, with equality constraints or
                            without; percussion writes them on request
  *.dat                     problems in the text format of Siconos, reduced or
                            global, with dense, block or sparse matrices
  DIR/results.csv           of --compare: all runs, as with --csv
  DIR/profile.csv           the performance profile of Dolan and More: the
                            fraction of the problems that a solver solves within
                            tau times the time of the fastest; percussion-report DIR
                            draws it

Examples:
  percussion-fc problem.hdf5             solve a problem by auto
  percussion-fc FOLDER --solver nsgs,newton
                            all problems in the folder and below, by both
  percussion-fc FOLDER --sequence
                            a run's problems, each also from the solution of
                            the preceding problem
  percussion-fc problem.dat --convert problem.hdf5
                            from Siconos to FCLib, or the reverse
  percussion-fc problem.hdf5 --tolerance 1e-12 --write
                            write the best solution into the file
  percussion-fc FOLDER --compare DIR --time-limit 10
                            all solvers; performance profile in DIR

See also:
  percussion(1), percussion-report(1), and contact_solvers.md in
  share/doc/percussion/doc below the installation folder.)";

void tell(const std::string &text) { std::cerr << "percussion-fc: " << text << '\n'; }

std::string positive_number(const std::string &text) {
  double value = 0.;
  const bool is_valid =
      CLI::detail::lexical_cast(text, value) && value > 0. && std::isfinite(value);
  return is_valid ? "" : "'" + text + "': allowed is a number > 0";
}

std::string count_from_one(const std::string &text) {
  unsigned int value = 0;
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool is_valid = digits && CLI::detail::lexical_cast(text, value) && value > 0;
  return is_valid ? "" : "'" + text + "': allowed is a whole number > 0";
}

void declare(CLI::App &app, Arguments &arguments) {
  ConeOptions &options = arguments.settings.options;
  options.tolerance = 1e-8;
  app.add_option(
      "FILE", arguments.paths,
      "Files of FCLib (*.hdf5) or Siconos (*.dat), or folders: all such files in and below these");
  app.add_option("--solver", arguments.solvers,
                 "Solvers separated by commas, or 'all' (default: auto; with --compare: all)")
      ->type_name("NAME,...");
  app.add_option("--tolerance", options.tolerance, "Tolerance of the residual in natural units")
      ->check(positive_number)
      ->type_name("NUMBER")
      ->capture_default_str();
  app.add_option("--max-iterations", options.max_iterations,
                 "Sweeps of a solve; also limits the iterations of one run of Newton")
      ->check(count_from_one)
      ->type_name("N")
      ->capture_default_str();
  app.add_option(
         "--time-limit", options.time_limit,
         "Largest time of a solve, in seconds of processor time as reported (default: none)")
      ->type_name("SECONDS")
      ->check(positive_number);
  app.add_flag("--explain", options.record,
               "Print what a solver tried, one after the other, with iterations and residuals");
  app.add_flag("--cold", arguments.cold, "Start without a guess (default)");
  app.add_flag("--warm", arguments.settings.warm,
               "Start from the first guess in the file, if any; not with --cold")
      ->excludes("--cold");
  app.add_flag("--sequence", arguments.settings.sequence,
               "Solve each problem also from the solution of the preceding problem, in the order "
               "of the names in a folder; not with --warm")
      ->excludes("--warm");
  app.add_option("--json", arguments.json, "File for all results (default: none)")
      ->type_name("FILE");
  app.add_option("--csv", arguments.csv, "File for a table of all runs (default: none)")
      ->type_name("FILE");
  app.add_flag("--write", arguments.settings.write,
               "Write the solution with the smallest residual into the file");
  app.add_option("--convert", arguments.converted,
                 "Write the only problem into a file, *.dat for Siconos, else for FCLib, and solve "
                 "nothing")
      ->type_name("FILE");
  app.add_option("--compare", arguments.comparison,
                 "Folder for a comparison of the solvers: performance profile of their times "
                 "(default: none)")
      ->type_name("DIR");
  app.add_option("--with", arguments.time_files,
                 "CSV file with measurements of another program to include in the profile of "
                 "--compare: columns problem (file name without ending), solver, time, solved; "
                 "may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->needs("--compare");
  set_help(app, {"[OPTION]... FILE..."}, "Solvers:\n" + fc::describe_solvers() + more_help);
}

void check_output(const char *option, const fs::path &file) {
  if (file.empty())
    return;
  if (fc::is_problem(file))
    throw InputError("'" + std::string(option) + "' is '" + file.string() +
                     "': this file is a problem; allowed is a file that may be replaced");
  fc::require_writable(file);
}

/// Detects failures of output before anything is solved.
void check_outputs(const Arguments &arguments, const std::vector<fc::ProblemFile> &problems) {
  if (!arguments.json.empty() && arguments.json == arguments.csv)
    throw InputError("'--csv' is '" + arguments.csv.string() + "': --json has the same file");
  check_output("--json", arguments.json);
  check_output("--csv", arguments.csv);
  if (!arguments.comparison.empty()) {
    fs::create_directories(arguments.comparison);
    for (const char *name : {"results.csv", "profile.csv"})
      fc::require_writable(arguments.comparison / name);
  }
  if (arguments.settings.write)
    for (const auto &problem : problems) {
      if (problem.path.extension() == ".dat")
        throw InputError("'--write': " + problem.path.string() +
                         " cannot store a solution; allowed are files of FCLib, into which "
                         "'--convert FILE.hdf5' turns it");
      fc::require_writable(problem.path);
    }
}

/// Writes all requested files, even if one of them fails. Returns true if all succeeded.
bool write_results(const Arguments &arguments, const fc::Results &results,
                   const std::vector<fc::OtherTimes> &other_times) {
  bool succeeded = true;
  const auto attempt = [&succeeded](const fs::path &file, const auto &write) {
    try {
      if (!file.empty())
        write();
    } catch (const std::exception &error) {
      tell(error.what());
      succeeded = false;
    }
  };
  attempt(arguments.json, [&] { fc::write_json(arguments.json, arguments.settings, results); });
  attempt(arguments.csv, [&] { fc::write_csv(arguments.csv, results.runs); });
  attempt(arguments.comparison, [&] {
    for (const auto &remark : fc::write_comparison(arguments.comparison, results.runs, other_times))
      tell(remark);
  });
  return succeeded;
}

int exit_status(const Arguments &arguments, const fc::Results &results) {
  if (!results.broken.empty())
    return 2;
  const bool named = arguments.solvers != "all";
  const bool all_solved =
      std::all_of(results.runs.begin(), results.runs.end(), [named](const fc::Run &run) {
        return run.solved || (!named && run.outcome == ConeOutcome::not_applicable);
      });
  const bool succeeded = all_solved || !arguments.comparison.empty();
  return succeeded && results.all_written && !results.interrupted ? 0 : 1;
}

void convert(const std::vector<fc::ProblemFile> &problems, const fs::path &file) {
  if (problems.size() != 1)
    throw InputError("'--convert' is '" + file.string() + "', but there are " +
                     std::to_string(problems.size()) + " problems; allowed is one");
  try {
    write_problem_file(file.string(), read_problem_file(problems.front().path.string()));
  } catch (const FclibError &error) {
    throw InputError(error.what());
  }
}

int run(Arguments &arguments) {
  fc::Settings &settings = arguments.settings;
  ConeOptions &options = settings.options;
  options.max_newton_iterations = std::min(options.max_newton_iterations, options.max_iterations);
  if (arguments.solvers.empty())
    arguments.solvers = arguments.comparison.empty() ? "auto" : "all";
  settings.solvers = fc::find_solvers(arguments.solvers);
  const auto problems = fc::find_problems(arguments.paths);
  if (!arguments.converted.empty()) {
    convert(problems, arguments.converted);
    return 0;
  }
  std::vector<fc::OtherTimes> time_files;
  for (const auto &file : arguments.time_files)
    time_files.push_back({file.stem().string(), fc::read_times(file)});
  check_outputs(arguments, problems);

  fc::Table table(std::cout, problems, settings);
  table.header();
  const auto results = fc::run_all(
      problems, settings, {[&](const fc::Run &finished_run) { table.row(finished_run); }, tell});
  fc::print_summary(std::cout, results);
  if (results.interrupted)
    tell("interrupted; the results so far are kept");
  const bool written = write_results(arguments, results, time_files);
  const int status = exit_status(arguments, results);
  return written || status == 2 ? status : 1;
}

/// Reports an error of the command line. Returns the exit status.
int report_mistake(const CLI::App &app, const CLI::ParseError &error) {
  if (error.get_exit_code() == 0)
    return app.exit(error); // --help and --version
  std::vector<std::string> options;
  for (const CLI::Option *option : app.get_options())
    options.push_back(option->get_name());
  std::string message = error.what();
  for (const std::string &argument : app.remaining())
    if (argument.rfind("--", 0) == 0)
      message = "unknown option '" + argument + "'" + did_you_mean(argument, options);
  tell(message + "\nRun percussion-fc --help for more information.");
  return 2;
}

/// Refuses to solve problems once in each of several processes; returns the exit status.
int refuse_processes(const Launch &launched) {
  if (launched.rank == 0)
    tell("mpirun has started " + std::to_string(launched.n_processes) +
         " processes, each of which would solve all problems: start the program without mpirun");
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  try {
    fit_into_address_space(argv, 16e6);
  } catch (const InputError &error) {
    tell(error.what());
    return 2;
  }
  CLI::App app(
      "Solves frictional contact problems of FCLib and Siconos files, and compares solvers.",
      "percussion-fc");
  Arguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
    if (arguments.paths.empty())
      throw CLI::ParseError("a file or a folder with problems is needed",
                            CLI::ExitCodes::RequiredError);
    if (const Launch launched = launch(); launched.n_processes > 1)
      return refuse_processes(launched);
    return run(arguments);
  } catch (const CLI::ParseError &error) {
    return report_mistake(app, error);
  } catch (const InputError &error) {
    tell(error.what());
    return 2;
  } catch (const std::exception &error) {
    tell(error.what());
    return 1;
  }
}
