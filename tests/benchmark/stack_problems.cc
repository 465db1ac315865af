// Writes contact problems of rigid bodies.
//
//     stack_problems FOLDER [assemblies]
//
// Stacks of blocks in 3D: files stack-NAME-SEED.hdf5 hold the reduced problem in natural units,
// global-NAME-SEED.hdf5 the global problem in kg, m, s. With the word `assemblies`, writes the
// problems of tests/cone/assemblies.h instead, reduced and in natural units: grains in a box,
// towers, wheels, single contacts, symmetric or not.

#include <percussion/cone/global.h>
#include <percussion/cone/natural_units.h>
#include <percussion/fclib/fclib.h>

#include "cone/assemblies.h"
#include "cone/stacks.h"
#include <iostream>
#include <string>

namespace {
using namespace percussion;
using namespace percussion::stacks;

void write(const std::string &folder, const std::string &name, const std::vector<Block> &blocks,
           double mu, double kick, unsigned int seed, bool has_global) {
  const GlobalFrictionContactProblem global = pose(blocks, mu, kick, seed);
  FclibFile file;
  file.title = "stack " + name;
  file.description = "One step of 1 ms of a stack of rigid blocks under gravity, from random "
                     "velocities up to " +
                     std::to_string(kick) + " m/s; kg, m, s";
  const std::string end = name + "-" + std::to_string(seed) + ".hdf5";
  if (has_global) {
    file.problem = global;
    write_fclib(folder + "/global-" + end, file);
  }
  const FrictionContactProblem reduced = reduced_problem(global);
  file.problem = to_units(natural_units(reduced), reduced);
  file.description += ", then natural units";
  write_fclib(folder + "/stack-" + end, file);
  std::cout << end << ' ' << reduced.n_contacts << " contacts\n";
}

void write_assemblies(const std::string &folder) {
  assemblies::visit_collection(100000, [&](const assemblies::Posed &posed_problem) {
    FclibFile file;
    file.title = posed_problem.name;
    file.description = "One step of an assembly of rigid bodies, in natural units";
    file.problem = to_units(natural_units(posed_problem.problem), posed_problem.problem);
    write_fclib(folder + '/' + posed_problem.name + ".hdf5", file);
    std::cout << posed_problem.name << ' ' << posed_problem.problem.n_contacts << " contacts\n";
  });
}

} // namespace

int main(int argc, char **argv) {
  const bool assemblies = argc == 3 && std::string(argv[2]) == "assemblies";
  if (argc != 2 && !assemblies) {
    std::cerr << "usage: stack_problems FOLDER [assemblies]\n";
    return 2;
  }
  const std::string folder = argv[1];
  if (assemblies) {
    write_assemblies(folder);
    return 0;
  }
  for (unsigned int seed = 0; seed < 4; ++seed) {
    for (const unsigned int height : {1U, 2U, 5U, 10U})
      write(folder, "tower" + std::to_string(height), tower(height, 1.), 0.3 + 0.1 * seed,
            0.1 * seed, seed, height == 5);
    write(folder, "light", tower(6, 0.3), 0.5, 0.1 * seed, seed, false);
    write(folder, "heavy", tower(6, 3.), 0.5, 0.1 * seed, seed, false);
    write(folder, "wall2x3", wall(2, 3), 0.4, 0.1 * seed, seed, true);
    write(folder, "wall4x5", wall(4, 5), 0.4, 0.1 * seed, seed, false);
    write(folder, "pyramid3", pyramid(3), 0.4, 0.1 * seed, seed, true);
    write(folder, "pyramid4", pyramid(4), 0.4, 0.1 * seed, seed, false);
  }
  return 0;
}
