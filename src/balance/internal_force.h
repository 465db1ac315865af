#pragma once

#include <percussion/algebra/difference_product.h>
#include <percussion/balance/choices.h>
#include <percussion/balance/failure.h>
#include <percussion/balance/iterate.h>
#include <percussion/balance/works.h>
#include <percussion/body/finite_strain.h>
#include <percussion/body/link_forces.h>

#include "follower_pressures.h"
#include <algorithm>
#include <optional>

namespace percussion {

/// Pressures of all groups with CellPressures in the corrections of an interval; empty without
/// them.
struct PressureUnknowns {
  Vector lag;                        ///< force (p̄ − p) (c − b̂)
  std::vector<double> last, next;    ///< p before and after the last correction [stress]
  std::vector<double> configuration; ///< see MomentumMemory::configuration_of_rows
};

/// Stiffness K of linear cells. Their displacements enter without rigid motion, and by differences:
/// both would leave round-off in the energy, as in a long bar whose ends move apart.
template <int dim>
class LinearCells {
public:
  /// Stores a reference to the bodies, which must outlive this object. Collective.
  explicit LinearCells(const System<dim> &b) : bodies(b), deformation(b.n_dofs()) {
    if (b.operators.linear)
      stiffness.emplace(b.operators.stiffness, b.operators.partition, dim);
  }

  /// Computes K q; returns twice the energy. Collective.
  double multiply(const Vector &q, Vector &Kq) {
    bodies.deformation(q, deformation);
    return stiffness->template multiply<double>(deformation, Kq);
  }

private:
  const System<dim> &bodies;
  std::optional<DifferenceProduct> stiffness; ///< none without linear cells
  Vector deformation;
};

/// Internal force of bodies with hyperelastic cells or links over an interval: the
/// discrete-gradient stress in hyperelastic cells (BBDM24 (3.2)–(3.5)), K q_θ and C v_θ in linear
/// cells, links, and pressures that follow the bodies. Without inertia (StepChoices::has_inertia)
/// stresses follow from q1, not from the discrete gradient, which would alternate about the
/// equilibrium from step to step.
///
/// Processes share the hyperelastic cells; each receives the whole force.
template <int dim>
struct InternalForce {
  /// Stores references, which must outlive this object.
  InternalForce(const System<dim> &b, const BalanceChoices &c)
      : bodies(b), choices(c), partition(b.n_elastic_dofs(), dim), links(b), pressures(b),
        linear_cells(b) {
    for (unsigned int i = 0; i < b.elastic.size(); ++i)
      for (unsigned int m = 0; m < b.elastic[i]->materials.list.size(); ++m)
        if (b.elastic[i]->materials.list[m].finite_strain) {
          strains.emplace_back(*b.elastic[i], m, partition);
          locations.push_back({i, m});
          if (!c.has_inertia)
            strains.back().take_end_stress();
        }
    for (Vector *work : {&q1, &Kq1, &viscous_force, &force})
      work->reinit(b.n_dofs());
    if (has_pressures())
      pressure_unknowns.lag.reinit(b.n_dofs());
  }

  /// True if cells have pressures that corrections iterate (CellPressures).
  bool has_pressures() const {
    return std::any_of(strains.begin(), strains.end(),
                       [](const auto &material) { return material.has_pressure_unknowns(); });
  }

  /// Begins an interval, with the loads (1−f) p(t0) + f p(t1).
  void begin(const Iterate &iterate, double f) {
    for (std::size_t i = 0; i < strains.size(); ++i) {
      strains[i].begin_step(iterate.start->q);
      strains[i].set_history(history(*iterate.start, i));
    }
    pressures.begin(iterate.interval, f);
    joint_impulse.assign(links.n_impulses(), 0.);
    if (links.empty())
      return;
    links.begin_step(iterate.start->q, iterate.start->link_turns,
                     {iterate.interval.t0, iterate.interval.t1, choices.theta});
    links.begin_bounds(iterate.start->v, iterate.interval.h, iterate.start->bound_memory);
  }

