#include <percussion/algebra/mpi_session.h>
#include <percussion/io/error.h>
#include <percussion/io/floating_point_traps.h>
#include <percussion/io/nearest_name.h>
#include <percussion/output/durable_file.h>
#include <percussion/run/estimate.h>
#include <percussion/run/reference.h>
#include <percussion/run/run.h>
#include <percussion/run/stop_signals.h>
#include <percussion/version.h>

#include <CLI/CLI.hpp>

#include "help.h"
#include <algorithm>
#include <cctype>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <sstream>

namespace {

constexpr int dim = 2;

struct Arguments {
  std::string file;
  std::vector<std::string> assignments;
  std::string output;
  bool validate = false;
  bool print_parameters = false;
  bool resume = false;
  bool markdown = false;
};

percussion::ParameterFile read_parameter_file(const Arguments &arguments) {
  auto file = percussion::ParameterFile::read(arguments.file);
  for (const auto &assignment : arguments.assignments)
    file.override_with(assignment);
  if (!arguments.output.empty())
    file.override_with("Output/Directory=" + arguments.output);
  return file;
}

/// The parameters as they are in effect, with a mesh path that holds wherever they are read.
std::string effective_parameters(percussion::ParameterFile file, bool with_documentation) {
  namespace fs = std::filesystem;
  const percussion::Parameters given(percussion::declare_case(&file), file);
  given.problems().throw_if_any();
  for (const auto &notice : with_documentation ? std::vector<std::string>() : given.notices())
    std::cerr << "percussion: " << notice << '\n';
  const fs::path mesh = given.get("Mesh/File"), folder = fs::path(file.name()).parent_path();
  if (!mesh.empty()) {
    const std::string path = fs::absolute(folder / mesh).lexically_normal().string();
    if (path.find('#') == std::string::npos) // would begin a comment
      file.override_with("Mesh/File=" + path);
  }
  std::ostringstream text;
  percussion::Parameters(percussion::declare_case(&file), file).print(text, with_documentation);
  return text.str();
}

void print_parameters(const Arguments &arguments) {
  if (!arguments.file.empty()) {
    std::cout << effective_parameters(read_parameter_file(arguments), false);
    return;
  }
  percussion::print_reference(std::cout, arguments.markdown
                                             ? percussion::ReferenceFormat::markdown
                                             : percussion::ReferenceFormat::parameter_file);
}

using Case = percussion::Case<dim>;
using Checkpoint = percussion::Checkpoint<dim>;

/// What was understood of the case.
void tell(const Case &c, const percussion::ParameterFile &file, percussion::Log &log) {
  log.info("Percussion " PERCUSSION_VERSION "  " + file.name());
  for (const auto &line : percussion::describe(c))
    log.info(line);
  for (const auto &warning : c.warnings)
    log.warning(warning);
}

/// What a new run writes before its first step.
void begin_results(const std::string &directory, const std::string &moved,
                   const std::string &parameters, percussion::Log &log) {
  log.open(directory + "/log.txt");
  percussion::write_durably(directory + "/parameters.prm", parameters);
  if (!moved.empty())
    log.info(moved);
}

/// Make the folder what it was at the checkpoint.
void resume_results(const Case &c, const Checkpoint &checkpoint,
                    const std::vector<std::string> &remarks, percussion::Log &log) {
  percussion::cut_back(c.output.directory, checkpoint);
  log.open(c.output.directory + "/log.txt", true);
  for (const auto &remark : remarks)
    log.warning(remark + "; the other checkpoint is taken");
  log.info("Resumed   after step " + std::to_string(checkpoint.state.step));
}

/// Quoted where the shell would not take it as one word.
std::string shell_word(const std::string &text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("/._-=+,:").find(char(c)) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain))
    return text;
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

/// The command that goes on with a run.
std::string command_to_resume(const Arguments &arguments) {
  std::string command = "percussion " + shell_word(arguments.file);
  for (const auto &assignment : arguments.assignments)
    command += " --set " + shell_word(assignment);
  if (!arguments.output.empty())
    command += " --output " + shell_word(arguments.output);
  return command + " --resume";
}

/// Take the steps of a case whose folder is ready; the exit status.
int take_steps(const Case &c, const Checkpoint *from, const Arguments &arguments,
               percussion::Log &log) {
  try {
    const percussion::StopSignals signals;
    const auto summary =
        percussion::run_case<dim>(c, log, {from, [&] { return signals.received(); }});
    if (summary.status == "stopped") {
      log.info("S" + summary.message.substr(1) + ". Go on with: " + command_to_resume(arguments));
      return 1;
    }
  } catch (const std::exception &error) {
    log.record(std::string("Failed: ") + error.what());
    throw percussion::RunError(error.what() +
                               ("\nWhat was computed before is in " + c.output.directory));
  }
  log.info("Results   " + c.output.directory + "  (ParaView: solution.pvd, contacts.pvd)");
  return 0;
}

