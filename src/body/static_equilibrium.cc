#include <percussion/algebra/cholesky.h>
#include <percussion/algebra/difference_product.h>
#include <percussion/base/error.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/static_equilibrium.h>

#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace percussion {
namespace {

double norm(const Vector &x) { return std::sqrt(dot(x, x)); }

/// Forces of steps without motion, f(q, q), and twice their tangent, since both ends of such a step
/// move with q. Corrections iterate the pressures of nearly incompressible cells (CellPressures);
/// as b̂ belongs to the q of the correction, c − b̂ is zero. Forces of linear cells are sums of
/// differences in extended precision: near incompressibility the round-off of K, whose rows add up
/// to zero only nearly, is 1e-7 of the deflection of a slender body.
template <int dim>
class StaticForces {
public:
  StaticForces(const System<dim> &bodies, const std::vector<unsigned int> &free)
      : system(bodies), undivided(Partition::undivided(bodies.n_dofs(), dim)),
        stiffness(bodies.operators.stiffness, undivided, dim),
        factor(bodies.operators.stiffness, free, {},
               free.size() >= Cholesky::metis_threshold ? bodies.elimination_order()
                                                        : std::vector<unsigned int>()),
        force(bodies.n_dofs()), linear_force(bodies.n_dofs()) {
    for (const auto &body : system.elastic)
      for (unsigned int m = 0; m < body->materials.list.size(); ++m)
        if (body->materials.list[m].finite_strain)
          strains.emplace_back(*body, m);
  }

  /// Evaluates the forces at q. Returns false if an element is inverted.
  bool evaluate(const Vector &q) {
    stiffness.multiply(q, force);
    for (FiniteStrain<dim> &material : strains) {
      material.begin_step(q);
      if (!material.evaluate(q, h, force))
        return false;
    }
    return std::isfinite(dot(force, force));
  }

  /// Begins corrections from the pressures at the q last evaluated (CellPressures).
  void begin_pressures() {
    for (FiniteStrain<dim> &material : strains)
      material.begin_pressures();
  }

  /// Factorises the tangent at the q last evaluated. Returns false if it is not positive definite.
  bool factorise(const Vector &q) {
    if (is_factorised && strains.empty())
      return true;
    for (FiniteStrain<dim> &material : strains)
      material.set_volume_rows(q);
    factor.set_values(system.operators.stiffness);
    visit_tangents([&](unsigned int i, unsigned int j, double value) {
      if (const int index = i <= j ? factor.index(i, j) : -1; index >= 0)
        factor.values()[static_cast<unsigned int>(index)] += value;
    });
    is_factorised = factor.factorise();
    return is_factorised;
  }

  /// Computes the correction for this load, and the pressures that it predicts; degrees of freedom
  /// that are not free move by their entries in `change`.
  void correct(const Vector &load, Vector &change) {
    Vector right_side = load;
    right_side -= force;
    if (norm(change) > 0.) {
      multiply(system.operators.stiffness, change, linear_force);
      right_side -= linear_force;
      visit_tangents([&](unsigned int i, unsigned int j, double value) {
        right_side[i] -= value * change[j];
      });
    }
    factor.solve(right_side, change);
    for (FiniteStrain<dim> &material : strains) {
      std::vector<double> pressures;
      material.append_predicted_pressures(2., change, pressures);
      material.set_pressures(pressures.data());
    }
  }

  /// Returns ‖load − f‖ on the free degrees of freedom over the largest term of the balance.
  double imbalance(const Vector &load) const {
    double square = 0;
    for (const unsigned int dof : factor.elimination_order())
      square += std::pow(load[dof] - force[dof], 2);
    const double scale = std::max(norm(load), norm(force));
    return scale > 0. ? std::sqrt(square) / scale : 0.;
  }

private:
  /// Length of steps, infinite so that viscous forces vanish.
  static constexpr double h = std::numeric_limits<double>::infinity();
  /// Calls visit(i, j, value) for the entries of the tangents of cells.
  template <typename Visit>
  void visit_tangents(const Visit &visit) const {
    std::vector<double> tangent;
    for (const FiniteStrain<dim> &material : strains) {
      const unsigned int n = material.dofs_per_group();
      tangent.resize(std::size_t(n) * n);
      for (unsigned int group = 0; group < material.n_groups(); ++group) {
        material.group_tangent_of_corrections(group, h, tangent.data());
        material.add_volume_stiffness(group, tangent.data());
        const unsigned int *const dofs = material.dofs_of_group(group);
        for (unsigned int i = 0; i < n; ++i)
          for (unsigned int j = 0; j < n; ++j)
            visit(dofs[i], dofs[j], tangent[i * n + j] + tangent[j * n + i]);
      }
    }
  }

