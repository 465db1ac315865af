#include <percussion/base/instantiate.h>
#include <percussion/body/elastic_body.h>
#include <percussion/body/loads.h>

#include <deal.II/fe/fe_values.h>

#include "cell_point.h"
#include <functional>

namespace percussion {
namespace {

/// Visits all quadrature points of the faces of a region, with position and shape values of the
/// nodes.
template <int dim>
void for_each_surface_point(
    const ElasticBody<dim> &body, const Region &region, unsigned int component,
    const std::function<void(const dealii::Point<dim> &,
                             std::vector<std::pair<unsigned int, double>> &&)> &visit) {
  const Space<dim> &space = body.space;
  const auto face_kind = space.element.reference_cell().face_reference_cell(0);
  const dealii::Quadrature<dim - 1> quadrature =
      dim == 2 ? space.face_quadrature
               : face_kind.template get_gauss_type_quadrature<dim - 1>(space.mesh.order + 1);
  dealii::FEFaceValues<dim> values(*space.mapping, space.element, quadrature,
                                   dealii::update_values | dealii::update_quadrature_points |
                                       dealii::update_JxW_values);
  const unsigned int n = space.nodes_per_cell();
  std::vector<double> shape(n);
  std::vector<typename dealii::DoFHandler<dim>::active_cell_iterator> cells;
  for (const auto &cell : space.dofs.active_cell_iterators())
    cells.push_back(cell);
  for (const CellFace &face : region.faces) {
    values.reinit(cells[face.cell], face.face);
    const Material<dim> &material = body.materials.material(face.cell);
    for (const unsigned int q : values.quadrature_point_indices()) {
      std::vector<std::pair<unsigned int, double>> weights;
      for (unsigned int k = 0; k < n; ++k)
        shape[k] = values.shape_value(space.element.component_to_system_index(component, k), q);
      space.join_linear_middles(face.cell, shape);
      for (unsigned int k = 0; k < n; ++k)
        if (space.element.has_support_on_face(space.element.component_to_system_index(component, k),
                                              face.face) &&
            !space.is_linear_middle(face.cell, k))
          weights.emplace_back(space.node_dofs[space.nodes_of(face.cell)[k]][component],
                               shape[k] * point_volume(values, material, q));
      visit(values.quadrature_point(q), std::move(weights));
    }
  }
}

} // namespace

template <int dim>
std::vector<double> unit_traction(const ElasticBody<dim> &body, const Region &region,
                                  unsigned int component) {
  std::vector<double> force(body.n_dofs(), 0.);
  for_each_surface_point<dim>(body, region, component, [&](const auto &, auto &&weights) {
    for (const auto &[dof, weight] : weights)
      force[dof - body.space.first_dof] += weight;
  });
  return force;
}

template <int dim>
std::vector<double> tributary_areas(const ElasticBody<dim> &body, const Region &region) {
  const std::vector<double> force = unit_traction(body, region, 0);
  std::vector<double> areas;
  for (const auto &dofs : body.space.node_dofs)
    areas.push_back(force[dofs[0] - body.space.first_dof]);
  return areas;
}

template <int dim>
Loads<dim>::Loads(Vector w) : weight(std::move(w)) {}

template <int dim>
void Loads<dim>::add_traction(const ElasticBody<dim> &body, const Region &region,
                              unsigned int component, Expression formula) {
  Traction traction{std::move(formula), {}, {}};
  if (traction.formula.depends_on_position())
    for_each_surface_point<dim>(
        body, region, component, [&](const dealii::Point<dim> &x, auto &&weights) {
          traction.points.push_back({x, std::forward<decltype(weights)>(weights)});
        });
  else {
    const std::vector<double> force = unit_traction(body, region, component);
    for (unsigned int i = 0; i < force.size(); ++i)
      if (force[i] != 0.)
        traction.unit_force.emplace_back(body.space.first_dof + i, force[i]);
  }
  tractions.push_back(std::move(traction));
}

template <int dim>
void Loads<dim>::add_gravity(Vector unit_weight, Expression acceleration) {
  gravity.push_back({std::move(unit_weight), std::move(acceleration)});
}

template <int dim>
void Loads<dim>::add_force(unsigned int dof, Expression force) {
  forces.push_back({dof, std::move(force)});
}

template <int dim>
Vector Loads<dim>::gravity_force(double t) const {
  Vector force = weight;
  for (const auto &[unit_weight, acceleration] : gravity)
    force.add(acceleration(t), unit_weight);
  return force;
}

template <int dim>
bool Loads<dim>::depend_on_time() const {
  for (const auto &load : gravity)
    if (load.acceleration.depends_on_time())
      return true;
  for (const auto &load : forces)
    if (load.formula.depends_on_time())
      return true;
  for (const auto &traction : tractions)
    if (traction.formula.depends_on_time())
      return true;
  return false;
}

template <int dim>
void Loads<dim>::evaluate(double t, Vector &force) const {
  const auto n = static_cast<unsigned int>(weight.size());
  if (force.size() != n)
    force.reinit(n);
  double *const F = force.data();
  std::copy(weight.data(), weight.data() + n, F);
  for (const auto &[unit_weight, acceleration] : gravity)
    force.add(acceleration(t), unit_weight);
  for (const auto &[dof, formula] : forces)
    F[dof] += formula(t);
  for (const auto &traction : tractions) {
    if (traction.formula.depends_on_position()) {
      for (const auto &point : traction.points) {
        const double value = traction.formula(t, point.position);
        for (const auto &[dof, weight_of_node] : point.weights)
          F[dof] += value * weight_of_node;
      }
    } else {
      const double value = traction.formula(t);
      for (const auto &[dof, unit_force] : traction.unit_force)
        F[dof] += value * unit_force;
    }
  }
}

PERCUSSION_INSTANTIATE(unit_traction);
PERCUSSION_INSTANTIATE(tributary_areas);
template class Loads<2>;
template class Loads<3>;

} // namespace percussion
