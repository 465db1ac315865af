#include <percussion/advice/estimate.h>
#include <percussion/advice/memory.h>
#include <percussion/base/address_space.h>
#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/mpi_session.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/processes.h>
#include <percussion/base/shell_word.h>
#include <percussion/case/print_meshes.h>
#include <percussion/case/reference.h>
#include <percussion/output/vtu_output.h>
#include <percussion/run/release_setup.h>
#include <percussion/run/results_folder.h>
#include <percussion/run/run.h>
#include <percussion/run/stop_signals.h>

#include <CLI/CLI.hpp>

#include "help.h"
#include "new_case.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

namespace processes = percussion::processes;

struct Arguments {
  std::string file;
  std::vector<std::string> assignments;
  std::string output;
  bool validate = false;
  bool print_parameters = false;
  bool print_mesh = false;
  bool resume = false;
  bool quiet = false;
  bool markdown = false;
  bool json = false;
  std::string explained; ///< path to explain
  std::string new_case;  ///< name of a case to write
  std::string kind = "bouncing";
  std::string dim = "2";
};

percussion::ParameterFile read_parameter_file(const Arguments &arguments) {
  auto file = percussion::ParameterFile::read(arguments.file);
  for (const auto &assignment : arguments.assignments)
    file.override_with(assignment);
  if (!arguments.output.empty())
    file.override_with("Output/Directory=" + arguments.output, "--output");
  return file;
}

void print_parameters(const Arguments &arguments) {
  if (!arguments.file.empty() && arguments.json)
    return percussion::print_json(std::cout, read_parameter_file(arguments));
  if (!arguments.file.empty()) {
    std::cout << percussion::effective_parameters(read_parameter_file(arguments), false);
    return;
  }
  using Format = percussion::ReferenceFormat;
  percussion::print_reference(std::cout, arguments.markdown ? Format::markdown
                                         : arguments.json   ? Format::json
                                                            : Format::parameter_file);
}

/// Writes a new case, and prints the names of its files and the next command. Throws InputError.
void write_case(const Arguments &arguments) {
  if (arguments.dim != "2" && arguments.dim != "3")
    throw percussion::InputError("--dim " + arguments.dim + ": allowed is 2 or 3");
  const auto files =
      percussion::write_new_case(arguments.new_case, arguments.kind, arguments.dim == "2" ? 2 : 3);
  std::cout << "Wrote";
  for (const std::string &file : files)
    std::cout << ' ' << percussion::shell_word(file);
  std::cout << "\nNext  percussion " << percussion::shell_word(files.front()) << '\n';
}

/// Throws RunError if the requested output could not be printed.
void expect_printed() {
  if (!std::cout.flush())
    throw percussion::RunError("the standard output cannot be written (disk full?)");
}

/// Returns the command that resumes a run.
std::string command_to_resume(const Arguments &arguments) {
  std::string command = processes::number() > 1
                            ? "mpirun -n " + std::to_string(processes::number()) + " "
                            : std::string();
  command += "percussion " + percussion::shell_word(arguments.file);
  for (const auto &assignment : arguments.assignments)
    command += " --set " + percussion::shell_word(assignment);
  if (!arguments.output.empty())
    command += " --output " + percussion::shell_word(arguments.output);
  return command + " --resume";
}

/// Takes the steps of a case whose folder is ready; returns the exit status.
template <int dim>
int take_steps(percussion::Case<dim> &c, const percussion::Checkpoint<dim> *resumed_from,
               const Arguments &arguments, percussion::Log &log) {
  try {
    const percussion::StopSignals signals;
    const auto summary =
        percussion::run_case<dim>(c, log,
                                  {resumed_from, [&] { percussion::release_cells(c); },
                                   [&] { percussion::release_initial_state(c); },
                                   [&] { return processes::first_text(signals.received()); }});
    if (summary.status == "stopped") {
      const std::string message =
          "S" + summary.message.substr(1) + ". Go on with: " + command_to_resume(arguments);
      log.record(message);
      if (processes::is_first())
        std::cerr << percussion::printable(message) << '\n';
      return 1;
    }
  } catch (const std::exception &error) {
    log.record(std::string("Failed: ") + error.what());
    std::string way_out = "\nThe results before the failure are in " + c.output.directory;
    if (dynamic_cast<const percussion::WriteError *>(&error) != nullptr)
      way_out +=
          ". As soon as the folder can be written, go on with: " + command_to_resume(arguments);
    throw percussion::RunError(error.what() + way_out);
  }
  log.info("Results   " + c.output.directory +
           "  (ParaView: " + percussion::series_files(c.output.fields.format) + ")");
  return 0;
}

