#pragma once

#include <percussion/cone/problem.h>
#include <percussion/fclib/fclib.h>

#include <nlohmann/json.hpp>

#include "cases/support.h"
#include "cone/sample_problems.h"
#include <string>
#include <vector>

namespace fc_tests {
namespace fs = std::filesystem;
using cases::has;
using cases::Outcome;
using percussion::FrictionContactProblem;
using percussion::GlobalFrictionContactProblem;

/// Returns uncoupled contacts: the first opens with u = (1, 0.5), the second sticks with p = (1,
/// −0.1), the third slips with p = (1, −0.5) and u = (0, 1.5).
inline FrictionContactProblem one_of_each() {
  FrictionContactProblem problem;
  problem.n_contacts = 3;
  problem.W.assign(36, 0.);
  for (std::size_t k = 0; k < 6; ++k)
    problem.W[7 * k] = 1.;
  problem.q = {1., 0.5, -1., 0.1, -1., 2.};
  problem.mu = {0.5, 0.5, 0.5};
  return problem;
}

/// Returns the problem in other units of percussion and velocity.
inline FrictionContactProblem rescale(FrictionContactProblem problem, double percussion,
                                      double velocity) {
  for (double &entry : problem.W)
    entry *= velocity / percussion;
  for (double &entry : problem.q)
    entry *= velocity;
  return problem;
}

inline FrictionContactProblem random_problem(unsigned int seed, std::size_t n_contacts = 6) {
  percussion::sample::Random random(seed);
  const std::size_t n = 2 * n_contacts;
  auto problem = percussion::sample::make_problem(
      percussion::sample::random_gram_matrix(n, 2 * n, 0.1, random), 0.3, random);
  problem.version = 0;
  return problem;
}

/// Returns a contact in 3D that slips with p = (1, −0.3, −0.4) and u = (0, 1.2, 1.6).
inline FrictionContactProblem slip_in_space() {
  FrictionContactProblem problem;
  problem.dimension = 3;
  problem.n_contacts = 1;
  problem.W = {1., 0., 0., 0., 1., 0., 0., 0., 1.};
  problem.q = {-1., 1.5, 2.};
  problem.mu = {0.5};
  return problem;
}

/// Returns one_of_each() as the problem of three free masses.
inline GlobalFrictionContactProblem three_masses() {
  const FrictionContactProblem reduced = one_of_each();
  GlobalFrictionContactProblem problem;
  problem.n_contacts = 3;
  for (percussion::CompressedRows *matrix : {&problem.M, &problem.H}) {
    matrix->n_rows = matrix->n_columns = 6;
    for (std::size_t k = 0; k < 6; ++k) {
      matrix->row_start.push_back(k);
      matrix->column.push_back(k);
      matrix->value.push_back(1.);
    }
    matrix->row_start.push_back(6);
  }
  problem.q = reduced.q;
  problem.b.assign(6, 0.);
  problem.mu = reduced.mu;
  return problem;
}

/// A temporary folder for problems, in which percussion-fc is started.
class Folder : public cases::CaseFolder {
protected:
  template <typename Problem>
  void put(const std::string &name, const Problem &problem) const {
    percussion::FclibFile file;
    file.problem = problem;
    file.title = name;
    put_file(name, file);
  }

  void put_file(const std::string &name, const percussion::FclibFile &file) const {
    fs::create_directories((folder / name).parent_path());
    percussion::write_fclib((folder / name).string(), file);
  }

  percussion::FclibFile get_file(const std::string &name) const {
    return percussion::read_fclib((folder / name).string());
  }

  Outcome run(const std::vector<std::string> &arguments) const {
    return start("percussion-fc", arguments);
  }

  /// Runs with --json and returns its file; expects this exit status.
  nlohmann::json results_of(std::vector<std::string> arguments, int status = 0) const {
    arguments.insert(arguments.end(), {"--json", "out.json"});
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.error;
    return nlohmann::json::parse(read("out.json"), nullptr, false);
  }
};

} // namespace fc_tests