  /// Computes the force at v_θ. Fails if the interval inverts an element. Collective.
  [[nodiscard]] std::optional<Failure> evaluate(const Iterate &iterate) {
    const double h = iterate.interval.h, theta = choices.theta;
    const double *const v = iterate.v_theta.data(), *const q0 = iterate.start->q.data();
    for (unsigned int i = 0; i < q1.size(); ++i)
      q1[i] = q0[i] + h * v[i];
    if (dim == 3 && !links.empty()) { // attitudes
      std::copy(q0 + bodies.n_elastic_dofs(), q0 + q1.size(), q1.data() + bodies.n_elastic_dofs());
      bodies.move_rigid(h, v + bodies.n_elastic_dofs(), q1.data() + bodies.n_elastic_dofs());
    }
    force = 0.;
    if (has_pressures())
      pressure_unknowns.lag = 0.;
    if (is_inside_out = !evaluate_cells(h); is_inside_out)
      return Failure{"a correction of the velocities turns an element inside out", true};
    if (!pressures.empty()) {
      pressures.evaluate(initial(iterate), q1);
      force -= pressures.force();
    }
    if (!links.empty())
      links.evaluate(q1, h, joint_impulse, force);
    if (bodies.operators.linear) {
      linear_cells.multiply(q1, Kq1);
      force.add(1. - theta, iterate.start->Kq, theta, Kq1);
    }
    if (bodies.operators.viscous) {
      multiply(bodies.operators.viscosity, bodies.operators.partition, iterate.v_theta,
               viscous_force);
      force.add(1., viscous_force);
    }
    return {};
  }

  /// Adds the forces of hyperelastic cells at q1. Returns false if an element is inverted.
  bool evaluate_cells(double h) {
    bool is_inverted = false;
    for (auto material = strains.begin(); material != strains.end() && !is_inverted; ++material) {
      if (!choices.has_inertia)
        material->begin_step(q1);
      is_inverted = !material->evaluate(q1, h, force, pressure_unknowns.lag);
    }
    if (strains.empty() || partition.any(is_inverted))
      return strains.empty();
    partition.gather(force.data());
    if (has_pressures())
      partition.gather(pressure_unknowns.lag.data());
    return true;
  }

  /// Begins the corrections from the pressures of the step evaluated last.
  void begin_pressures() {
    for (FiniteStrain<dim> &material : strains)
      material.begin_pressures();
    if (has_pressures())
      pressure_unknowns.lag = 0.;
    pressure_unknowns.last.clear();
  }
  /// Returns the pressures of all groups that the correction δ of v_θ predicts.
  std::vector<double> predicted_pressures(const Iterate &iterate, const Vector &delta) const {
    std::vector<double> predicted;
    const double factor = (choices.has_inertia ? 1. : 2.) * iterate.interval.h;
    for (const FiniteStrain<dim> &material : strains)
      material.append_predicted_pressures(factor, delta, predicted);
    return predicted;
  }
  /// Sets the pressures of all groups after a correction.
  void set_pressures(std::vector<double> values) {
    pressure_unknowns.last.clear();
    for (const FiniteStrain<dim> &material : strains)
      material.append_pressures(pressure_unknowns.last);
    pressure_unknowns.next = std::move(values);
    take_pressures(1.);
  }
  /// Takes only a fraction of the change of pressures in the last correction.
  void take_pressures(double fraction) {
    if (pressure_unknowns.last.empty())
      return;
    std::vector<double> values = pressure_unknowns.last;
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] += fraction * (pressure_unknowns.next[i] - pressure_unknowns.last[i]);
    const double *first = values.data();
    for (FiniteStrain<dim> &material : strains)
      first = material.set_pressures(first);
  }
  /// Computes the volume rows of Â at the displacements q.
  void set_volume_rows(const Vector &q) {
    for (FiniteStrain<dim> &material : strains)
      material.set_volume_rows(q);
  }
  /// Returns the middle of the displacements of the interval.
  Vector middle(const Iterate &iterate) const {
    Vector q = initial(iterate);
    q.sadd(0.5, 0.5, q1);
    return q;
  }

