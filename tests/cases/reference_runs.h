#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/step.h>

#include <gtest/gtest.h>

#include "support/csv.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cases {

using namespace percussion;

using Assignments = std::vector<std::string>;
using Series = std::map<std::string, std::vector<double>>;

inline Assignments operator+(Assignments a, const Assignments &b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Returns a case of params/ with other values of some parameters.
inline Case<2> shipped_case(const std::string &name, const Assignments &assignments) {
  auto file = ParameterFile::read(PERCUSSION_SOURCE_DIR "/params/" + name + ".prm");
  for (const auto &assignment : assignments)
    file.override_with(assignment);
  return build_case<2>(Parameters(declare_case(&file), file), file);
}

/// A shipped case taken step by step, with the sums of its works. The ground is y = 0.
class SteppedCase {
public:
  SteppedCase(const std::string &name, const Assignments &assignments)
      : c(shipped_case(name, assignments)), step(*c.bodies, *c.boundary, c.choices, c.cone),
        state(c.initial) {
    step.initialise(state);
    initial_energy = state.energy();
    weigh();
  }
  SteppedCase(const SteppedCase &) = delete;
  SteppedCase &operator=(const SteppedCase &) = delete;

  const StepRecord<2> &advance() {
    record = &step.advance(state, (state.step + 1) * c.choices.h);
    works += record->works;
    return *record;
  }

  double h() const { return c.choices.h; }

  /// Returns the change of the energy that is not due to any work.
  double drift() const { return state.energy() - initial_energy - works.sum(); }

  /// Returns the velocity of the centre of mass.
  std::array<double, 2> mean_velocity() const {
    std::array<double, 2> sum{};
    for (unsigned int i = 0; i < nodal_mass.size(); ++i)
      for (unsigned int d = 0; d < 2; ++d)
        sum[d] += nodal_mass[i] * state.v[c.bodies->elastic.front()->space.node_dofs[i][d]] / mass;
    return sum;
  }

  /// Returns the force of the ground on the body during the last step, normal (d = 0) or tangential
  /// (d = 1).
  double contact_force(unsigned int d) const {
    double sum = 0;
    for (const auto &contact : record->contacts)
      sum += contact.percussion[d];
    return sum / h();
  }

  unsigned int n_with_status(ContactStatus status) const {
    return static_cast<unsigned int>(
        std::count_if(record->contacts.begin(), record->contacts.end(),
                      [&](const auto &contact) { return contact.status == status; }));
  }
  unsigned int n_closed() const {
    return n_with_status(ContactStatus::stick) + n_with_status(ContactStatus::slip);
  }

  /// Returns the height of the lowest contact node above the ground.
  double smallest_gap() const {
    double gap = std::numeric_limits<double>::infinity();
    const TraceField q = c.boundary->trace.gather(state.q);
    for (const auto &point : c.boundary->points)
      gap = std::min(gap, point.position[1] + q[point.entry + 1]);
    return gap;
  }

  Case<2> c;
  Step<2> step;
  State<2> state;
  const StepRecord<2> *record = nullptr; ///< record of the last step
  Works works;
  double initial_energy = 0;

private:
  /// Computes row sums of the mass matrix: the contributions of nodes to the momentum per unit of
  /// velocity.
  void weigh() {
    Vector translation(c.bodies->n_dofs()), momentum = translation;
    for (const auto &dofs : c.bodies->elastic.front()->space.node_dofs)
      translation[dofs[0]] = 1;
    multiply(c.bodies->operators.mass, translation, momentum);
    for (const auto &dofs : c.bodies->elastic.front()->space.node_dofs) {
      nodal_mass.push_back(momentum[dofs[0]]);
      mass += nodal_mass.back();
    }
  }

  std::vector<double> nodal_mass;
  double mass = 0;
};

/// Sums and extremes of a whole run.
struct History {
  double initial_energy = 0, final_energy = 0;
  Works works;
  double residual_max = 0;                      ///< largest residual of the balance of a step
  double drift_max = 0;                         ///< largest residual of the sum of all steps so far
  double energy_rise_max = 0;                   ///< largest rise in a step
  double normal_max = 0, tangential_max = 0;    ///< largest work of one contact in one step
  unsigned int n_cuts = 0;                      ///< cuts of failed steps
  unsigned int contact_steps = 0;               ///< steps with a percussion
  unsigned int slip_steps = 0, stick_steps = 0; ///< steps with a contact of this status
  double contact_begin = 0,
         contact_end = 0;     ///< begin of the first and end of the last step with contact
  std::vector<double> force;  ///< normal force in each step
  std::vector<double> energy; ///< energy after each step
  std::vector<double> q, v;   ///< displacements and velocities at the end
  std::array<double, 2> mean_velocity{}; ///< mean velocity at the end
};

/// Runs the case to its end or for a number of steps.
inline History history(const std::string &name, const Assignments &assignments,
                       std::optional<unsigned int> n_steps = {}) {
  SteppedCase run(name, assignments);
  History result;
  result.initial_energy = run.initial_energy;
  double before = run.initial_energy;
  for (unsigned int k = n_steps.value_or(run.c.span.n_steps); k > 0; --k) {
    const auto &record = run.advance();
    const double after = run.state.energy();
    result.residual_max = std::max(result.residual_max, std::abs(record.balance_residual));
    result.drift_max = std::max(result.drift_max, std::abs(run.drift()));
    result.energy_rise_max = std::max(result.energy_rise_max, after - before);
    result.normal_max = std::max(result.normal_max, record.normal_work_max);
    result.tangential_max = std::max(result.tangential_max, record.tangential_work_max);
    result.n_cuts += static_cast<unsigned int>(record.n_cuts);
    result.slip_steps += run.n_with_status(ContactStatus::slip) > 0;
    result.stick_steps += run.n_with_status(ContactStatus::stick) > 0;
    result.force.push_back(run.contact_force(0));
    result.energy.push_back(after);
    before = after;
    if (result.force.back() > 0) {
      if (result.contact_steps++ == 0)
        result.contact_begin = run.state.time - run.h();
      result.contact_end = run.state.time;
    }
  }
  result.final_energy = before;
  result.works = run.works;
  result.mean_velocity = run.mean_velocity();
  result.q.assign(run.state.q.begin(), run.state.q.end());
  result.v.assign(run.state.v.begin(), run.state.v.end());
  return result;
}

/// Names a test by the label of its parameter.
struct Label {
  template <typename Parameter>
  std::string operator()(const ::testing::TestParamInfo<Parameter> &test) const {
    return test.param.label;
  }
};

/// Returns the largest difference of two fields relative to the largest entry of the first.
inline double relative_distance(const std::vector<double> &a, const std::vector<double> &b) {
  EXPECT_EQ(a.size(), b.size());
  double distance = 0, largest = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    distance = std::max(distance, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(a[i]));
  }
  EXPECT_GT(largest, 0.);
  return distance / largest;
}

