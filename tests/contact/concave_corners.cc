// Nodes in concave corners of elastic bodies, in which they touch every side.

#include <percussion/contact/find.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <gtest/gtest.h>

#include "support/block.h"
#include <set>

namespace hollows {

using namespace percussion;

/// Returns a box of hypercubes without cells whose centres are `out`, with the region "boundary".
template <int dim, typename Out>
std::unique_ptr<Mesh<dim>> carved(const std::string &file, double size, unsigned int n,
                                  const dealii::Tensor<1, dim> &origin, const Out &out) {
  auto mesh = std::make_unique<Mesh<dim>>();
  mesh->file = file;
  mesh->shape = CellShape::hypercube;
  dealii::Triangulation<dim> whole;
  dealii::Point<dim> end;
  for (unsigned int d = 0; d < dim; ++d)
    end[d] = size;
  dealii::GridGenerator::subdivided_hyper_rectangle(whole, std::vector<unsigned int>(dim, n),
                                                    dealii::Point<dim>(), end);
  std::set<typename dealii::Triangulation<dim>::active_cell_iterator> removed;
  for (const auto &cell : whole.active_cell_iterators())
    if (out(cell->center()))
      removed.insert(cell);
  dealii::GridGenerator::create_triangulation_with_removed_cells(whole, removed,
                                                                 mesh->triangulation);
  dealii::GridTools::shift(origin, mesh->triangulation);
  Region &region = mesh->regions["boundary"];
  region.dimension = dim - 1;
  std::set<unsigned int> vertices;
  for (const auto &cell : mesh->triangulation.active_cell_iterators())
    for (const unsigned int f : cell->face_indices())
      if (cell->face(f)->at_boundary()) {
        region.faces.push_back({cell->active_cell_index(), f});
        for (const unsigned int v : cell->face(f)->vertex_indices())
          vertices.insert(cell->face(f)->vertex_index(v));
      }
  region.n_elements = static_cast<unsigned int>(region.faces.size());
  region.nodes.assign(vertices.begin(), vertices.end());
  return mesh;
}

/// A box in the concave corner of another body. Cells of the other body are cut out if all
/// coordinates of their centres from `first` on exceed one; the corner of the box is at 1 + place.
template <int dim>
struct InACorner {
  std::array<std::unique_ptr<Mesh<dim>>, 2> mesh;
  std::unique_ptr<System<dim>> system;
  std::unique_ptr<Boundary<dim>> boundary;

