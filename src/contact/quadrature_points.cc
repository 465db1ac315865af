// Contacts at the quadrature points of faces.

#include <percussion/base/error.h>
#include <percussion/contact/boundary.h>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_values.h>

#include <algorithm>
#include <limits>

namespace percussion {
namespace {

/// Values at the quadrature points of a body's faces.
template <int dim>
class FacePoints {
public:
  FacePoints(const ElasticBody<dim> &b, const Trace<dim> &t,
             const dealii::Quadrature<dim - 1> &quadrature)
      : body(b), space(b.space), trace(t),
        values(*space.mapping, space.element, quadrature,
               dealii::update_values | dealii::update_gradients | dealii::update_JxW_values |
                   dealii::update_quadrature_points | dealii::update_normal_vectors) {
    for (const auto &active_cell : space.dofs.active_cell_iterators())
      cells.push_back(active_cell);
  }

  void go_to(const CellFace &face) {
    cell = face.cell;
    values.reinit(cells[cell], face.face);
  }
  auto indices() const { return values.quadrature_point_indices(); }

  /// Returns position, area and normal of a point, and adds the shape values of the nodes to
  /// `supports`.
  ContactPoint<dim> point(unsigned int q, std::vector<Support<dim>> &supports) const {
    ContactPoint<dim> point;
    point.position = values.quadrature_point(q);
    point.area = values.JxW(q) * body.materials.material(cell).out_of_plane_size(point.position);
    QuadraturePoint<dim> on_face;
    on_face.normal = values.normal_vector(q);
    on_face.shape.begin = static_cast<unsigned int>(supports.size());
    double largest = 0;
    const auto shape_values = values_of_nodes(q);
    for (const unsigned int v : cells[cell]->vertex_indices()) {
      const double shape_value = shape_values[v];
      if (!is_on_face(shape_value))
        continue;
      for (unsigned int d = 0; d < dim; ++d) {
        supports.push_back({entry(v) + d, {}});
        supports.back().weight[d] = shape_value;
      }
      if (shape_value > largest)
        point.entry = entry(v);
      largest = std::max(largest, shape_value);
    }
    on_face.shape.end = static_cast<unsigned int>(supports.size());
    point.location = on_face;
    return point;
  }

  /// Adds σN due to a unit displacement of each component at each node of the cell to `supports`.
  SupportRange add_traction(unsigned int q, std::vector<Support<dim>> &supports) const {
    SupportRange range;
    range.begin = static_cast<unsigned int>(supports.size());
    const LinearElastic<dim> &law = body.materials.material(cell).elastic;
    const bool is_axisymmetric = body.materials.are_axisymmetric();
    for (const unsigned int v : cells[cell]->vertex_indices())
      for (unsigned int d = 0; d < dim; ++d) {
        dealii::Tensor<2, dim> gradient;
        gradient[d] = values.shape_grad(shape(d, v), q);
        dealii::SymmetricTensor<2, dim> stress = law.stress(symmetrize(gradient));
        if (is_axisymmetric && d == 0) // the in-plane stress of the hoop strain
          stress += law.lambda * values.shape_value(shape(d, v), q) /
                    values.quadrature_point(q)[0] * dealii::unit_symmetric_tensor<dim>();
        supports.push_back({entry(v) + d, stress * values.normal_vector(q)});
      }
    range.end = static_cast<unsigned int>(supports.size());
    return range;
  }

  double size() const {
    double smallest = std::numeric_limits<double>::max();
    const auto shape_values = values_of_nodes(0);
    for (const unsigned int v : cells[cell]->vertex_indices())
      if (is_on_face(shape_values[v]))
        smallest = std::min(smallest, space.local_size[cells[cell]->vertex_index(v)]);
    return smallest;
  }

private:
  /// Returns the values of the shape functions of the cell; on a linear trace only vertices
  /// of the face have others than zero.
  std::vector<double> values_of_nodes(unsigned int q) const {
    std::vector<double> shape_values(space.nodes_per_cell());
    for (unsigned int k = 0; k < shape_values.size(); ++k)
      shape_values[k] = values.shape_value(shape(0, k), q);
    space.join_linear_middles(cell, shape_values);
    return shape_values;
  }
  static bool is_on_face(double shape_value) { return shape_value > 1e-12; }
  unsigned int shape(unsigned int component, unsigned int v) const {
    return space.element.component_to_system_index(component, v);
  }
  unsigned int entry(unsigned int v) const {
    return trace.node_entry(space, cells[cell]->vertex_index(v));
  }

