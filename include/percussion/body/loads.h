#pragma once

#include <percussion/algebra/vector.h>
#include <percussion/base/expression.h>

#include <deal.II/base/tensor.h>

namespace percussion {

template <int dim>
class ElasticBody;
struct Region;

/// Returns ∫ N_i dS × out-of-plane size over the faces of a region for each degree of freedom of
/// one component: the nodal forces of a unit traction. Entry i belongs to the degree of freedom
/// body.space.first_dof + i.
template <int dim>
std::vector<double> unit_traction(const ElasticBody<dim> &body, const Region &region,
                                  unsigned int component);

/// Returns the tributary area of each node of a body's mesh on a region [length^(dim−1) ×
/// thickness]: the sum over its faces of ∫ N_i dS × out-of-plane size.
template <int dim>
std::vector<double> tributary_areas(const ElasticBody<dim> &body, const Region &region);

/// External force F(t): gravity, tractions, and forces on single degrees of freedom.
template <int dim>
class Loads {
public:
  /// Takes the constant weight [force] over all degrees of freedom.
  explicit Loads(Vector weight);

  /// Adds a component of gravity that changes in time [length / time²]; `unit_weight` is the force
  /// of a unit of it, over all degrees of freedom.
  void add_gravity(Vector unit_weight, Expression acceleration);

  /// Adds a force [force] or moment [force × length] on one degree of freedom of a rigid body.
  void add_force(unsigned int dof, Expression force);

  /// Adds a traction [stress] on a region of an elastic body in the direction of one component.
  void add_traction(const ElasticBody<dim> &body, const Region &region, unsigned int component,
                    Expression traction);

  /// Computes F(t) [force] over all degrees of freedom.
  void evaluate(double t, Vector &force) const;

  /// Returns true if any load depends on time; otherwise one evaluation of F(t) suffices.
  bool depend_on_time() const;

  /// Returns the force of gravity at time t.
  Vector gravity_force(double t) const;

private:
  /// Point of a face at which the formula is evaluated, with the shape values of the nodes of the
  /// face.
  struct SurfacePoint {
    dealii::Point<dim> position;
    std::vector<std::pair<unsigned int, double>>
        weights; ///< degree of freedom, N_i JxW × out-of-plane size
  };
  struct Traction {
    Expression formula;
    /// Degrees of freedom and nonzero nodal forces of a unit traction, if it is uniform.
    std::vector<std::pair<unsigned int, double>> unit_force;
    std::vector<SurfacePoint> points; ///< otherwise
  };

  struct Gravity {
    Vector unit_weight;
    Expression acceleration;
  };
  struct Force {
    unsigned int dof;
    Expression formula;
  };

  Vector weight; ///< constant force
  std::vector<Gravity> gravity;
  std::vector<Force> forces;
  std::vector<Traction> tractions;
};

} // namespace percussion