  InACorner(const dealii::Tensor<1, dim> &place, unsigned int first,
            const dealii::Tensor<1, dim> &gravity = {}, double friction = 0) {
    dealii::Tensor<1, dim> origin = place;
    for (unsigned int d = 0; d < dim; ++d)
      origin[d] += 1.;
    const auto is_cut = [&](const dealii::Point<dim> &x) {
      for (unsigned int d = first; d < dim; ++d)
        if (x[d] < 1.)
          return false;
      return true;
    };
    mesh = {{carved<dim>("lower.msh", 2., 4, {}, is_cut),
             carved<dim>("upper.msh", 0.8, 3, origin, [](const auto &) { return false; })}};
    const Material<dim> material{
        1., 1., LinearElastic<dim>::from_young(10., 0.3, Plane::strain), {0.02, 0., 0.}};
    typename System<dim>::ElasticBodies elastic;
    for (const auto &m : mesh)
      elastic.push_back(std::make_unique<ElasticBody<dim>>(
          *m, Materials<dim>(material), elastic.empty() ? 0 : elastic[0]->n_dofs()));
    system =
        std::make_unique<System<dim>>(std::move(elastic), std::vector<RigidBody<dim>>(), gravity);
    std::vector<ContactPair<dim>> pairs(1);
    pairs[0].name = "contact";
    pairs[0].own_side = ElasticRegion{"upper:boundary"};
    pairs[0].opposite_side = ElasticRegions{{"lower:boundary"}};
    pairs[0].discretisation = Discretisation::nodes;
    pairs[0].law = ImpactLawKind::fremond;
    pairs[0].friction = friction;
    pairs[0].gap_tolerance = 1e-12;
    boundary = std::make_unique<Boundary<dim>>(*system, std::move(pairs));
  }
};

template <int dim>
void find_every_side(unsigned int first) {
  for (const double a : {-0.03, -1e-9, 0., 1e-9, 0.03, 0.1})
    for (const double b : {-0.02, -1e-9, 0., 1e-9, 0.04, 0.11}) {
      SCOPED_TRACE(std::to_string(dim) + "D, " + std::to_string(a) + ", " + std::to_string(b));
      dealii::Tensor<1, dim> place;
      for (unsigned int d = 0; d < dim; ++d)
        place[d] = d < first ? -0.37 : d == dim - 1 ? b : a;
      const InACorner<dim> bodies(place, first);
      const auto found = ContactFinder<dim>(*bodies.boundary)
                             .find(TraceField(bodies.boundary->trace.size(), 0.), 0);
      std::array<unsigned int, dim> n_found{};
      std::set<ContactKey> keys;
      for (const auto &contact : found.contacts) {
        keys.insert(contact.key);
        const auto &x = bodies.boundary->points[contact.point].position;
        bool is_in_corner = true;
        for (unsigned int d = first; d < dim; ++d)
          is_in_corner = is_in_corner && std::abs(x[d] - 1. - place[d]) < 1e-12;
        if (!is_in_corner || (first > 0 && (x[0] < 0.8 || x[0] > 1.1)))
          continue;
        for (unsigned int d = first; d < dim; ++d)
          if (std::abs(contact.normal[d] - 1.) < 1e-12) {
            ++n_found[d];
            EXPECT_NEAR(contact.gap, place[d], 1e-12);
          }
      }
      EXPECT_EQ(keys.size(), found.contacts.size());
      for (unsigned int d = first; d < dim; ++d)
        EXPECT_EQ(n_found[d], 1u) << d;
    }
}

TEST(ConcaveCorners, NodeTouchesEverySide) {
  find_every_side<2>(0);
  find_every_side<3>(0);
  find_every_side<3>(1);
}

/// A box that moves into a corner along its diagonal keeps its symmetry: no side is preferred.
template <int dim>
void keep_symmetry(double friction) {
  dealii::Tensor<1, dim> place, gravity;
  for (unsigned int d = 0; d < dim; ++d) {
    place[d] = 0.01;
    gravity[d] = -0.5;
  }
  InACorner<dim> bodies(place, 0, gravity, friction);
  StepChoices choices;
  choices.use(scheme("moreau-jean-fremond"));
  choices.h = 0.02;
  ConeOptions cone;
  cone.tolerance = 1e-13;
  Step<dim> step(*bodies.system, *bodies.boundary, choices, cone);
  State<dim> state;
  state.q.reinit(bodies.system->n_dofs());
  state.v.reinit(bodies.system->n_dofs());
  const auto &space = bodies.system->elastic[1]->space;
  for (const auto &dofs : space.node_dofs)
    for (const unsigned int dof : dofs)
      state.v[dof] = -0.4;
  step.initialise(state);
  const auto corner = static_cast<std::size_t>(
      std::min_element(space.nodes.begin(), space.nodes.end(),
                       [](const auto &x, const auto &y) { return x.norm() < y.norm(); }) -
      space.nodes.begin());
  unsigned int n_in_corner = 0;
  for (unsigned int k = 0; k < 60; ++k) {
    const double before = state.energy();
    const auto &record = step.advance(state, (k + 1) * choices.h);
    ASSERT_LT(std::abs(record.balance_residual), 1e-13 * std::abs(before)) << k;
    ASSERT_LE(record.tangential_work_max, 1e-14 * std::abs(before)) << k;
    for (const auto &contact : record.contacts)
      n_in_corner +=
          contact.carries() && bodies.boundary->points[contact.point].mesh_node()->node == corner;
    for (unsigned int d = 1; d < dim; ++d)
      ASSERT_NEAR(state.q[space.node_dofs[corner][d]], state.q[space.node_dofs[corner][0]], 1e-10)
          << k;
  }
  EXPECT_GT(n_in_corner, 20u);
}

TEST(ConcaveCorners, KeepSymmetry) {
  for (const double friction : {0., 0.3}) {
    keep_symmetry<2>(friction);
    keep_symmetry<3>(friction);
  }
}

} // namespace hollows