/// The exit status.
int run(const Arguments &arguments) {
  const auto file = read_parameter_file(arguments);
  percussion::Log log;
  const percussion::Parameters parameters(percussion::declare_case(&file), file);
  percussion::trap_floating_point_errors(); // not before: to read 1e999 is to overflow
  const Case c = percussion::build_case<dim>(parameters, file, arguments.resume);
  const std::string &directory = c.output.directory;
  std::optional<percussion::FolderLock> lock; // before what is there is looked at
  if (arguments.resume && std::filesystem::is_directory(directory))
    lock.emplace(directory);
  const bool is_complete = arguments.resume && percussion::is_complete(c, parameters);
  std::vector<std::string> remarks;
  std::optional<Checkpoint> checkpoint;
  if (arguments.resume && !is_complete)
    checkpoint = percussion::find_checkpoint(c, parameters, remarks);
  tell(c, file, log);
  if (arguments.validate) {
    percussion::tell_estimate(c, log);
    log.info("The case is valid; nothing was written.");
    return 0;
  }
  if (is_complete) {
    log.info("The run in " + directory + " is complete: there is nothing to resume.");
    return 0;
  }
  if (arguments.resume && !checkpoint)
    log.info("No checkpoint in " + directory + ": the run begins anew.");
  std::string moved;
  if (!checkpoint) {
    lock.reset();
    moved = percussion::prepare_output_directory(c.output);
    lock.emplace(directory);
  }
  if (checkpoint)
    resume_results(c, *checkpoint, remarks, log);
  else
    begin_results(directory, moved, effective_parameters(file, true), log);
  return take_steps(c, checkpoint ? &*checkpoint : nullptr, arguments, log);
}

const char *const more_help = R"(Exit status:
  0  The run is complete, or what was asked for is printed.
  1  The run was stopped or has failed; the message names the step, the reason
     and what to try, or the command to go on with.
  2  Bad input. All mistakes are told at once, each with file, line, entry, the
     value found and what is allowed.

Files:
  A run writes into one folder. Results that it holds already are moved aside,
  to DIR.1 and so on, never overwritten.

  energy.csv                energies, works, balance and contacts, a row a step
  rigid_bodies.csv          positions and velocities of the rigid bodies
  solution.pvd              bodies for ParaView, with all *.vtu that it lists
  contacts.pvd              contacts for ParaView, likewise
  problems/*.hdf5           contact problems for percussion-fc, on request
  summary.json              end state, extremes, counts, wall times
  parameters.prm            the parameters in effect
  log.txt                   what was printed
  checkpoint-*.bin          what --resume goes on from, until a run is complete

  Cases and meshes to begin with are in share/percussion below the folder where
  Percussion is installed.

Examples:
  percussion sliding_block.prm           run; results in output/sliding_block
  percussion case.prm --set Time/Step=1e-5 --output fine
                            run with another step, results in ./fine
  percussion case.prm --validate         is it right, and how long will it take?
  percussion case.prm --resume           go on after a stop or a failure
  percussion --print-parameters          all parameters and what they mean
  percussion --print-parameters case.prm
                            the values that the case has, defaults included
  percussion-report output/case          pictures and a page that shows them

See also:
  percussion-report(1), percussion-fc(1), paraview(1). The documentation is in
  share/doc/percussion/doc below the folder where Percussion is installed:
  parameters.md explains every parameter, running.md stops and resumed runs.)";

void declare(CLI::App &app, Arguments &arguments) {
  app.add_option("CASE", arguments.file, "Parameter file (.prm) of the case to run");
  app.add_option("--set", arguments.assignments,
                 "Override a parameter: its path and value, e.g. \"Time/Step=1e-5\"; may be "
                 "repeated")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  app.add_option("--output", arguments.output,
                 "Folder of the results (default: Output/Directory of the case; where that says "
                 "nothing output/NAME in the current folder, for NAME.prm)")
      ->type_name("DIR");
  app.add_flag("--validate", arguments.validate,
               "Read and check everything, say what was understood and how long a run will take, "
               "write nothing");
  app.add_flag("--resume", arguments.resume,
               "Go on from the last checkpoint in the folder of the results");
  app.add_flag("--print-parameters", arguments.print_parameters,
               "Print the reference of all parameters, or the values that the case has");
  app.add_flag("--markdown", arguments.markdown,
               "With --print-parameters: print the reference as a page in Markdown");
  percussion::set_help(app, {"[OPTION]... CASE", "--print-parameters [--markdown | CASE]"},
                       more_help);
}

/// Says what is wrong with the command line; the exit status.
int report(const CLI::App &app, const CLI::ParseError &error) {
  if (error.get_exit_code() == 0)
    return app.exit(error); // --help and --version
  std::string message = error.what();
  for (const std::string &argument : app.remaining())
    if (argument.rfind("--", 0) == 0)
      message = "unknown option '" + argument + "'" +
                percussion::did_you_mean(argument, {"--set", "--output", "--validate", "--resume",
                                                    "--print-parameters", "--markdown", "--version",
                                                    "--help"});
  std::cerr << "percussion: " << message << "\nRun percussion --help for more information.\n";
  return 2;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Computes the dynamics of bodies, linear elastic, hyperelastic or rigid, that\n"
               "touch, hit and rub: finite elements in space, contact, impact and Coulomb\n"
               "friction by one implicit time step, whose energy balance closes to round-off.",
               "percussion");
  Arguments arguments;
  declare(app, arguments);
  try {
    app.parse(argc, argv);
    if (arguments.markdown && (!arguments.print_parameters || !arguments.file.empty()))
      throw CLI::ParseError("--markdown goes with --print-parameters and without a case",
                            CLI::ExitCodes::RequiresError);
    if (arguments.file.empty() && !arguments.print_parameters)
      throw CLI::ParseError("the parameter file (.prm) of a case is needed",
                            CLI::ExitCodes::RequiredError);
  } catch (const CLI::ParseError &error) {
    return report(app, error);
  }
  try {
    if (arguments.print_parameters) {
      print_parameters(arguments);
      return 0;
    }
    std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error like a full disk
    const percussion::MpiSession mpi(argc, argv);
    return run(arguments);
  } catch (const percussion::InputError &error) {
    std::cerr << "percussion: " << percussion::printable(error.what()) << '\n';
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "percussion: " << percussion::printable(error.what()) << '\n';
    return 1;
  }
}