/// Runs a case of this dimension; returns the exit status.
template <int dim>
int run(const percussion::ParameterFile &file, const percussion::Parameters &parameters,
        const Arguments &arguments) {
  percussion::Log log = processes::is_first() ? percussion::Log(arguments.quiet, true)
                                              : percussion::Log::discarding();
  auto c = processes::agree(
      [&] { return percussion::build_case<dim>(parameters, file, arguments.resume, &log); });
  percussion::ResultsFolder<dim> folder(c, parameters, arguments.resume);
  percussion::log_case(c, file.name(), log);
  if (arguments.validate) {
    percussion::report_memory(c, percussion::available_memory(), log);
    for (const auto &note : c.notes)
      log.info("Note: " + note);
    percussion::log_estimate(c, log);
    log.info("The case is valid; nothing was written.");
    expect_printed();
    return 0;
  }
  if (folder.is_complete()) {
    log.info("The run in " + c.output.directory + " is complete: there is nothing to resume.");
    return 0;
  }
  processes::agree([&] { percussion::require_memory(c, percussion::available_memory(), log); });
  folder.prepare(percussion::effective_parameters(file, true), log);
  return take_steps(c, folder.checkpoint(), arguments, log);
}

/// Runs a case; returns the exit status.
int run(const Arguments &arguments) {
  const auto file = processes::agree([&] { return read_parameter_file(arguments); });
  const percussion::Parameters parameters(percussion::declare_case(&file), file);
  percussion::trap_floating_point_errors(); // enabled after reading: the text 1e999 overflows
  return percussion::dispatch_dimension(percussion::dimension_of(file), [&](auto dim) {
    return run<dim>(file, parameters, arguments);
  });
}

const char *const more_help = R"(Exit status:
  0  The run is complete, or the requested text is printed.
  1  The run was stopped or has failed; the message names the step, the reason
     and what to try, or the command to go on with.
  2  Bad input. All mistakes are reported at once, each with file, line, entry, the
     value found and what is allowed.

