#include <percussion/base/file.h>
#include <percussion/fclib/fclib.h>

#include "constraints.h"
#include "rolling.h"
#include <cmath>
#include <filesystem>

namespace percussion {
namespace {

using hdf5::Group;

constexpr std::pair<const char *, std::string FclibFile::*> texts[] = {
    {"title", &FclibFile::title},
    {"description", &FclibFile::description},
    {"math_info", &FclibFile::math_info}};
constexpr std::pair<const char *, double FclibFile::*> units[] = {
    {"percussion_unit", &FclibFile::percussion_unit}, {"velocity_unit", &FclibFile::velocity_unit}};

unsigned int read_dimension(const Group &problem) {
  const int dimension = problem.integers("spacedim", 1, 1).front();
  if (dimension != 2 && dimension != 3)
    problem.fail("spacedim", std::to_string(dimension), "2 or 3");
  return static_cast<unsigned int>(dimension);
}

void require_square(const Group &problem, const std::string &name, const Entries &matrix) {
  if (matrix.n_rows != matrix.n_columns)
    problem.fail(name,
                 std::to_string(matrix.n_rows) + " rows and " + std::to_string(matrix.n_columns) +
                     " columns",
                 "as many rows as columns");
}

/// Reads the number of contacts and the friction coefficients; a matrix gives `size` = dimension ×
/// contacts.
template <typename Problem>
void read_contacts(const Group &group, const char *size_name, std::size_t size, Problem &problem) {
  if (size % problem.dimension != 0)
    group.fail(size_name, std::to_string(size),
               "a multiple of spacedim = " + std::to_string(problem.dimension));
  problem.n_contacts = size / problem.dimension;
  problem.mu = group.group("vectors").reals("mu", problem.n_contacts);
}

FrictionContactProblem read_local(const Group &group) {
  FrictionContactProblem problem;
  problem.dimension = read_dimension(group);
  Entries W = read_matrix(group.group("W"));
  require_square(group, "W", W);
  problem.q = group.group("vectors").reals("q", W.n_rows);
  eliminate(read_multipliers(group, W.n_rows), W, problem.q);
  read_contacts(group, "W/m", W.n_rows, problem);
  set_delassus(compressed_rows(W), problem);
  return problem;
}

GlobalFrictionContactProblem read_global(const Group &group, FclibFile &file) {
  GlobalFrictionContactProblem problem;
  problem.dimension = read_dimension(group);
  Entries M = read_matrix(group.group("M")), H = read_matrix(group.group("H"));
  require_square(group, "M", M);
  if (H.n_rows != M.n_rows)
    group.fail("H/m", std::to_string(H.n_rows), "as many rows as M: " + std::to_string(M.n_rows));
  const Group vectors = group.group("vectors");
  problem.q = vectors.reals("f", M.n_rows);
  problem.b = vectors.reals("w", H.n_columns);
  if (group.has_link("G")) {
    const Entries G = read_matrix(group.group("G"));
    file.n_multipliers = G.n_columns;
    file.multiplier_unit = append_constraints(group, G, M, problem.q);
    H.n_rows = M.n_rows;
  }
  read_contacts(group, "H/n", H.n_columns, problem);
  problem.M = compressed_rows(M);
  problem.H = compressed_rows(H);
  return problem;
}

FrictionContactProblem read_rolling(const Group &group, FclibFile &file) {
  StoredRolling stored;
  const int dimension = group.integers("spacedim", 1, 1).front();
  if (dimension != 3 && dimension != 5)
    group.fail("spacedim", std::to_string(dimension), "3 in 2D, or 5");
  stored.dimension = static_cast<unsigned int>(dimension);
  stored.matrix = read_matrix(group.group("M"));
  stored.H = read_matrix(group.group("H"));
  require_square(group, "M", stored.matrix);
  if (stored.H.n_rows != stored.matrix.n_rows)
    group.fail("H/m", std::to_string(stored.H.n_rows),
               "as many rows as M: " + std::to_string(stored.matrix.n_rows));
  if (stored.H.n_columns % stored.dimension != 0)
    group.fail("H/n", std::to_string(stored.H.n_columns),
               "a multiple of spacedim = " + std::to_string(dimension));
  if (group.has_link("G") && read_matrix(group.group("G")).n_columns > 0)
    group.fail("G", "equality constraints", "none in a problem with rolling friction");
  const Group vectors = group.group("vectors");
  stored.vector = vectors.reals("f", stored.matrix.n_rows);
  stored.w = vectors.reals("w", stored.H.n_columns);
  const std::size_t n_contacts = stored.H.n_columns / stored.dimension;
  stored.mu = vectors.reals("mu", n_contacts);
  stored.mu_r = vectors.reals("mu_r", n_contacts);
  return friction_problem(std::move(stored), file.rolling.emplace());
}

GlobalConeSolution read_solution(const Group &group, const FclibFile &file) {
  if (file.rolling) {
    const std::size_t n = (2 * file.rolling->dimension - 1) * file.rolling->n_contacts;
    GlobalConeSolution stored;
    stored.u = group.reals("u", n);
    stored.p = group.reals("r", n);
    return with_moments(*file.rolling, std::move(stored));
  }
  GlobalConeSolution solution;
  std::size_t n = 0;
  if (const auto *global = std::get_if<GlobalFrictionContactProblem>(&file.problem)) {
    n = global->b.size();
    if (const std::size_t n_velocities = global->q.size() - file.n_multipliers; n_velocities > 0)
      solution.v = group.reals("v", n_velocities);
    if (file.n_multipliers > 0)
      for (const double multiplier : group.reals("l", file.n_multipliers))
        solution.v.push_back(multiplier / file.multiplier_unit);
  } else {
    n = std::get<FrictionContactProblem>(file.problem).q.size();
  }
  solution.u = group.reals("u", n);
  solution.p = group.reals("r", n);
  return solution;
}

/// Reads the file except solution and guesses.
FclibFile read_problem(const Group &root) {
  std::vector<std::string> names;
  for (const char *const name : {"fclib_local", "fclib_global", "fclib_global_rolling"})
    if (root.has_link(name))
      names.emplace_back(name);
  if (names.size() != 1)
    root.fail("/", names.empty() ? "none of these" : names[0] + " and " + names[1],
              "one group fclib_local, fclib_global or fclib_global_rolling");
  FclibFile file;
  const Group problem = root.group(names.front());
  if (names.front() == "fclib_local")
    file.problem = read_local(problem);
  else if (names.front() == "fclib_global")
    file.problem = read_global(problem, file);
  else
    file.problem = read_rolling(problem, file);
  if (problem.has_link("info")) {
    const Group info = problem.group("info");
    for (const auto &[name, text] : texts)
      file.*text = info.text(name);
    for (const auto &[name, unit] : units)
      if (info.has_link(name)) {
        file.*unit = info.reals(name, 1).front();
        if (!(file.*unit > 0.) || !std::isfinite(file.*unit))
          info.fail(name, std::to_string(file.*unit), "a number > 0");
      }
  }
  return file;
}

FclibFile read(const Group &root) {
  FclibFile file = read_problem(root);
  if (root.has_link("solution"))
    file.solution = read_solution(root.group("solution"), file);
  if (root.has_link("guesses")) {
    const Group guesses = root.group("guesses");
    const int n_guesses = guesses.integer("number_of_guesses", 0);
    for (int k = 1; k <= n_guesses; ++k)
      file.guesses.push_back(read_solution(guesses.group(std::to_string(k)), file));
  }
  return file;
}

void write_operators(const Group &group, const FrictionContactProblem &problem) {
  write_matrix(group.create("W"), delassus(problem));
  group.create("vectors").write("q", problem.q);
}

void write_operators(const Group &group, const GlobalFrictionContactProblem &problem) {
  write_matrix(group.create("M"), problem.M);
  write_matrix(group.create("H"), problem.H);
  const Group vectors = group.create("vectors");
  vectors.write("f", problem.q);
  vectors.write("w", problem.b);
}

void write_info(const Group &problem, const FclibFile &file) {
  const bool has_units = file.percussion_unit != 1. || file.velocity_unit != 1.;
  if ((file.title + file.description + file.math_info).empty() && !has_units)
    return;
  const Group info = problem.create("info");
  for (const auto &[name, text] : texts)
    if (!(file.*text).empty())
      info.write(name, file.*text);
  for (const auto &[name, unit] : units)
    if (has_units)
      info.write(name, std::vector<double>{file.*unit});
}

/// Removes the multipliers from the end of v and returns them.
std::vector<double> split_multipliers(const FclibFile &file, std::vector<double> &v) {
  const std::size_t n = std::min(file.n_multipliers, v.size());
  std::vector<double> multipliers(v.end() - static_cast<std::ptrdiff_t>(n), v.end());
  v.resize(v.size() - n);
  for (double &multiplier : multipliers)
    multiplier *= file.multiplier_unit;
  return multipliers;
}

void write_solution(const Group &group, const GlobalConeSolution &solution) {
  if (!solution.v.empty())
    group.write("v", solution.v);
  group.write("u", solution.u);
  group.write("r", solution.p);
}

/// Writes the file in memory to a path, which may be a symbolic link, unless it cannot be read.
void write_file(const std::string &path, const hdf5::Handle &file) {
  namespace fs = std::filesystem;
  read(Group(file, path));
  const std::string target = fs::is_symlink(path) ? fs::weakly_canonical(path).string() : path;
  percussion::write_file(target, hdf5::content_of(file, path));
}

} // namespace

FclibFile read_fclib(const std::string &path) { return read(Group(hdf5::load(path), path)); }

void write_fclib(const std::string &path, const FclibFile &content) {
  const hdf5::Handle file = hdf5::create(path);
  const Group root(file, path);
  const Group group = root.create(content.problem.index() == 0 ? "fclib_local" : "fclib_global");
  std::visit(
      [&group](const auto &problem) {
        group.write("spacedim", static_cast<int>(problem.dimension));
        write_operators(group, problem);
        group.group("vectors").write("mu", problem.mu);
      },
      content.problem);
  write_info(group, content);
  if (content.solution)
    write_solution(root.create("solution"), *content.solution);
  if (!content.guesses.empty()) {
    const Group guesses = root.create("guesses");
    guesses.write("number_of_guesses", static_cast<int>(content.guesses.size()));
    for (std::size_t k = 0; k < content.guesses.size(); ++k)
      write_solution(guesses.create(std::to_string(k + 1)), content.guesses[k]);
  }
  write_file(path, file);
}

void write_fclib_solution(const std::string &path, const GlobalConeSolution &solution) {
  const hdf5::Handle file = hdf5::load(path);
  const Group root(file, path);
  const FclibFile content = read_problem(root);
  GlobalConeSolution stored;
  if (content.rolling) {
    stored = without_moments(*content.rolling, solution);
  } else {
    stored.v = solution.v;
    stored.u = solution.u;
    stored.p = solution.p;
  }
  std::vector<double> multipliers = split_multipliers(content, stored.v);
  if (root.has_link("fclib_local"))
    multipliers =
        multipliers_of(read_multipliers(root.group("fclib_local"), stored.p.size()), stored.p);
  const Group group = root.create("solution");
  write_solution(group, stored);
  if (!multipliers.empty())
    group.write("l", multipliers);
  write_file(path, file);
}

} // namespace percussion
