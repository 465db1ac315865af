#include "indefinite_matrix.h"

#include <percussion/body/bracketed_point.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace percussion {

template <int dim>
std::string name_of_body(const System<dim> &system, const ElasticBody<dim> &body) {
  return system.elastic.size() == 1 ? std::string("the elastic body")
                                    : "body '" + body.space.mesh.name() + "'";
}

namespace {

/// Returns a description of a material constant that makes stiffness or mass indefinite; empty if
/// there is none.
template <int dim>
std::string unfit_constant(const Material<dim> &material, bool has_inertia) {
  const double mu = material.elastic.mu, bulk = material.elastic.lambda + 2. * mu / dim;
  std::ostringstream text;
  if (has_inertia && !(material.density > 0. && std::isfinite(material.density)))
    text << "the density is " << material.density;
  else if (!(mu > 0. && std::isfinite(mu)))
    text << "the shear modulus is " << mu;
  else if (!(bulk > 0. && std::isfinite(bulk)))
    text << "the bulk modulus is " << bulk << ": Poisson's ratio is out of its range";
  return text.str();
}

/// Properties of the diagonal entries of the mass and of h² k K / m over the nodes of a body.
struct Diagonal {
  double largest_ratio = 0; ///< largest ratio of stiffness to mass, over nodes with mass
  unsigned int n_massless = 0;
  unsigned int first_massless = 0, not_finite = 0; ///< indices of nodes
  bool is_finite = true;
};

template <int dim>
Diagonal diagonal_of(const System<dim> &system, const ElasticBody<dim> &body, double factor) {
  Diagonal diagonal;
  for (unsigned int i = 0; i < body.space.n_nodes(); ++i) {
    const unsigned int dof = body.space.node_dofs[i][0];
    const double mass = system.operators.mass(dof, dof);
    const double stiffness = factor * system.operators.stiffness(dof, dof);
    if (!std::isfinite(mass + stiffness)) {
      diagonal.is_finite = false;
      diagonal.not_finite = i;
    } else if (mass == 0.) {
      if (diagonal.n_massless++ == 0)
        diagonal.first_massless = i;
    } else
      diagonal.largest_ratio = std::max(diagonal.largest_ratio, stiffness / mass);
  }
  return diagonal;
}

} // namespace

template <int dim>
std::string cause_of_indefinite_matrix(const System<dim> &system, const BalanceChoices &choices,
                                       const TimeRule &rule) {
  const double h = choices.h;
  constexpr double round_off_ratio = 0.1;
  std::ostringstream cause;
  for (const auto &body : system.elastic)
    for (std::size_t m = 0; m < body->materials.list.size(); ++m)
      if (const std::string reason = unfit_constant(body->materials.list[m], choices.has_inertia);
          !reason.empty()) {
        cause << "of material " << m + 1 << " of " << name_of_body(system, *body) << ' ' << reason;
        return cause.str();
      }
  for (const auto &body : system.elastic) {
    const auto diagonal =
        diagonal_of(system, *body, h * h * rule.percussion_factor * rule.internal);
    const auto &nodes = body->space.nodes;
    if (!diagonal.is_finite)
      cause << "of " << name_of_body(system, *body) << " the entry of the node at "
            << bracketed_point(nodes[diagonal.not_finite]) << " is not a finite number";
    else if (diagonal.largest_ratio * std::numeric_limits<double>::epsilon() > round_off_ratio)
      cause << "in a step of " << h << " the stiffness of " << name_of_body(system, *body)
            << " times the square of the step is " << diagonal.largest_ratio
            << " times its mass: round-off of the stiffness exceeds the mass, and the supports "
               "leave a rigid motion free. Take a smaller Time/Step, or support the body";
    else if (!choices.has_inertia)
      cause << "the supports leave a rigid motion of " << name_of_body(system, *body)
            << " free, or its elements are distorted";
    else if (diagonal.n_massless > 0)
      cause << "of " << name_of_body(system, *body) << ' ' << diagonal.n_massless
            << " nodes have no mass, the first at "
            << bracketed_point(nodes[diagonal.first_massless])
            << ", and some of them can move freely: name a smaller contact region, or take "
               "Contact/Node inertia = consistent";
    if (!cause.str().empty())
      return cause.str();
  }
  return "its constants are in their ranges, its entries are finite and all nodes have mass: the "
         "elements may be distorted to round-off";
}

template std::string name_of_body(const System<2> &, const ElasticBody<2> &);
template std::string name_of_body(const System<3> &, const ElasticBody<3> &);
template std::string cause_of_indefinite_matrix(const System<2> &, const BalanceChoices &,
                                                const TimeRule &);
template std::string cause_of_indefinite_matrix(const System<3> &, const BalanceChoices &,
                                                const TimeRule &);

} // namespace percussion
