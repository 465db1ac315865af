// Bodies that bonds and ties join, seen in the rows of their contacts.

#pragma once

#include <percussion/base/linear_system.h>

#include <optional>
#include <vector>

namespace percussion {

/// Joint of dim successive rows of a contact: percussions −S u of a bond, or the percussions of a
/// tie that give its rows their velocities.
struct Joint {
  std::size_t row;       ///< first row
  bool is_tie;           ///< true if the velocities are given
  std::vector<double> S; ///< dim × dim, row by row; zero for a tie [impulse / velocity]
};

/// Response of joined bodies. Without joints, percussions p give the velocities x + W p; with
/// joints, u = x − W S u + W λ with the percussions λ of ties. Only rows of joints are unknowns: u
/// of bonds and λ of ties.
class JoinedBodies {
public:
  /// Factorises the equations of the joints; W is dense, row by row. Returns none if they are
  /// singular.
  static std::optional<JoinedBodies> make(const std::vector<double> &W, unsigned int dim,
                                          std::vector<Joint> joints);

  /// Replaces velocities without joints by velocities with joints, if the rows of ties have the
  /// velocities `tie_velocities`, which has all rows. Adds the percussions of ties to `ties`.
  /// Returns false if the result is not finite.
  bool join(const std::vector<double> &tie_velocities, std::vector<double> &u,
            std::vector<double> &ties) const;
  /// Returns the symmetric W of the joined bodies; empty if it is not finite or if a percussion
  /// would move its contact backward.
  std::vector<double> joined_W(const std::vector<double> &W) const;

private:
  unsigned int dim = 0;
  std::size_t n_rows = 0;
  std::vector<Joint> joints;
  std::vector<bool> is_immovable; ///< unknowns on which percussions have no effect
  std::vector<double> columns;    ///< W S, for ties −W, column by column of the unknowns
  std::vector<double> compliance; ///< added to the diagonal if ties are redundant; else empty
  LinearSystem equations;

  std::size_t n_unknowns() const { return dim * joints.size(); }
  std::size_t row(std::size_t unknown) const { return joints[unknown / dim].row + unknown % dim; }
  bool is_tie(std::size_t unknown) const { return joints[unknown / dim].is_tie; }
  bool factorise(const std::vector<double> &W, double tie_compliance);
  bool solve(std::vector<double> &unknowns) const;
};

} // namespace percussion
