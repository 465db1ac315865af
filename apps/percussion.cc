#include <percussion/io/error.h>
#include <percussion/run/run.h>

#include <CLI/CLI.hpp>
#include <deal.II/base/mpi.h>

#include <filesystem>
#include <fstream>
#include <iostream>

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

void print_parameters(const Arguments &arguments) {
  if (arguments.file.empty()) {
    const auto none = percussion::ParameterFile::parse("", "percussion");
    percussion::Parameters(percussion::declare_case(nullptr), none).print(std::cout, true);
    return;
  }
  const auto file = read_parameter_file(arguments);
  percussion::Parameters(percussion::declare_case(&file), file).print(std::cout, false);
}

/// The parameters as they are in effect, with a mesh path that holds wherever the results are.
void write_effective_parameters(percussion::ParameterFile file, const std::string &mesh,
                                const std::string &target) {
  file.override_with("Mesh/File=" + std::filesystem::absolute(mesh).lexically_normal().string());
  std::ofstream out(target);
  percussion::Parameters(percussion::declare_case(&file), file).print(out, true);
  if (!out.flush())
    throw percussion::InputError(target + ": cannot be written");
}

void run(const Arguments &arguments) {
  const auto file = read_parameter_file(arguments);
  const percussion::Parameters parameters(percussion::declare_case(&file), file);
  percussion::Log log;
  log.info("Percussion " PERCUSSION_VERSION "  " + arguments.file);
  const auto c = percussion::build_case<dim>(parameters, file);
  for (const auto &line : percussion::describe(c))
    log.info(line);
  for (const auto &warning : c.warnings)
    log.warning(warning);
  if (arguments.validate) {
    log.info("The case is valid; nothing was run.");
    return;
  }
  const std::string moved = percussion::prepare_output_directory(c.output);
  write_effective_parameters(file, c.mesh->file, c.output.directory + "/parameters.prm");
  log.open(c.output.directory + "/log.txt");
  if (!moved.empty())
    log.info(moved);
  try {
    percussion::run_case(c, log);
  } catch (const percussion::RunError &error) {
    log.info(std::string("Failed: ") + error.what());
    throw;
  }
  log.info("Results   " + c.output.directory + "  (ParaView: solution.pvd, contacts.pvd)");
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
      ->take_all();
  app.add_option("--output", arguments.output, "Folder of the results");
  app.add_flag("--validate", arguments.validate,
               "Read and check everything, say what was understood, run nothing");
  app.add_flag("--print-parameters", arguments.print_parameters,
               "Print all parameters with their documentation, or those of the case");
  app.set_version_flag("--version", "percussion " PERCUSSION_VERSION);
  try {
    app.parse(argc, argv);
    if (arguments.file.empty() && !arguments.print_parameters)
      throw CLI::RequiredError("case");
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (arguments.print_parameters) {
      print_parameters(arguments);
      return 0;
    }
    dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
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