  /// Returns the displacements from which stresses and pressures of the interval start.
  const Vector &initial(const Iterate &iterate) const {
    return choices.has_inertia ? iterate.start->q : q1;
  }

  /// Returns the history of the cells of `strains[i]`, which is empty for virgin ones.
  const std::vector<double> &history(const BodyState &state, std::size_t i) const {
    static const std::vector<double> virgin;
    const auto [body, material] = locations[i];
    return state.material_history.empty() ? virgin : state.material_history[body][material];
  }

  /// Writes the histories at the end of the interval. Collective.
  void write_history(BodyState &state) const {
    if (std::none_of(strains.begin(), strains.end(), [](const auto &m) { return m.has_memory(); }))
      return;
    state.material_history.resize(bodies.elastic.size());
    for (std::size_t body = 0; body < bodies.elastic.size(); ++body)
      state.material_history[body].resize(bodies.elastic[body]->materials.list.size());
    for (std::size_t i = 0; i < strains.size(); ++i)
      strains[i].write_history(state.material_history[locations[i].body][locations[i].material]);
  }

  /// Returns the loss of hyperelastic cells: viscous, and plastic. Collective.
  double loss() const {
    double sum = 0;
    for (const FiniteStrain<dim> &material : strains)
      sum += material.dissipation() + material.plastic_loss();
    return sum;
  }

  /// Returns the strain energy of a state, and computes K q of linear cells. Collective.
  double strain_energy(BodyState &state) {
    double energy = 0;
    for (std::size_t i = 0; i < strains.size(); ++i)
      energy += strains[i].strain_energy(state.q, history(state, i));
    if (!links.empty())
      energy += links.energy(state.q, state.link_turns);
    if (!bodies.operators.linear)
      return energy;
    return energy + 0.5 * linear_cells.multiply(state.q, state.Kq);
  }

  /// Adds the works of loads, viscosity and links in the interval. Collective.
  void add_works(const Iterate &iterate, Works &works) const {
    const double h = iterate.interval.h;
    works.external += h * dot(iterate.v_theta, *iterate.force_theta);
    for (const FiniteStrain<dim> &material : strains) {
      works.viscous -= material.dissipation();
      works.plastic -= material.plastic_loss();
    }
    if (!links.empty()) {
      works.viscous -= links.dissipation();
      works.external += links.work_of_motors();
      works.prescribed += links.work_of_motions();
      const BoundWorks bounds = links.bound_works(iterate.v_theta);
      works.contact_normal += bounds.limits;
      works.contact_tangential += bounds.friction;
    }
    if (bodies.operators.viscous)
      works.viscous -= h * dot(iterate.v_theta, viscous_force);
    if (!pressures.empty())
      works.external += h * dot(iterate.v_theta, pressures.force());
  }

  /// Returns the force without pressures and viscosity of linear cells.
  Vector elastic_force() const {
    Vector elastic = force;
    elastic += pressures.force();
    if (bodies.operators.viscous)
      elastic -= viscous_force;
    return elastic;
  }

  const System<dim> &bodies;
  const BalanceChoices &choices;
  Partition partition;                    ///< ranges on which the cells of each process act
  std::vector<FiniteStrain<dim>> strains; ///< strains of each hyperelastic material, body by body
  /// Elastic body and entry of its list of materials of each of `strains`.
  struct Location {
    unsigned int body, material;
  };
  std::vector<Location> locations;
  LinkForces<dim> links;
  std::vector<double> joint_impulse; ///< impulses Λ of the joints [impulse]
  FollowerPressures<dim> pressures;
  PressureUnknowns pressure_unknowns;
  LinearCells<dim> linear_cells;
  Vector q1, Kq1;              ///< displacements at the end, and K times them
  Vector viscous_force, force; ///< C v_θ, and the sum of all forces
  bool is_inside_out = false;  ///< true if the last v_θ inverts an element
};

} // namespace percussion
