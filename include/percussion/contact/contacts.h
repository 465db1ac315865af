#pragma once

#include <percussion/body/elastic_body.h>
#include <percussion/contact/impact_law.h>
#include <percussion/contact/surface.h>

namespace percussion {

/// A region of a body against a rigid surface, with one law.
template <int dim>
struct ContactPair {
  std::string name;
  std::string region;
  Surface<dim> surface;
  ImpactLawKind law = ImpactLawKind::newton_coulomb;
  Restitution restitution;
  double friction = 0;      ///< μ
  double gap_tolerance = 0; ///< a gap counts as closed up to this share of the local mesh size
};

/// A node that may touch a surface: a candidate.
template <int dim>
struct ContactPoint {
  unsigned int node;
  unsigned int pair;
  std::array<unsigned int, dim> dofs;
  dealii::Point<dim> position; ///< undeformed
  double area;                 ///< tributary area [length^(dim−1) × thickness]
  double tolerance;            ///< [length]
  double friction;             ///< 0 where a prescribed motion takes the tangential freedom
  std::array<bool, dim> free;  ///< whether a component's motion is not prescribed
};

/// The sparse matrix H of the local velocities u = H v: for each contact its rows n, t[, t'].
struct ContactJacobian {
  unsigned int rows_per_contact = 0;
  std::vector<unsigned int> start; ///< first entry of each row, and the end
  std::vector<unsigned int> column;
  std::vector<double> value;

  unsigned int n_rows() const { return static_cast<unsigned int>(start.size()) - 1; }

  /// One entry of H v.
  double row_times(unsigned int row, const double *v) const {
    double sum = 0;
    for (unsigned int k = start[row]; k < start[row + 1]; ++k)
      sum += value[k] * v[column[k]];
    return sum;
  }
};

/// Gaps of all candidates at one time, with their normals.
template <int dim>
struct GapState {
  std::vector<double> distance;
  std::vector<dealii::Tensor<1, dim>> normal;
};

/// All candidates of a body with the surfaces that they may touch.
template <int dim>
class Contacts {
public:
  Contacts(const ElasticBody<dim> &body, std::vector<ContactPair<dim>> pairs);

  unsigned int size() const { return static_cast<unsigned int>(points.size()); }

  std::vector<ContactPair<dim>> pairs;
  std::vector<ContactPoint<dim>> points;
  /// Remarks on candidates that were changed or left out because their motion is prescribed.
  std::vector<std::string> remarks;

  /// Whether H never changes: every surface is flat.
  bool constant_frames() const;

  /// Gaps of the displaced nodes at time t.
  void evaluate(const Vector &q, double t, GapState<dim> &gaps) const;

  /// Whether a percussion along this normal can change the motion of a candidate at all.
  bool can_yield(unsigned int i, const dealii::Tensor<1, dim> &normal) const;

  /// Gap of one candidate displaced by q + h v.
  double predicted_gap(unsigned int i, const Vector &q, const Vector &v, double h, double t) const;

  /// H for the given normals.
  void jacobian(const GapState<dim> &gaps, ContactJacobian &H) const;

private:
  void add_candidates(const ElasticBody<dim> &body, unsigned int pair);
};

} // namespace percussion
