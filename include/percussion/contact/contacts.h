#pragma once

#include <percussion/body/system.h>
#include <percussion/contact/impact_law.h>
#include <percussion/contact/surface.h>

#include <deal.II/base/types.h>

#include <cmath>
#include <map>

namespace percussion {

/// What may touch what, with one law: a region of the elastic body, or rigid bodies, against a
/// rigid surface or against rigid bodies.
template <int dim>
struct ContactPair {
  std::string name;                  ///< as the user calls it
  std::string region;                ///< of the elastic body, whose nodes may touch; or, if empty,
  std::vector<unsigned int> bodies;  ///< rigid bodies whose points may touch
  Surface<dim> surface;              ///< what they touch, unless
  std::vector<unsigned int> against; ///< they touch these rigid bodies
  ImpactLawKind law = ImpactLawKind::newton_coulomb; ///< of all its candidates
  Restitution restitution;                           ///< for the law
  double friction = 0;                               ///< μ
  double gap_tolerance = 0; ///< a gap counts as closed up to this share of the local mesh size
};

/// A point that may touch a surface or a rigid body: a candidate.
template <int dim>
struct ContactPoint {
  static constexpr unsigned int none = dealii::numbers::invalid_unsigned_int;

  unsigned int node = none;           ///< of the elastic body that it is, or
  unsigned int body = none;           ///< rigid body that it belongs to
  unsigned int obstacle = none;       ///< rigid body that it may touch; none: the pair's surface
  unsigned int pair = 0;              ///< contact pair
  std::array<unsigned int, dim> dofs; ///< of its translation, or its body's
  dealii::Point<dim> position;        ///< where it begins
  double area = 0;      ///< tributary area [length^(dim−1) × thickness]; none of a rigid body's
  double tolerance = 0; ///< [length]
  double friction = 0;  ///< 0 where a prescribed motion takes a node its tangential freedom
};

/// The sparse matrix H of the local velocities u = H v: for each contact its rows n, t[, t'].
struct ContactJacobian {
  unsigned int rows_per_contact = 0; ///< the dimension
  std::vector<unsigned int> start;   ///< first entry of each row, and the end
  std::vector<unsigned int> column;  ///< degree of freedom of each entry
  std::vector<double> value;         ///< 1, or a length where the column is a rotation

  /// Number of rows: rows_per_contact for each candidate.
  unsigned int n_rows() const { return static_cast<unsigned int>(start.size()) - 1; }

  /// One entry of H v.
  double row_times(unsigned int row, const double *v) const {
    double sum = 0;
    for (unsigned int k = start[row]; k < start[row + 1]; ++k)
      sum += value[k] * v[column[k]];
    return sum;
  }
};

/// Gaps of all candidates at one time, and what H is made of.
template <int dim>
struct GapState {
  /// Infinite for a vertex of a rigid body that is not near the other, or not one of the two places
  /// where they are nearest; it has no normal then.
  std::vector<double> distance;
  std::vector<dealii::Tensor<1, dim>> normal;
  /// From the centres of the candidate's and of the obstacle's body to the candidate; empty without
  /// rigid bodies.
  std::vector<dealii::Tensor<1, dim>> arm, obstacle_arm;

  /// Whether a candidate has a gap and a normal.
  bool is_near(unsigned int i) const { return std::isfinite(distance[i]); }
  /// Take one candidate as it is in another state.
  void take(unsigned int i, const GapState &other);
};

/// All candidates with what they may touch.
template <int dim>
class Contacts {
public:
  /// Throws InputError where a region has no faces, two contacts speak of the same two bodies, or
  /// there are millions of candidates.
  Contacts(const System<dim> &bodies, std::vector<ContactPair<dim>> pairs);

  /// Number of candidates.
  unsigned int size() const { return static_cast<unsigned int>(points.size()); }

  /// As given.
  std::vector<ContactPair<dim>> pairs;
  /// The candidates, pair by pair.
  std::vector<ContactPoint<dim>> points;
  /// Remarks on candidates that were changed or left out because their motion is prescribed.
  std::vector<std::string> remarks;

  /// Whether H never changes: nodes against flat surfaces only.
  bool constant_frames() const;

  /// Every degree of freedom that some candidate's percussion acts on, in ascending order.
  std::vector<unsigned int> touched_dofs() const;

  /// Gaps of the displaced bodies at time t.
  void evaluate(const Vector &q, double t, GapState<dim> &gaps) const;

  /// H at the gaps' positions: u = H v is the velocity of the candidate relative to the material
  /// point of the other body where it is. A candidate that is not near has empty rows.
  void jacobian(const GapState<dim> &gaps, ContactJacobian &H) const;

  /// Whether a percussion along a row of H can change any motion that is not prescribed.
  bool can_yield(const ContactJacobian &H, unsigned int row) const;

private:
  /// The vertices of two rigid bodies against each other: candidates from `first_candidate`, those
  /// of the first body and then those of the second.
  struct BodyPair {
    unsigned int pair, first_candidate;
  };

  void add_nodes(unsigned int pair);
  void add_points_of_bodies(unsigned int pair);
  void add_body_pairs(unsigned int pair);
  ContactPoint<dim> point_of_body(unsigned int pair, unsigned int body, unsigned int obstacle,
                                  const dealii::Point<dim> &position) const;
  bool is_held(unsigned int body) const;
  void refuse_too_many(const ContactPair<dim> &pair) const;
  double size_of(unsigned int dof) const;
  void evaluate_body_pairs(const std::vector<RigidPose> &poses,
                           const std::vector<Outline> &outlines, GapState<dim> &gaps) const;

  const System<dim> &system;
  std::map<std::pair<unsigned int, unsigned int>, BodyPair> body_pairs; ///< (a, b) with a < b
  std::vector<double> sizes;   ///< largest distance of two vertices of each rigid body
  std::vector<double> margins; ///< of the broad phase, for each rigid body
};

} // namespace percussion