  const ElasticBody<dim> &body;
  const Space<dim> &space;
  const Trace<dim> &trace;
  dealii::FEFaceValues<dim> values;
  std::vector<typename dealii::DoFHandler<dim>::active_cell_iterator> cells;
  unsigned int cell = 0;
};

/// Returns the rule for contacts with surfaces.
template <int dim>
dealii::Quadrature<dim - 1> quadrature_of_faces(const Space<dim> &space) {
  if constexpr (dim == 2)
    return dealii::QGauss<1>(2);
  else
    return space.element.reference_cell()
        .face_reference_cell(0)
        .template get_gauss_type_quadrature<dim - 1>(2);
}

/// Returns the rule of a mortar, with a point next to each corner of a face. Its products of the
/// functions of points and nodes are exact on edges, triangles and parallelograms.
template <int dim>
dealii::Quadrature<dim - 1> quadrature_of_mortar(const Space<dim> &space) {
  if constexpr (dim == 3)
    if (space.element.reference_cell().face_reference_cell(0) == dealii::ReferenceCells::Triangle) {
      constexpr double sixth = 1. / 6.;
      const std::vector<dealii::Point<2>> points = {
          {sixth, sixth}, {4. * sixth, sixth}, {sixth, 4. * sixth}};
      return {points, std::vector<double>(3, sixth)};
    }
  return quadrature_of_faces(space);
}

/// Throws if Nitsche's method cannot take the stress of a material.
template <int dim>
void check_stress(const ContactPair<dim> &pair, unsigned int order, const Material<dim> &material) {
  if (pair.formulation == Formulation::nitsche &&
      (order > 1 || material.finite_strain || material.element != ElementKind::standard))
    throw InputError("contact '" + pair.name +
                     "': Nitsche's method takes the stress of linear "
                     "elastic cells with the standard element of first order only");
}

} // namespace

/// Adds the quadrature points of a region. A point is left out if all its nodes are fixed in all
/// directions; it has no friction if all its nodes have prescribed directions.
template <int dim>
void Boundary<dim>::add_quadrature_points(unsigned int pair_index) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const auto [body, region, elastic] = own_region(pair);
  const bool has_stress = pair.formulation == Formulation::nitsche;
  unsigned int left_out = 0;
  FacePoints<dim> faces(body, trace, quadrature_of_faces(body.space));
  for (const CellFace &face : region.faces) {
    check_stress(pair, body.space.mesh.order, body.materials.material(face.cell));
    faces.go_to(face);
    for (const unsigned int q : faces.indices()) {
      ContactPoint<dim> point = faces.point(q, supports);
      auto &on_face = std::get<QuadraturePoint<dim>>(point.location);
      bool stays_put = !pair.is_between_bodies(), has_no_friction = stays_put;
      for (unsigned int k = on_face.shape.begin; k < on_face.shape.end; k += dim) {
        const Held node_held = held_directions(pair, supports[k].entry);
        stays_put = stays_put && node_held.n_directions == dim;
        has_no_friction = has_no_friction && node_held.has_no_friction;
      }
      if (stays_put) {
        ++left_out;
        supports.resize(on_face.shape.begin);
        continue;
      }
      on_face.elastic = elastic;
      set_law(pair, faces.size(), spring(pair, elastic, faces.size()), !has_no_friction, point);
      if (has_stress)
        on_face.traction = faces.add_traction(q, supports);
      points.push_back(point);
    }
  }
  if (left_out > 0)
    remarks.push_back("contact '" + pair.name + "': " + std::to_string(left_out) +
                      " quadrature points take no part because their motion is prescribed");
}

/// Adds the quadrature points of one side, in the order of the corners of its facets: the point of
/// a corner is the point nearest to it (MortarFunctions::quadrature).
template <int dim>
void Boundary<dim>::add_quadrature_points_of_facets(unsigned int pair_index,
                                                    unsigned int own_facets,
                                                    unsigned int opposite_facets,
                                                    const std::vector<std::string> &regions) {
  const ContactPair<dim> &pair = pairs[pair_index];
  const Facets<dim> &side = facets[own_facets];
  unsigned int facet = 0;
  for (const std::string &name : regions) {
    const auto [body, region] = system.region(name);
    FacePoints<dim> faces(*body, trace, quadrature_of_mortar(body->space));
    for (const CellFace &face : region->faces) {
      check_stress(pair, body->space.mesh.order, body->materials.material(face.cell));
      faces.go_to(face);
      for (const unsigned int node : side.facets[facet].nodes())
        for (const unsigned int q : faces.indices()) {
          ContactPoint<dim> point = faces.point(q, supports);
          auto &on_face = std::get<QuadraturePoint<dim>>(point.location);
          if (point.entry != side.nodes[node].entry) {
            supports.resize(on_face.shape.begin);
            continue;
          }
          on_face.elastic = side.nodes[node].elastic;
          set_law(pair, faces.size(), spring(pair, on_face.elastic, faces.size()), true, point);
          if (pair.formulation == Formulation::nitsche)
            on_face.traction = faces.add_traction(q, supports);
          point.opposite_facets = opposite_facets;
          point.own_facets = {own_facets, node};
          points.push_back(point);
        }
      ++facet;
    }
  }
}