Files:
  A run writes into one folder. Earlier results in the folder are moved aside,
  to DIR.1 and so on, never overwritten.

  energy.csv                energies, works, balance and contacts, a row a step
  rigid_bodies.csv          positions and velocities of the rigid bodies
  elastic_bodies.csv        momenta and mean velocities of the elastic bodies
  probes.csv                quantities at chosen points and contacts
  solution.pvd              bodies for ParaView, with all *.vtu and *.pvtu that it
                            lists
  contacts.pvd              contacts for ParaView, likewise
  solution.vtkhdf           instead, with Output/Format = VTKHDF: all instants
  contacts.vtkhdf           in one file
  ground.vtu                surfaces of contacts for ParaView
  problems/*.hdf5           contact problems for percussion-fc, on request
  summary.json              end state, extremes, counts, wall times
  parameters.prm            the parameters in effect
  log.txt                   the printed messages
  checkpoint-*.bin          states from which --resume and Initial state/From
                            continue

  Cases and meshes to begin with are in share/percussion below the folder where
  Percussion is installed.

Examples:
  percussion sliding_block.prm           run; results in output/sliding_block
  percussion case.prm --set Time/Step=1e-5 --output fine
                            run with another step, results in ./fine
  percussion case.prm --validate         check the case, and estimate the run
  percussion case.prm --resume           go on after a stop or a failure
  percussion case.prm --resume --set Time/End=2
                            go on after the end
  mpirun -n 4 percussion case.prm        run on four processes
  percussion --print-parameters          all parameters and their meaning
  percussion --print-parameters case.prm
                            the values that the case has, defaults included
  percussion --explain Time/Scheme       the meaning of one parameter
  percussion-report --mesh case.prm      a picture of the mesh and its regions
  percussion --new drop --dim 3          write a case to begin with
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
                 "Folder of the results (default: Output/Directory of the case; if that entry is "
                 "empty, output/NAME in the current folder, for NAME.prm)")
      ->type_name("DIR");
  app.add_flag("--validate", arguments.validate,
               "Read and check the case, print its description and the estimated time of a run, "
               "write no files");
  app.add_flag("--resume", arguments.resume,
               "Go on from the last checkpoint in the folder of the results");
  app.add_flag("--quiet", arguments.quiet, "Print warnings and errors only; log.txt has the rest");
  app.add_flag("--print-parameters", arguments.print_parameters,
               "Print the reference of all parameters, or the values that the case has");
  app.add_flag("--markdown", arguments.markdown,
               "With --print-parameters: print the reference as a page in Markdown");
  app.add_flag("--json", arguments.json,
               "With --print-parameters: print the reference, or the values of the case, in JSON");
  app.add_flag("--print-mesh", arguments.print_mesh,
               "Print points, cells and regions of the meshes in JSON, for programs: "
               "percussion-report --mesh draws them");
  app.add_option("--explain", arguments.explained,
                 "Print the meaning of a parameter or of all parameters of a subsection, e.g. "
                 "\"Time/Scheme\", \"Surface\"")
      ->type_name("PATH");
  app.add_option("--new", arguments.new_case,
                 "Write a commented case that runs at once, NAME.prm, and its geometry; no file is "
                 "overwritten")
      ->type_name("NAME");
  app.add_option("--dim", arguments.dim, "Dimension of the new case, 2 or 3 (default: 2)")
      ->type_name("D");
  app.add_option("--kind", arguments.kind,
                 "Kind of the new case: bouncing, a ball on a floor (default), or sliding, a block "
                 "on a table")
      ->type_name("KIND");
  percussion::set_help(app,
                       {"[OPTION]... CASE", "--print-parameters [--markdown | --json] [CASE]",
                        "--print-mesh CASE", "--explain PATH",
                        "--new NAME [--dim D] [--kind KIND]"},
                       more_help);
}

/// Returns the message of an error of the command line.
std::string message_of(const CLI::App &app, const CLI::ParseError &error) {
  std::string message = error.what();
  for (const std::string &argument : app.remaining())
    if (argument.rfind("--", 0) == 0)
      message = "unknown option '" + argument + "'" +
                percussion::did_you_mean(argument, {"--set", "--output", "--validate", "--resume",
                                                    "--quiet", "--print-parameters", "--print-mesh",
                                                    "--markdown", "--json", "--explain", "--new",
                                                    "--dim", "--kind", "--version", "--help"});
  return "percussion: " + message + "\nRun percussion --help for more information.";
}

/// Throws CLI::ParseError if --new is used with an option that it would ignore.
void check_new(const CLI::App &app, const Arguments &arguments) {
  if (!arguments.file.empty())
    throw CLI::ParseError("--new goes without a case to run", CLI::ExitCodes::RequiresError);
  for (const CLI::Option *const option : app.get_options())
    if (const std::string name = option->get_name();
        option->count() > 0 && name != "--new" && name != "--dim" && name != "--kind")
      throw CLI::ParseError("--new goes with --dim and --kind only, not with " + name,
                            CLI::ExitCodes::RequiresError);
}

/// Reads the command line. Throws CLI::ParseError.
void parse(CLI::App &app, int argc, char **argv, const Arguments &arguments) {
  app.parse(argc, argv);
  if (arguments.markdown && (!arguments.print_parameters || !arguments.file.empty()))
    throw CLI::ParseError("--markdown goes with --print-parameters and without a case",
                          CLI::ExitCodes::RequiresError);
  if (arguments.json && (!arguments.print_parameters || arguments.markdown))
    throw CLI::ParseError("--json goes with --print-parameters, and without --markdown",
                          CLI::ExitCodes::RequiresError);
  if (app.count("--output") > 0 && arguments.output.empty())
    throw CLI::ParseError("--output needs the name of a folder", CLI::ExitCodes::ArgumentMismatch);
  if (app.count("--new") > 0)
    check_new(app, arguments);
  if (app.count("--new") == 0 && app.count("--dim") + app.count("--kind") > 0)
    throw CLI::ParseError("--dim and --kind go with --new", CLI::ExitCodes::RequiresError);
  if (arguments.file.empty() && !arguments.print_parameters && app.count("--explain") == 0 &&
      app.count("--new") == 0)
    throw CLI::ParseError("the parameter file (.prm) of a case is needed",
                          CLI::ExitCodes::RequiredError);
}

/// Does what the arguments request, and ends together with the other processes; returns the exit
/// status.
template <typename Task>
int finished(const Task &task) {
  try {
    return processes::end_together(task(), "");
  } catch (const percussion::InputError &error) {
    return processes::end_together(2, "percussion: " + percussion::printable(error.what()));
  } catch (const std::bad_alloc &) {
    return processes::end_together(1, "percussion: the memory is exhausted" +
                                          percussion::limit_of_address_space());
  } catch (const std::exception &error) {
    return processes::end_together(1, "percussion: " + percussion::printable(error.what()));
  }
}

int current_folder = -1; ///< descriptor of the current folder

/// Leaves the current folder until main(): ADOL-C, a library of deal.II, reads a file in it when it
/// is loaded, `.adolcrc`, which might be a pipe.
void leave_folder(int, char **, char **) {
  current_folder =
      static_cast<int>(syscall(SYS_openat, AT_FDCWD, ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (current_folder >= 0)
    syscall(SYS_chdir, "/");
}

/// Called before the constructors of all libraries.
[[gnu::section(".preinit_array"), gnu::used]] void (*before_libraries)(int, char **,
                                                                       char **) = leave_folder;

/// Prepares the process for its limits and its folder. Throws InputError.
void prepare(char **argv) {
  if (current_folder >= 0 && fchdir(current_folder) != 0)
    throw percussion::InputError(std::string("the current folder cannot be used (") +
                                 std::strerror(errno) + "): change to another folder");
  constexpr double needed_by_program =
      64e6; // address space of MPI, and of the smallest cases [bytes]
  percussion::fit_into_address_space(argv, needed_by_program);
  std::error_code error;
  if (const auto folder = std::filesystem::current_path(error); folder.empty())
    throw percussion::InputError("the current folder cannot be used (" + error.message() +
                                 "): change to another folder");
}

} // namespace

int main(int argc, char **argv) {
  try {
    prepare(argv);
  } catch (const percussion::InputError &error) {
    if (percussion::launch().rank == 0)
      std::cerr << "percussion: " << error.what() << '\n';
    return 2;
  }
  CLI::App app(
      "Computes the dynamics of bodies, linear elastic, hyperelastic or rigid, that\n"
      "touch, hit and rub: finite elements in space, contact, impact and Coulomb\nfriction in an "
      "implicit time step whose energy balance closes to round-off.",
      "percussion");
  Arguments arguments;
  declare(app, arguments);
  try {
    parse(app, argc, argv, arguments);
  } catch (const CLI::ParseError &error) {
    const percussion::Launch launch = percussion::launch();
    if (error.get_exit_code() == 0) // --help and --version
      return launch.rank == 0 ? app.exit(error) : 0;
    // mpirun would end the first process before it prints if another one ended earlier.
    std::optional<percussion::MpiSession> mpi;
    if (launch.n_processes > 1) {
      mpi.emplace();
      processes::share_work();
    }
    return processes::end_together(2, message_of(app, error));
  }
  if (arguments.print_parameters || arguments.print_mesh ||
      app.count("--explain") + app.count("--new") > 0)
    return finished([&] {
      if (percussion::launch().rank == 0)
        app.count("--new") > 0       ? write_case(arguments)
        : arguments.print_parameters ? print_parameters(arguments)
        : arguments.print_mesh ? percussion::print_meshes(std::cout, read_parameter_file(arguments))
                               : percussion::explain(std::cout, arguments.explained);
      expect_printed();
      return 0;
    });
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error like a full disk
  const percussion::MpiSession mpi;
  std::signal(SIGPIPE, SIG_IGN); // MPI resets it; `| head` ends the output, but log.txt is complete
  processes::share_work();
  return finished([&] { return run(arguments); });
}
