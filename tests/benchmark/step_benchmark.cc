// Costs of a step of the sliding block relative to a triangular solve with its factor, measured in
// one run, and the fraction of the output in the time of a whole run. This program passes or fails
// only if --check is given, which compares the ratios with their targets.
//
//   step_benchmark CASE.prm MESH.geo [--check] [SIZE...]

#include <percussion/output/log.h>

#include <gmsh.h>

#include "timing.h"
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using percussion::benchmark::make_case;
using percussion::benchmark::median;
using percussion::benchmark::seconds_of;

std::string make_mesh(const std::string &geometry, double size, const fs::path &folder) {
  const std::string file = (folder / ("block-" + std::to_string(size) + ".msh")).string();
  std::string number = std::to_string(size);
  std::string arguments[] = {"gmsh", "-setnumber", "size", number};
  char *argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(),
                  arguments[3].data()};
  gmsh::initialize(4, argv);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::open(geometry);
  gmsh::model::mesh::generate(2);
  gmsh::write(file);
  gmsh::finalize();
  return file;
}

struct Costs {
  double ratio; ///< time of a step relative to a triangular solve
  percussion::PhaseTimes phases;
  double contacts;
};

/// Measures blocks of triangular solves and blocks of steps alternately. The ratio is computed for
/// each pair, so that a drift of the machine's speed affects both; the median over the run is
/// reported.
Costs measure(const percussion::Case<2> &c, unsigned int n_steps) {
  percussion::Step<2> step(*c.bodies, *c.boundary, c.choices, c.cone);
  const percussion::Cholesky &factor = step.momentum().system().cholesky();
  auto state = c.initial;
  step.initialise(state);
  constexpr unsigned int block = 50;
  std::vector<double> ratios;
  double contacts = 0;
  for (unsigned int k = 0; k < n_steps;) {
    const double solves = seconds_of([&] {
      for (unsigned int i = 0; i < block; ++i) {
        std::fill(factor.work(), factor.work() + factor.size(), 1.);
        factor.forward();
        factor.backward();
      }
    });
    const double steps = seconds_of([&] {
      for (unsigned int i = 0; i < block; ++i) {
        ++k;
        contacts += static_cast<double>(step.advance(state, k * c.choices.h).contacts.size());
      }
    });
    ratios.push_back(steps / solves);
  }
  return {median(ratios), step.times(), contacts / n_steps};
}

bool report_step(const percussion::Case<2> &c, double size, unsigned int n_steps) {
  const Costs costs = measure(c, n_steps);
  const double ratio = costs.ratio;
  std::printf("%5.2f mm  %6u unknowns  %5.1f contacts  step / triangular solve = %.2f  (", size,
              c.bodies->n_dofs(), costs.contacts, ratio);
  const double total =
      std::accumulate(costs.phases.seconds.begin(), costs.phases.seconds.end(), 0.);
  for (std::size_t i = 0; i + 1 < percussion::n_phases; ++i)
    std::printf("%s%s %.0f %%", i > 0 ? ", " : "", percussion::phase_names[i],
                100 * costs.phases.seconds[i] / total);
  std::printf(")  target <= 1.6\n");
  return ratio <= 1.6;
}

bool report_output(percussion::Case<2> &c, const fs::path &folder) {
  c.output.directory = (folder / "run").string();
  percussion::prepare_output_directory(c.output);
  percussion::Log log;
  const percussion::Summary summary = percussion::run_case(c, log);
  const double share = summary.times.seconds[static_cast<std::size_t>(percussion::Phase::output)] /
                       summary.wall_time;
  std::printf("output / whole run = %.1f %%  target <= 10 %%\n", 100 * share);
  return share <= 0.1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: step_benchmark CASE.prm MESH.geo [--check] [SIZE...]\n");
    return 2;
  }
  const bool check = argc > 3 && std::strcmp(argv[3], "--check") == 0;
  std::vector<double> sizes; // sizes of the cells [mm]
  for (int i = check ? 4 : 3; i < argc; ++i)
    sizes.push_back(std::stod(argv[i]));
  if (sizes.empty())
    sizes = {1., 0.5};
  const percussion::MpiSession mpi;
  try {
    const fs::path folder =
        fs::temp_directory_path() / ("percussion-benchmark-" + std::to_string(getpid()));
    fs::create_directories(folder);
    bool met = true;
    for (const double size : sizes) {
      auto c = make_case(argv[1],
                         {"Mesh/File=" + fs::absolute(make_mesh(argv[2], size, folder)).string()});
      met &= report_step(c, size, size == 1. ? 10000 : size >= 0.5 ? 2000 : 100);
      if (size == 1.)
        met &= report_output(c, folder);
    }
    fs::remove_all(folder);
    return check && !met ? 1 : 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "step_benchmark: %s\n", error.what());
    return 1;
  }
}
