#pragma once

#include <percussion/cone/problem.h>

namespace percussion {

/// Problems of some contacts of a 3D problem whose bodies are known. The percussions of all other
/// contacts are constant.
class Subproblems {
public:
  using Numbers = std::vector<std::size_t>;

  explicit Subproblems(const FrictionContactProblem &full_problem);

  /// Returns the problem of these contacts, with velocities divided by `unit`; `velocity` has the
  /// velocities of all contacts without the percussions of these.
  FrictionContactProblem of(const Numbers &contacts, const std::vector<double> &velocity,
                            double unit);

private:
  void append_bodies(std::size_t i, FrictionContactProblem &subproblem);

  const FrictionContactProblem &full;
  Numbers contact_index, body_index; ///< indices in the problem that is made
};

/// Returns the selected contacts, ascending, in groups that have no body in common. Each of them
/// acts on a body.
std::vector<Subproblems::Numbers> groups_of(const ContactingBodies &bodies,
                                            const std::vector<char> &is_selected);

/// Returns the largest velocity of these contacts, or one if all are zero.
double largest_velocity(const Subproblems::Numbers &contacts, const std::vector<double> &velocity);

} // namespace percussion
