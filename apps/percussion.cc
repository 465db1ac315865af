#include <percussion/algebra/floating_point_traps.h>
#include <percussion/algebra/mpi_session.h>
#include <percussion/io/error.h>
#include <percussion/io/nearest_name.h>
#include <percussion/run/run.h>

#include <CLI/CLI.hpp>

#include <filesystem>
#include <fstream>
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
  std::cout
      << "# All parameters of Percussion " PERCUSSION_VERSION
         ". <region>, <body> and <name> stand\n"
         "# for subsections that a case names: regions of its mesh, rigid bodies and contacts of "
         "its own.\n"
         "# Units are the user's own, consistent: [M, L, T] are mass, length and time, [1] is "
         "none.\n"
         "# Formulas have the constants pi and e, the operators + - * / ^ == < > && || ?: and\n"
         "# functions such as sin, exp, sqrt, abs, sign, min, max.\n"
         "# AC24: Acary and Collins-Craft 2024; AC23: its preprint of 2023. BBDM24: Barboteu, "
         "Bonaldi,\n"
         "# Dumont and Mahmoud 2024. JM91: Jean and Moreau 1991.\n\n";
  const auto none = percussion::ParameterFile::parse("", "percussion");
  percussion::Parameters(percussion::declare_case(nullptr), none).print(std::cout, true);
}

void write_text(const std::string &file, const std::string &text) {
  std::ofstream out(file);
  if (!(out << text << std::flush))
    throw percussion::RunError(file + ": cannot be written (disk full, or no permission?)");
}

/// The case in the file, and what was understood of it on the terminal.
percussion::Case<dim> read_case(const percussion::ParameterFile &file, percussion::Log &log) {
  const percussion::Parameters parameters(percussion::declare_case(&file), file);
  percussion::trap_floating_point_errors(); // not before: to read 1e999 is to overflow
  auto c = percussion::build_case<dim>(parameters, file);
  log.info("Percussion " PERCUSSION_VERSION "  " + file.name());
  for (const auto &line : percussion::describe(c))
    log.info(line);
  for (const auto &warning : c.warnings)
    log.warning(warning);
  return c;
}

void run(const Arguments &arguments) {
  const auto file = read_parameter_file(arguments);
  percussion::Log log;
  const auto c = read_case(file, log);
  if (arguments.validate) {
    log.info("The case is valid; nothing was run.");
    return;
  }
  const std::string &directory = c.output.directory;
  const std::string parameters = effective_parameters(file, true);
  const std::string moved = percussion::prepare_output_directory(c.output);
  write_text(directory + "/parameters.prm", parameters);
  log.open(directory + "/log.txt");
  if (!moved.empty())
    log.info(moved);
  try {
    percussion::run_case(c, log);
  } catch (const std::exception &error) {
    log.record(std::string("Failed: ") + error.what());
    throw percussion::RunError(error.what() + ("\nWhat was computed before is in " + directory));
  }
  log.info("Results   " + directory + "  (ParaView: solution.pvd, contacts.pvd)");
}

/// Says what is wrong with the command line; the exit status.
int report(const CLI::App &app, const CLI::ParseError &error) {
  if (error.get_exit_code() == 0)
    return app.exit(error); // --help and --version
  std::string message = error.what();
  for (const std::string &argument : app.remaining())
    if (argument.rfind("--", 0) == 0)
      message = "unknown option '" + argument + "'" +
                percussion::did_you_mean(argument, {"--set", "--output", "--validate",
                                                    "--print-parameters", "--version", "--help"});
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
  app.add_flag("--print-parameters", arguments.print_parameters,
               "Print the reference of all parameters, or the values that the case has");
  app.set_version_flag("--version", "percussion " PERCUSSION_VERSION);
  try {
    app.parse(argc, argv);
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
    const percussion::MpiSession mpi(argc, argv);
    run(arguments);
    return 0;
  } catch (const percussion::InputError &error) {
    std::cerr << "percussion: " << error.what() << '\n';
    return 2;
  } catch (const std::exception &error) {
    std::cerr << "percussion: " << error.what() << '\n';
    return 1;
  }
}