  const System<dim> &system;
  Partition undivided;
  DifferenceProduct stiffness; ///< K of linear cells
  std::vector<FiniteStrain<dim>> strains;
  Cholesky factor;
  bool is_factorised = false;
  Vector force;
  mutable Vector linear_force;
};

enum class Outcome { equilibrium, inverted, unstable, slow };

/// Finds the equilibrium by Newton's method from q; degrees of freedom that are not free first move
/// by `change`.
template <int dim>
Outcome find_equilibrium(StaticForces<dim> &forces, const Vector &load, Vector change, Vector &q) {
  constexpr unsigned int most_corrections = 25;
  constexpr double tolerance = 1e-12, round_off = 1e-8;
  if (!forces.evaluate(q))
    return Outcome::inverted;
  forces.begin_pressures();
  double last = std::numeric_limits<double>::infinity();
  for (unsigned int correction = 0; correction < most_corrections; ++correction) {
    if (!forces.factorise(q))
      return Outcome::unstable;
    forces.correct(load, change);
    q += change;
    change = 0.;
    if (!forces.evaluate(q))
      return Outcome::inverted;
    const double imbalance = forces.imbalance(load);
    if (imbalance <= tolerance || (imbalance <= round_off && imbalance > 0.5 * last))
      return Outcome::equilibrium;
    last = imbalance;
  }
  return Outcome::slow;
}

[[noreturn]] void report_failure(Outcome outcome, double load_fraction) {
  if (load_fraction == 0. && outcome == Outcome::unstable)
    throw RunError(
        "the stiffness matrix is not positive definite at the start of the preload: a body or a "
        "component of it can move without strain, or its elements are distorted");
  const std::string context =
      " beyond " + std::to_string(100. * load_fraction) + " % of the loads and displacements";
  if (outcome == Outcome::unstable)
    throw RunError("there is no stable equilibrium" + context);
  if (outcome == Outcome::inverted)
    throw RunError("an element is turned inside out" + context);
  throw RunError("the equilibrium was not found" + context);
}

/// Returns the displacements of all degrees of freedom that do not follow from the equilibrium at
/// time t, of prescribed motions, of the preload, and of all rigid bodies.
template <int dim>
std::vector<std::pair<unsigned int, double>>
preload_displacements(const System<dim> &system, const Preload &preload, double t) {
  Vector prescribed = system.zero_field();
  system.motion.set_displacement(t, prescribed);
  std::map<unsigned int, double> displacements;
  for (unsigned int dof = system.n_elastic_dofs(); dof < system.n_dofs(); ++dof)
    displacements[dof] = 0.;
  for (const unsigned int dof : system.motion.dofs())
    displacements[dof] = prescribed[dof];
  for (const auto &[dof, displacement] : preload.displacements)
    displacements[dof] = displacement;
  return {displacements.begin(), displacements.end()};
}

} // namespace

template <int dim>
Vector preload_force(const System<dim> &system, const Preload &preload, double t) {
  Vector force(system.n_dofs());
  if (preload.tractions) {
    system.loads.evaluate(t, force);
    if (!preload.gravity)
      force -= system.loads.gravity_force(t);
  } else if (preload.gravity)
    force = system.loads.gravity_force(t);
  return force;
}

template <int dim>
Vector static_equilibrium(const System<dim> &system, const Preload &preload, double t) {
  const unsigned int n = system.n_dofs();
  Vector q(n), displacement(n);
  std::vector<bool> is_fixed(n, false);
  for (const auto &[dof, value] : preload_displacements(system, preload, t)) {
    is_fixed[dof] = true;
    displacement[dof] = value;
  }
  std::vector<unsigned int> free;
  for (unsigned int dof = 0; dof < system.n_elastic_dofs(); ++dof)
    if (!is_fixed[dof])
      free.push_back(dof);

  constexpr double smallest_increment = 1. / 1024.;
  const Vector load = preload_force(system, preload, t);
  StaticForces<dim> forces(system, free);
  for (double load_fraction = 0, increment = 1; load_fraction < 1;) {
    Vector next = q, change = displacement, partial_load = load;
    change *= increment;
    partial_load *= load_fraction + increment;
    const Outcome outcome = find_equilibrium(forces, partial_load, change, next);
    if (outcome == Outcome::equilibrium) {
      q = next;
      load_fraction += increment;
      continue;
    }
    increment *= 0.5;
    if (increment < smallest_increment)
      report_failure(outcome, load_fraction);
  }
  return q;
}

template <int dim>
BodiesAtRest<dim>::BodiesAtRest(System<dim> &b, const Preload &preload, double t)
    : bodies(b), displacements(preload_displacements(b, preload, t)),
      links(std::exchange(b.links, {})), pressures(std::exchange(b.pressures, {})), loads(b.loads),
      motion(b.motion), is_viscous(std::exchange(b.operators.viscous, false)) {
  SparseMatrix &M = bodies.operators.mass;
  mass = M;
  std::fill_n(M.values().begin(), M.pattern()->start[bodies.n_elastic_dofs()], 0.);
  bodies.loads = Loads<dim>(bodies.zero_field());
  hold(0.);
}

template <int dim>
BodiesAtRest<dim>::~BodiesAtRest() {
  bodies.operators.mass = mass;
  bodies.operators.viscous = is_viscous;
  bodies.motion = std::move(motion);
  bodies.loads = std::move(loads);
  bodies.pressures = std::move(pressures);
  bodies.links = std::move(links);
}

template <int dim>
void BodiesAtRest<dim>::hold(double fraction) {
  auto held = displacements;
  for (auto &[dof, displacement] : held)
    displacement *= dof < bodies.n_elastic_dofs() ? fraction : 1.;
  bodies.motion = PrescribedMotion<dim>(bodies.n_dofs());
  bodies.motion.hold(held);
}

template <int dim>
void BodiesAtRest<dim>::give_inertia() {
  bodies.operators.mass = mass;
}

template class BodiesAtRest<2>;
template class BodiesAtRest<3>;
template Vector preload_force(const System<2> &, const Preload &, double);
template Vector preload_force(const System<3> &, const Preload &, double);
template Vector static_equilibrium(const System<2> &, const Preload &, double);
template Vector static_equilibrium(const System<3> &, const Preload &, double);

} // namespace percussion