namespace {

/// Returns the index of a node among the multipliers.
std::size_t row_of(const Multipliers &pair_multipliers, unsigned int entry) {
  const auto &all = pair_multipliers.entries;
  return static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), entry) - all.begin());
}

} // namespace

template <int dim>
void Boundary<dim>::make_multipliers(unsigned int pair) {
  if (pairs[pair].formulation != Formulation::multipliers)
    return;
  Multipliers &result = multipliers[pair];
  const unsigned int begin = first_point[pair], end = first_point[pair + 1];
  for (unsigned int i = begin; i < end; ++i) {
    const SupportRange shape = points[i].shape();
    for (unsigned int k = shape.begin; k < shape.end && !pairs[pair].is_on_faces(); k += dim)
      result.entries.push_back(supports[k].entry);
    result.spring = std::max(result.spring, points[i].spring);
  }
  std::sort(result.entries.begin(), result.entries.end());
  result.entries.erase(std::unique(result.entries.begin(), result.entries.end()),
                       result.entries.end());
  if (result.entries.empty())
    return;
  dealii::FullMatrix<double> mass(static_cast<unsigned int>(result.entries.size()));
  for (unsigned int i = begin; i < end; ++i) {
    const SupportRange shape = points[i].shape();
    for (unsigned int k = shape.begin; k < shape.end; k += dim)
      for (unsigned int l = shape.begin; l < shape.end; l += dim)
        mass(row_of(result, supports[k].entry), row_of(result, supports[l].entry)) +=
            points[i].area * supports[k].weight[0] * supports[l].weight[0];
  }
  result.inverse_of_mass.reinit(mass.m(), mass.m());
  result.inverse_of_mass.invert(mass);
}

template <int dim>
double Boundary<dim>::pressure_by_multipliers(unsigned int i, unsigned int j) const {
  const Multipliers &pair_multipliers = multipliers[pair_of(i)];
  const SupportRange shape_i = points[i].shape(), shape_j = points[j].shape();
  double coupling = 0;
  for (unsigned int k = shape_i.begin; k < shape_i.end; k += dim)
    for (unsigned int l = shape_j.begin; l < shape_j.end; l += dim)
      coupling += supports[k].weight[0] * supports[l].weight[0] *
                  pair_multipliers.inverse_of_mass(row_of(pair_multipliers, supports[k].entry),
                                                   row_of(pair_multipliers, supports[l].entry));
  return coupling;
}

template <int dim>
void add_nitsche_terms(const Boundary<dim> &boundary, SparseMatrix &stiffness) {
  for (unsigned int i = 0; i < boundary.points.size(); ++i) {
    const ContactPoint<dim> &point = boundary.points[i];
    const auto [begin, end] = point.traction();
    if (begin == end)
      continue;
    const dealii::Tensor<1, dim> &normal = point.quadrature_point()->normal;
    const double factor = -boundary.pairs[boundary.pair_of(i)].symmetry * point.area / point.spring;
    for (unsigned int k = begin; k < end && factor != 0.; ++k)
      for (unsigned int l = begin; l < end; ++l) {
        const auto &a = boundary.supports[k], &b = boundary.supports[l];
        const double product =
            point.has_friction ? a.weight * b.weight : (a.weight * normal) * (b.weight * normal);
        boundary.trace.add(a.entry, b.entry, factor * product, stiffness);
      }
  }
}

template void Boundary<2>::add_quadrature_points(unsigned int);
template void Boundary<3>::add_quadrature_points(unsigned int);
template void Boundary<2>::add_quadrature_points_of_facets(unsigned int, unsigned int, unsigned int,
                                                           const std::vector<std::string> &);
template void Boundary<2>::make_multipliers(unsigned int);
template void Boundary<3>::add_quadrature_points_of_facets(unsigned int, unsigned int, unsigned int,
                                                           const std::vector<std::string> &);
template void Boundary<3>::make_multipliers(unsigned int);
template double Boundary<2>::pressure_by_multipliers(unsigned int, unsigned int) const;
template double Boundary<3>::pressure_by_multipliers(unsigned int, unsigned int) const;
template void add_nitsche_terms(const Boundary<2> &, SparseMatrix &);
template void add_nitsche_terms(const Boundary<3> &, SparseMatrix &);

} // namespace percussion