/// Returns the nodes at the given positions, which are positions of different nodes.
inline std::vector<unsigned int> nodes_at(const Space<2> &space, const std::vector<double> &x,
                                          const std::vector<double> &y) {
  const auto key = [](double a, double b) {
    return std::pair(std::lround(a * 1e7), std::lround(b * 1e7));
  };
  std::map<std::pair<long, long>, unsigned int> at;
  for (unsigned int i = 0; i < space.n_nodes(); ++i)
    at[key(space.nodes[i][0], space.nodes[i][1])] = i;
  std::vector<unsigned int> nodes;
  for (std::size_t k = 0; k < x.size(); ++k)
    nodes.push_back(at.at(key(x[k], y[k])));
  EXPECT_GE(nodes.size(), space.n_nodes() / 4);
  EXPECT_EQ(std::set(nodes.begin(), nodes.end()).size(), nodes.size());
  return nodes;
}

// ---- runs of an independent implementation on its own meshes ----

/// Largest differences in case of agreement.
struct Tolerances {
  double energy = 1e-9;   ///< elastic energy and friction work, relative to the initial energy
  double velocity = 1e-8; ///< velocity of the centre of mass
  double force = 1e-7;    ///< force, relative to the largest force of the run
  double gap = 1e-9;
  double residual = 1e-12; ///< balance of a step, relative to the initial energy
  double drift = 1e-10;    ///< balance of all steps, relative to the initial energy
};

