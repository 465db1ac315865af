#pragma once

#include <percussion/algebra/types.h>
#include <percussion/base/expression.h>
#include <percussion/body/elastic_body.h>

#include <deal.II/base/tensor.h>

namespace percussion {

/// ∫ N_i dS × thickness over the faces of a region for each degree of freedom of one component: the
/// nodal forces of a unit traction, and the tributary area of each node. Entry i belongs to the
/// degree of freedom body.space.first_dof + i.
template <int dim>
std::vector<double> unit_traction(const ElasticBody<dim> &body, const Region &region,
                                  unsigned int component);

/// The external force F(t): gravity, tractions, and forces on single degrees of freedom.
template <int dim>
class Loads {
public:
  /// The weight [force] is over all degrees of freedom.
  explicit Loads(Vector weight);

  /// A component of gravity that changes in time [length / time²]; `unit_weight` is the force of a
  /// unit of it, over all degrees of freedom.
  void add_gravity(Vector unit_weight, Expression acceleration);

  /// A force [force] or moment [force × length] on one degree of freedom of a rigid body.
  void add_force(unsigned int dof, Expression force);

  /// A traction [stress] on a region of an elastic body in the direction of one component.
  void add_traction(const ElasticBody<dim> &body, const Region &region, unsigned int component,
                    Expression traction);

  /// F(t) [force] over all degrees of freedom.
  void evaluate(double t, Vector &force) const;

  /// Whether any load does; otherwise F(t) has to be evaluated only once.
  bool depend_on_time() const;

  /// Gravity only, at time t.
  Vector gravity_force(double t) const;

private:
  /// A point of a face at which the formula is evaluated, with the shares of the nodes of the face.
  struct SurfacePoint {
    dealii::Point<dim> position;
    std::vector<std::pair<unsigned int, double>> share; ///< degree of freedom, N_i JxW thickness
  };
  struct Traction {
    Expression formula;
    unsigned int first_dof;           ///< of the body
    std::vector<double> unit_force;   ///< for a traction uniform over the region
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

  Vector weight; ///< the constant part
  std::vector<Gravity> gravity;
  std::vector<Force> forces;
  std::vector<Traction> tractions;
};

} // namespace percussion
