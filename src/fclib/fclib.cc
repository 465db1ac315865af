#include <percussion/fclib/fclib.h>

#include "fclib_check.h"
#include "fclib_structs.h"
#include <cstdlib>
#include <memory>

namespace percussion {
namespace {

using hdf5::Group;

/// FCLib frees what a problem holds, but not the problem.
struct Delete {
  void operator()(fclib_local *problem) const {
    fclib_delete_local(problem);
    std::free(problem);
  }
  void operator()(fclib_global *problem) const {
    fclib_delete_global(problem);
    std::free(problem);
  }
};

std::vector<double> numbers(const double *x, std::size_t n) { return {x, x + n}; }

[[noreturn]] void fail_to_read(const std::string &path) {
  hdf5::fail(path, "", "a problem that FCLib does not read", "a file of FCLib 3");
}

FrictionContactProblem read_local(const std::string &path, const FclibContents &contents) {
  const std::unique_ptr<fclib_local, Delete> read(fclib_read_local(path.c_str()));
  if (!read)
    fail_to_read(path);
  FrictionContactProblem problem;
  problem.dimension = contents.dimension;
  problem.n_contacts = contents.n_contacts;
  set_delassus(compressed_rows(*read->W), problem);
  problem.q = numbers(read->q, problem.dimension * problem.n_contacts);
  problem.mu = numbers(read->mu, problem.n_contacts);
  return problem;
}

GlobalFrictionContactProblem read_global(const std::string &path, const FclibContents &contents) {
  const std::unique_ptr<fclib_global, Delete> read(fclib_read_global(path.c_str()));
  if (!read)
    fail_to_read(path);
  GlobalFrictionContactProblem problem;
  problem.dimension = contents.dimension;
  problem.n_contacts = contents.n_contacts;
  problem.M = compressed_rows(*read->M);
  problem.H = compressed_rows(*read->H);
  problem.q = numbers(read->f, contents.n_velocities);
  problem.b = numbers(read->w, problem.dimension * problem.n_contacts);
  problem.mu = numbers(read->mu, problem.n_contacts);
  return problem;
}

GlobalConeSolution read_solution(const Group &group, const FclibContents &contents) {
  const auto n = static_cast<long long>(contents.dimension * contents.n_contacts);
  GlobalConeSolution solution;
  if (contents.n_velocities > 0)
    solution.v = group.reals("v", static_cast<long long>(contents.n_velocities));
  solution.u = group.reals("u", n);
  solution.p = group.reals("r", n);
  return solution;
}

std::vector<GlobalConeSolution> read_guesses(const Group &group, const FclibContents &contents) {
  const int n = group.integer("number_of_guesses");
  if (n < 0)
    group.fail("number_of_guesses", std::to_string(n), "0 or more");
  std::vector<GlobalConeSolution> guesses;
  for (int k = 1; k <= n; ++k)
    guesses.push_back(read_solution(group.group(std::to_string(k)), contents));
  return guesses;
}

} // namespace

FclibFile read_fclib(const std::string &path) {
  const hdf5::Silence silence;
  const hdf5::Handle handle = hdf5::open_file(path, H5F_ACC_RDONLY);
  const Group root(handle, path);
  const FclibContents contents = check_fclib(root);

  FclibFile file;
  if (contents.is_local)
    file.problem = read_local(path, contents);
  else
    file.problem = read_global(path, contents);
  const Group problem = root.group(contents.is_local ? "fclib_local" : "fclib_global");
  if (problem.has("info")) {
    const Group info = problem.group("info");
    file.title = info.text("title");
    file.description = info.text("description");
    file.math_info = info.text("math_info");
  }
  // Not by FCLib's functions: they open the file for writing to read guesses.
  if (root.has("solution"))
    file.solution = read_solution(root.group("solution"), contents);
  if (root.has("guesses"))
    file.guesses = read_guesses(root.group("guesses"), contents);
  return file;
}

} // namespace percussion
