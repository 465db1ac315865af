#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/base/expression.h>

#include <deal.II/base/point.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace percussion {

/// Prescribed displacements (including rotations) and velocities of single degrees of freedom.
///
/// A step sets the mean velocity v_θ of a prescribed degree of freedom; the rest follows from the
/// kinematics, q1 = q0 + h v_θ and v1 by the rule of integration, so that the energy balance holds
/// for prescribed and free degrees of freedom alike:
///
///     displacement D(t):  v_θ = (D(t1) − q0)/h, which makes q1 = D(t1) exactly;
///     velocity V(t):      v_θ = (1−θ) V(t0) + θ V(t1).
///
/// With the θ-rule and with average acceleration (θ = ½), v1 = v0 + (v_θ − v0)/θ, so that a
/// prescribed velocity makes v1 = V(t1). The generalized-α rule has another v1 (TimeRule); with
/// half steps, and for degrees of freedom without mass, v1 = v_θ.
template <int dim>
class PrescribedMotion {
public:
  /// Quantity given by a formula: D(t) [length or rad] or V(t) [the same per time].
  enum class Kind { displacement, velocity };

  /// Creates an object for n degrees of freedom, none of which is prescribed yet.
  explicit PrescribedMotion(unsigned int n_dofs) : owner(n_dofs, -1) {}

  /// Prescribes degrees of freedom by a formula of time and of their (undeformed) positions. Throws
  /// InputError if one is already prescribed by another formula; it names both owners (regions or
  /// bodies) and the component.
  void add(const std::string &owner_name, const std::string &component,
           const std::vector<unsigned int> &dofs, const std::vector<dealii::Point<dim>> &positions,
           Kind kind, const Expression &formula);

  /// Prescribes constant displacements of degrees of freedom, none of which is prescribed yet:
  /// the pairs are a degree of freedom and its displacement.
  void hold(const std::vector<std::pair<unsigned int, double>> &displacements);

  /// True if no degree of freedom is prescribed.
  bool empty() const { return prescribed.empty(); }
  /// Returns the number of prescribed degrees of freedom.
  std::size_t n_dofs() const { return prescribed.size(); }
  /// Returns the prescribed degrees of freedom.
  const std::vector<unsigned int> &dofs() const { return prescribed; }
  /// Returns true if a degree of freedom is prescribed.
  bool is_prescribed(unsigned int dof) const { return owner[dof] >= 0; }

  /// Returns true if a prescribed degree of freedom never moves.
  bool is_at_rest(unsigned int dof) const;
  /// Returns true if no prescribed degree of freedom ever moves.
  bool is_at_rest() const;

  /// Returns true if two vectors agree on all prescribed degrees of freedom.
  bool agree(const Vector &a, const Vector &b) const {
    return std::all_of(prescribed.begin(), prescribed.end(),
                       [&](unsigned int dof) { return a[dof] == b[dof]; });
  }

  /// Writes D(t) into q on degrees of freedom with prescribed displacement.
  void set_displacement(double t, Vector &q) const;

  /// Writes the initial velocity of the motion: V(t0), or the slope of a parabola through the first
  /// three values of D. A later kink of D causes an oscillation of the velocity, undamped at θ = ½.
  void set_initial_velocity(double t0, double h, Vector &v) const;

  /// Returns the initial acceleration of each entry of dofs(): the curvature of a parabola through
  /// the first three values of D, or the slope of a parabola through three values of V.
  std::vector<double> initial_acceleration(double t0, double h) const;

  /// Computes v_θ of each entry of dofs() for the step of length h from t0 to t1.
  void theta_velocity(double t0, double t1, double h, double theta, const Vector &q0,
                      std::vector<double> &v_theta) const;

private:
  struct Condition {
    std::string owner;
    Kind kind;
    Expression formula;
    std::vector<unsigned int> dofs;
    std::vector<dealii::Point<dim>> positions;
    /// Constant displacements of the degrees of freedom, which replace the formula; may be empty.
    std::vector<double> constants;
  };

  std::vector<Condition> conditions;
  std::vector<int> owner; ///< index of the condition on each degree of freedom, −1 for none
  std::vector<unsigned int> prescribed;
};

} // namespace percussion
