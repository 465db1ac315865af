#include <percussion/algebra/mpi_session.h>
#include <percussion/io/error.h>
#include <percussion/io/floating_point_traps.h>
#include <percussion/io/nearest_name.h>
#include <percussion/run/effective_parameters.h>
#include <percussion/run/estimate.h>
#include <percussion/run/reference.h>
#include <percussion/run/run.h>
#include <percussion/run/shell_word.h>
#include <percussion/run/stop_signals.h>

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

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

void print_parameters(const Arguments &arguments) {
  if (!arguments.file.empty()) {
    const auto file = read_parameter_file(arguments);
    const std::string text = percussion::effective_parameters(file, false);
    const percussion::Parameters parameters(percussion::declare_case(&file), file);
    for (const auto &notice : parameters.notices())
      std::cerr << "percussion: " << notice << '\n';
    std::cout << text;
    return;
  }
  percussion::print_reference(std::cout, arguments.markdown
                                             ? percussion::ReferenceFormat::markdown
                                             : percussion::ReferenceFormat::parameter_file);
}

using Case = percussion::Case<dim>;

/// The command that goes on with a run.
std::string command_to_resume(const Arguments &arguments) {
  std::string command = "percussion " + percussion::shell_word(arguments.file);
  for (const auto &assignment : arguments.assignments)
    command += " --set " + percussion::shell_word(assignment);
  if (!arguments.output.empty())
    command += " --output " + percussion::shell_word(arguments.output);
  return command + " --resume";
}

/// Take the steps of a case whose folder is ready; the exit status.
int take_steps(const Case &c, const percussion::Checkpoint<dim> *from, const Arguments &arguments,
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
  percussion::ResultsFolder<dim> folder(c, parameters, arguments.resume);
  percussion::tell_case(c, file.name(), log);
  if (arguments.validate) {
    percussion::tell_estimate(c, log);
    log.info("The case is valid; nothing was written.");
    return 0;
  }
  if (folder.is_complete()) {
    log.info("The run in " + c.output.directory + " is complete: there is nothing to resume.");
    return 0;
  }
  folder.prepare(percussion::effective_parameters(file, true), log);
  return take_steps(c, folder.checkpoint(), arguments, log);
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
  CLI::App app("Finite-element elastodynamics with contact, impact and Coulomb friction whose "
               "discrete energy balance closes.",
               "percussion");
  Arguments arguments;
  app.add_option("case", arguments.file, "Parameter file (.prm) of the case to run");
  app.add_option("--set", arguments.assignments,
                 "Override a parameter, e.g. --set \"Time/Step=1e-5\"; may be repeated")
      ->allow_extra_args(false);
  app.add_option("--output", arguments.output, "Folder of the results");
  app.add_flag("--validate", arguments.validate,
               "Read and check everything, say what was understood, run nothing");
  app.add_flag("--resume", arguments.resume,
               "Go on from the last checkpoint in the folder of the results");
  app.add_flag("--print-parameters", arguments.print_parameters,
               "Print the reference of all parameters, or the values that the case has");
  app.add_flag("--markdown", arguments.markdown,
               "Print the reference as a page in Markdown, with --print-parameters");
  app.set_version_flag("--version", "percussion " PERCUSSION_VERSION);
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