struct ReferenceCase {
  const char *label; ///< name of the test
  const char *name;  ///< name of the shipped case
  const char *mesh;  ///< name of the mesh in the reference folder
  const char *series;
  Assignments assignments;
  unsigned int n_steps;
  Tolerances tolerances;
};

/// Fixture of the comparison with a reference run (tests/reference).
class ReferenceRun : public ::testing::TestWithParam<ReferenceCase> {
protected:
  static std::string reference(const std::string &file) {
    return std::filesystem::absolute(PERCUSSION_REFERENCE_DIR).string() + "/" + file;
  }

  static Assignments on_reference_mesh(const ReferenceCase &expected) {
    return Assignments{"Mesh/File=" + reference(expected.mesh)} + expected.assignments;
  }

  /// Takes the steps of the case and compares every step in the series. In its columns, works are
  /// positive for energy that leaves the body.
  static void follow(const ReferenceCase &expected) {
    SteppedCase run(expected.name, on_reference_mesh(expected));
    const Series series = test::read_csv(reference(expected.series));
    const double force = *std::max_element(series.at("Fn").begin(), series.at("Fn").end());
    const auto &steps = series.at("step");
    double strain = 0;
    std::size_t row = 1; // the row after the initial state
    ASSERT_NEAR(run.initial_energy, series.at("Etot")[0], 1e-11 * run.initial_energy);
    for (unsigned int k = 1; k <= expected.n_steps; ++k) {
      run.advance();
      expect_balance(run, expected.tolerances);
      if (row < steps.size() && steps[row] == k) {
        expect_row(run, series, row, force, expected.tolerances);
        ++row;
      }
      strain = std::max(strain, run.state.strain);
      if (HasFailure())
        return;
    }
    EXPECT_TRUE(row == steps.size() || steps[row] > expected.n_steps) << "step " << steps[row];
    EXPECT_GT(row, 40u);
    EXPECT_GT(strain, 0.1 * run.initial_energy);
  }

private:
  static void expect_balance(const SteppedCase &run, const Tolerances &tolerances) {
    const double unit = run.initial_energy;
    EXPECT_LE(std::abs(run.record->balance_residual), tolerances.residual * unit) << where(run);
    EXPECT_LE(std::abs(run.drift()), tolerances.drift * unit) << where(run);
  }

  static void expect_row(const SteppedCase &run, const Series &series, std::size_t row,
                         double force, const Tolerances &tolerances) {
    const auto of = [&](const char *column) { return series.at(column)[row]; };
    const auto has = [&](const char *column) { return series.count(column) > 0; };
    const double unit = run.initial_energy;
    EXPECT_TRUE(run.record->changes.empty()) << where(run);
    EXPECT_EQ(run.record->contacts.size(), of("nleap")) << where(run);
    EXPECT_EQ(run.n_closed(), of("nact")) << where(run);
    EXPECT_NEAR(run.state.strain, of("Eel"), tolerances.energy * unit) << where(run);
    EXPECT_NEAR(run.mean_velocity()[1], of("vcy"), tolerances.velocity) << where(run);
    EXPECT_NEAR(run.contact_force(0), of("Fn"), tolerances.force * force) << where(run);
    EXPECT_NEAR(run.smallest_gap(), of("mingap"), tolerances.gap) << where(run);
    EXPECT_NEAR(run.works.contact_normal, 0, tolerances.drift * unit) << where(run);
    if (has("vcx")) {
      EXPECT_NEAR(run.mean_velocity()[0], of("vcx"), tolerances.velocity) << where(run);
    }
    if (has("Ft")) {
      EXPECT_NEAR(run.contact_force(1), of("Ft"), tolerances.force * force) << where(run);
    }
    if (has("Wfric_cum")) {
      EXPECT_NEAR(run.works.contact_tangential, -of("Wfric_cum"), tolerances.energy * unit)
          << where(run);
    }
    // Without friction the series counts neither sticking nor slipping nodes.
    if (has("nslip") && of("nslip") + of("nstick") == of("nact")) {
      EXPECT_EQ(run.n_with_status(ContactStatus::slip), of("nslip")) << where(run);
      EXPECT_EQ(run.n_with_status(ContactStatus::stick), of("nstick")) << where(run);
    }
  }

  static std::string where(const SteppedCase &run) {
    return "step " + std::to_string(run.state.step);
  }
};

} // namespace cases
