#include <percussion/base/freed_memory.h>
#include <percussion/body/cell_stress.h>
#include <percussion/output/vtu_output.h>

#include <vtkSmartPointer.h>

#include "body_cells.h"
#include "ground.h"
#include "vtu_fields.h"
#include "vtu_series.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace percussion {
namespace {

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

/// Number of points above which memory counts more than time.
constexpr vtkIdType many_points = 100000;

} // namespace

template <int dim>
struct VtuOutput<dim>::Files {
  const System<dim> &system;
  const Boundary<dim> &boundary;
  double h;
  std::vector<CellStress<dim>> cell_stress; ///< stress of each elastic body
  std::vector<double> times;
  VtuSeries solution, contacts;
  Ground<dim> ground;
  vtkIdType n_points = 0; ///< number of points of the solution
  Grid small_mesh;        ///< points and cells of the solution, if it has at most many_points
  std::vector<vtkIdType> first_node;   ///< first node of each elastic body, in the solution
  std::vector<vtkIdType> first_vertex; ///< first vertex of each rigid body, in the solution
  std::vector<std::vector<dealii::Point<dim>>> vertices; ///< vertices of each rigid body
  std::vector<int> body_of_cell; ///< number of the rigid body of each of its cells
  std::vector<vtkIdType>
      solution_points; ///< point of each stored contact point in the solution; negative: none
  /// Point of the solution and tributary area, for nodes whose faces may be touched or have
  /// quadrature points, by their first entry in the trace.
  std::map<unsigned int, std::pair<vtkIdType, double>> contact_nodes;
  std::future<void> writing; ///< task that writes the last instant

  Files(const std::string &directory, const System<dim> &s, const Boundary<dim> &b, double step,
        const std::vector<double> &earlier_times)
      : system(s), boundary(b), h(step), times(earlier_times),
        solution(directory, vtu_series[0], times), contacts(directory, vtu_series[1], times),
        ground(directory, boundary, times.size()) {
    for (const auto &body : system.elastic)
      cell_stress.emplace_back(*body);
    number_points();
    for (const auto &point : boundary.points)
      solution_points.push_back(solution_point(point));
    for (const auto &of_side : boundary.facets)
      for (const auto &node : of_side.nodes)
        contact_nodes[node.entry] = {first_node[node.elastic] + static_cast<vtkIdType>(node.node),
                                     node.area};
    for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
      if (boundary.pairs[i].contact_points == ContactPoints::quadrature &&
          !boundary.pairs[i].is_on_faces())
        add_nodes_of_points(i);
  }

  /// Adds the nodes whose faces have quadrature points.
  void add_nodes_of_points(unsigned int pair) {
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
      if (const auto *const point = boundary.points[i].quadrature_point()) {
        const auto [body, region] = system.region(*boundary.pairs[pair].region());
        const std::vector<double> area = tributary_areas(*body, *region);
        for (const unsigned int node : region->vertices)
          contact_nodes[boundary.trace.of_node(body->space, node)] = {
              first_node[point->elastic] + static_cast<vtkIdType>(node), area[node]};
        return;
      }
  }

  void number_points() {
    for (const auto &body : system.elastic) {
      first_node.push_back(n_points);
      n_points += body->space.n_nodes();
    }
    const RigidCells<dim> rigid_cells(system.rigid);
    for (std::size_t b = 0; b < system.rigid.size(); ++b) {
      first_vertex.push_back(n_points);
      vertices.emplace_back();
      for (const auto &shape : rigid_cells.cells(system.rigid[b])) {
        vertices[b].insert(vertices[b].end(), points_of(shape).begin(), points_of(shape).end());
        body_of_cell.push_back(static_cast<int>(b) + 1);
      }
      n_points += static_cast<vtkIdType>(vertices[b].size());
    }
  }

  /// Returns the points and cells of the solution. Large ones are made for each instant: they take
  /// as much memory as the fields.
  Grid mesh_of_instant() {
    if (n_points > many_points)
      return make_mesh();
    if (small_mesh == nullptr)
      small_mesh = make_mesh();
    Grid mesh = Grid::New();
    mesh->CopyStructure(small_mesh);
    return mesh;
  }
  Grid make_mesh() const {
    const Grid mesh = Grid::New();
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(n_points);
    auto n_cells = static_cast<vtkIdType>(body_of_cell.size()), n_corners = n_points;
    for (const auto &body : system.elastic) {
      n_cells += body->space.n_cells();
      n_corners += static_cast<vtkIdType>(body->space.corners.size());
    }
    mesh->AllocateExact(n_cells, n_corners);
    for (std::size_t b = 0; b < system.elastic.size(); ++b) {
      const Space<dim> &space = system.elastic[b]->space;
      set_points(space.nodes, first_node[b], points.Get());
      add_cells(mesh.Get(), space, first_node[b]);
    }
    const RigidCells<dim> rigid_cells(system.rigid);
    for (std::size_t b = 0; b < system.rigid.size(); ++b) {
      vtkIdType first = first_vertex[b];
      set_points(vertices[b], first, points.Get());
      for (const auto &shape : rigid_cells.cells(system.rigid[b])) {
        add_cell(mesh.Get(), shape, first);
        first += static_cast<vtkIdType>(points_of(shape).size());
      }
    }
    mesh->SetPoints(points);
    return mesh;
  }

  /// Returns the node or vertex of a contact point in the solution; negative for the centre of a
  /// sphere, which is no vertex.
  vtkIdType solution_point(const ContactPoint<dim> &point) const {
    if (const MeshNode *const own = point.mesh_node())
      return first_node[own->elastic] + static_cast<vtkIdType>(own->node);
    const auto body = point.rigid_body();
    if (!body)
      return -1;
    const auto &all = vertices[*body];
    const auto vertex = std::find(all.begin(), all.end(), point.position);
    return vertex == all.end() ? -1 : first_vertex[*body] + (vertex - all.begin());
  }

  /// Returns the point of a contact in the solution; negative if there is none, also for contacts
  /// of polyhedra that are not at a vertex of the first.
  vtkIdType point_of(const ContactRow<dim> &row) const {
    return is_at_point(boundary, row) ? solution_points[boundary.points.index_in_storage(row.point)]
                                      : -1;
  }

  /// Adds stresses, which are zero in rigid bodies, and the numbers of the bodies.
  void add_cell_data(vtkUnstructuredGrid *grid, const State<dim> &state) const {
    constexpr int cells = vtkDataObject::CELL;
    auto *const stress = add_array<vtkDoubleArray>(grid, "stress", 6, 0, cells);
    auto *const equivalent = add_array<vtkDoubleArray>(grid, "von_mises", 1, 0, cells);
    auto *const body = add_array<vtkIntArray>(grid, "body", 1, 0, cells);
    int k = 0;
    for (const char *const component : {"XX", "YY", "ZZ", "XY", "YZ", "XZ"})
      stress->SetComponentName(k++, component);
    vtkIdType cell = 0;
    for (const CellStress<dim> &of_body : cell_stress)
      for (unsigned int c = 0; c < of_body.n_cells(); ++c, ++cell) {
        const auto s = of_body(c, state.q);
        stress->SetTuple6(cell, s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]);
        equivalent->SetValue(cell, von_mises(s));
      }
    for (const int number : body_of_cell)
      body->SetValue(cell++, number);
  }

  /// Sets displacement and velocity of a point of an elastic body from both fields over the trace.
  void set_elastic_motion(const PointFields &fields, vtkIdType i, const ContactPoint<dim> &point,
                          const TraceField &q, const TraceField &v) const {
    set_vector(fields.displacement, i, boundary.value_at(point, q));
    set_vector(fields.velocity, i, boundary.value_at(point, v));
  }

  /// Sets displacement and velocity of a point of a rigid body; `position` is its initial position.
  void set_rigid_motion(const PointFields &fields, vtkIdType i, unsigned int body,
                        const dealii::Point<dim> &position, const RigidPose<dim> &pose,
                        const State<dim> &state) const {
    const auto arm = pose.turned(position - system.rigid[body].centre);
    set_vector(fields.displacement, i, (pose.centre + arm) - position);
    set_vector(fields.velocity, i, pose.velocity(arm, system.rigid_values(state.v, body)));
  }

  void fill_motion(const PointFields &fields, const State<dim> &state,
                   const std::vector<RigidPose<dim>> &poses) const {
    vtkIdType node = 0;
    for (const auto &body : system.elastic)
      for (unsigned int i = 0; i < body->space.n_nodes(); ++i, ++node) {
        set_vector(fields.displacement, node, body->space.value_at(i, state.q));
        set_vector(fields.velocity, node, body->space.value_at(i, state.v));
      }
    for (unsigned int b = 0; b < system.rigid.size(); ++b) {
      vtkIdType i = first_vertex[b];
      for (const auto &vertex : vertices[b])
        set_rigid_motion(fields, i++, b, vertex, poses[b], state);
    }
  }

  /// Returns the box of all points at their displaced positions.
  Box<dim> box_of(vtkUnstructuredGrid *grid, const PointFields &fields) const {
    Box<dim> box;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      dealii::Point<dim> x;
      for (unsigned int d = 0; d < dim; ++d)
        x[d] = grid->GetPoint(i)[d] + fields.displacement->GetComponent(i, static_cast<int>(d));
      box.include(x);
    }
    return box;
  }

  /// Adds the percussions that nodes receive from points touching their faces to the percussions of
  /// their own contacts.
  void add_node_percussions(const PointFields &fields, const StepRecord<dim> &record,
                            const ContactSums<dim> &sums) const {
    for (const NodePercussion<dim> &node : sums.node_percussions) {
      const vtkIdType point = contact_nodes.at(node.entry).first;
      add_vector(fields.percussion_sum, point, node.percussion);
      set_worst(fields.status_max, point, node.status);
    }
    for (const NodePercussion<dim> &node : record.node_percussions) {
      const auto &[point, area] = contact_nodes.at(node.entry);
      add_vector(fields.percussion, point, node.percussion);
      fields.pressure->SetValue(point, fields.pressure->GetValue(point) + node.normal / (h * area));
      set_worst(fields.status, point, node.status);
    }
  }

  /// Distributes the account of a quadrature point to the nodes of its face by their shape values.
  void add_account_to_nodes(const PointFields &fields, const ContactRow<dim> &row) const {
    const ContactPoint<dim> &point = boundary.points[row.point];
    const SupportRange shape = point.shape();
    for (unsigned int k = shape.begin; k + dim <= shape.end; k += dim) {
      const Support<dim> &first = boundary.supports[k];
      fields.add_contact(contact_nodes.at(first.entry).first, row, first.weight[0]);
    }
  }

  /// Fills the fields of points that may have more than one contact: the sum of percussions, the
  /// smallest gap, and the status of a carrying contact.
  void fill_contact(const PointFields &fields, const std::vector<ContactRow<dim>> &table) const {
    const auto set_open = [&](vtkIdType point) {
      fields.status->SetValue(point, static_cast<int>(ContactStatus::open));
      fields.status_max->SetValue(point, static_cast<int>(ContactStatus::open));
    };
    for (const auto &[entry, point] : contact_nodes)
      set_open(point.first);
    std::vector<double> nearest(static_cast<std::size_t>(n_points),
                                std::numeric_limits<double>::infinity());
    std::vector<bool> carries(nearest.size(), false);
    for (const vtkIdType point : solution_points)
      if (point >= 0)
        set_open(point);
    for (const ContactRow<dim> &row : table) {
      const vtkIdType point = point_of(row);
      if (point < 0) {
        add_account_to_nodes(fields, row);
        continue;
      }
      fields.add_contact(point, row);
      add_vector(fields.percussion, point, global_percussion(row));
      add_vector(fields.percussion_sum, point, row.percussion_sum);
      set_worst(fields.status_max, point, std::max(row.status, row.status_max));
      fields.pressure->SetValue(point, fields.pressure->GetValue(point) + pressure(row));
      if (row.carries()) { // the status of a carrying contact has priority over a close one
        fields.status->SetValue(point, static_cast<int>(row.status));
        carries[static_cast<std::size_t>(point)] = true;
      }
      if (row.gap < nearest[static_cast<std::size_t>(point)]) {
        nearest[static_cast<std::size_t>(point)] = row.gap;
        fields.gap->SetValue(point, row.gap);
        if (!carries[static_cast<std::size_t>(point)])
          fields.status->SetValue(point, static_cast<int>(row.status));
      }
    }
  }

  Grid contact_grid(const std::vector<ContactRow<dim>> &table) const {
    std::vector<dealii::Point<dim>> positions;
    for (const ContactRow<dim> &row : table)
      positions.push_back(row.material_point);
    const Grid grid = Grid::New();
    grid->SetPoints(make_points(positions));
    grid->AllocateExact(grid->GetNumberOfPoints(), grid->GetNumberOfPoints());
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      grid->InsertNextCell(VTK_VERTEX, 1, &i);
    return grid;
  }

  void fill_contacts(vtkUnstructuredGrid *grid, const State<dim> &state,
                     const std::vector<RigidPose<dim>> &poses,
                     const std::vector<ContactRow<dim>> &table) const {
    const auto fields = PointFields::add_to<dim>(grid);
    const ContactFields of_contact{grid};
    const TraceField q = boundary.trace.gather(state.q), v = boundary.trace.gather(state.v);
    auto *const second_tangent =
        dim == 3 ? add_array<vtkDoubleArray>(grid, "second_tangent", 3) : nullptr;
    auto *const feature =
        has_moving_contacts() ? add_array<vtkIntArray>(grid, "feature", 1) : nullptr;
    vtkIdType i = 0;
    for (const ContactRow<dim> &row : table) {
      const ContactPoint<dim> &point = boundary.points[row.point];
      if (const auto body = point.rigid_body())
        set_rigid_motion(fields, i, *body, row.material_point, poses[*body], state);
      else
        set_elastic_motion(fields, i, point, q, v);
      const auto frame = local_frame<dim>(row.normal);
      add_vector(fields.displacement, i,
                 -point.radius() * row.normal); // from a sphere's centre to its surface
      set_vector(fields.percussion, i, global_percussion(row));
      set_vector(fields.percussion_sum, i, row.percussion_sum);
      fields.status_max->SetValue(i, static_cast<int>(std::max(row.status, row.status_max)));
      set_vector(of_contact.normal, i, frame[0]);
      set_vector(of_contact.tangent, i, frame[1]);
      if (second_tangent != nullptr)
        set_vector(second_tangent, i, frame[dim - 1]);
      if (feature != nullptr)
        feature->SetValue(i, static_cast<int>(row.key.feature));
      of_contact.pair->SetValue(i, static_cast<int>(row.key.pair));
      of_contact.body->SetValue(i, body_number(point.rigid_body()));
      of_contact.obstacle->SetValue(i, opposite_number(row));
      of_contact.area->SetValue(i, row.area);
      set_vector(of_contact.opposite_position, i, position_on(grid, fields, i, row));
      set_vector(of_contact.relative_velocity, i, relative_velocity(row, state, v));
      fields.pressure->SetValue(i, pressure(row));
      fields.gap->SetValue(i, row.gap);
      fields.status->SetValue(i, static_cast<int>(row.status));
      fields.add_contact(i, row);
      ++i;
    }
  }

  /// True if rigid bodies in 3D may touch each other: their contacts move on them.
  bool has_moving_contacts() const {
    return dim == 3 && std::any_of(boundary.pairs.begin(), boundary.pairs.end(),
                                   [](const auto &pair) { return pair.is_between_rigid_bodies(); });
  }

  int opposite_number(const ContactRow<dim> &row) const {
    const bool on_faces = !row.opposite_body && boundary.pairs[row.key.pair].is_on_faces();
    return on_faces ? -1 : body_number(row.opposite_body);
  }

  /// Returns the point on the other side, at the distance of the gap against the normal.
  dealii::Tensor<1, dim> position_on(vtkUnstructuredGrid *grid, const PointFields &fields,
                                     vtkIdType i, const ContactRow<dim> &row) const {
    dealii::Tensor<1, dim> x;
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = grid->GetPoint(i)[d] + fields.displacement->GetComponent(i, static_cast<int>(d));
    return std::isnan(row.gap) ? x : x - row.gap * row.normal;
  }

  /// Returns the velocity of a contact relative to the opposite side at the end of the step; NaN if
  /// the contact is no longer close.
  dealii::Tensor<1, dim> relative_velocity(const ContactRow<dim> &row, const State<dim> &state,
                                           const TraceField &v) const {
    if (const Contact<dim> *const contact = state.found.find(row.key))
      return state.found.velocity(*contact, v, false) -
             surface_velocity(boundary.pairs[row.key.pair].surface(), state);
    dealii::Tensor<1, dim> unknown;
    for (unsigned int d = 0; d < dim; ++d)
      unknown[d] = no_gap;
    return unknown;
  }

  /// Returns the mean velocity of a surface over the last substep; at the start, over the first
  /// step, because its motion is not evaluated before the run begins. Zero without a surface.
  dealii::Tensor<1, dim> surface_velocity(const Surface<dim> *surface,
                                          const State<dim> &state) const {
    if (surface == nullptr || surface->motion.empty())
      return {};
    const double length = state.step == 0 ? h : state.previous_h;
    const double end = state.step == 0 ? state.time + h : state.time;
    return (displacement(*surface, end) - displacement(*surface, end - length)) / length;
  }

  /// Returns the pressure; 0 for points of rigid bodies, which have no area.
  double pressure(const ContactRow<dim> &row) const {
    return row.area > 0. ? row.percussion[0] / (h * row.area) : 0.;
  }
};

template <int dim>
VtuOutput<dim>::VtuOutput(const std::string &directory, const System<dim> &bodies,
                          const Boundary<dim> &boundary, double h, const std::vector<double> &times)
    : files(std::make_unique<Files>(directory, bodies, boundary, h, times)) {}

template <int dim>
VtuOutput<dim>::~VtuOutput() = default;

template <int dim>
void VtuOutput<dim>::write(const State<dim> &state, const StepRecord<dim> &record,
                           const ContactSums<dim> &sums,
                           const std::vector<ContactAccount<dim>> &accounts) {
  const std::vector<RigidPose<dim>> poses = files->system.poses(state.q);
  wait(); // one instant at a time is in memory
  Grid solution = files->mesh_of_instant();
  const auto fields = PointFields::add_to<dim>(solution);
  files->fill_motion(fields, state, poses);
  if (!files->ground.is_empty())
    files->ground.add(files->box_of(solution, fields));
  const auto table = contact_table(state, record, sums, accounts);
  files->fill_contact(fields, table);
  files->add_node_percussions(fields, record, sums);
  files->add_cell_data(solution, state);
  Grid contacts = files->contact_grid(table);
  files->fill_contacts(contacts, state, poses, table);
  // The task alone owns the grids: a second owner's release would search a grid for references
  // while the task deletes it. A finished task keeps its data until the next one begins; it must
  // not keep the grids.
  files->writing = std::async([this, solution = std::move(solution), contacts = std::move(contacts),
                               t = state.time]() mutable {
    files->solution.write(std::exchange(solution, Grid()), t);
    files->contacts.write(std::exchange(contacts, Grid()), t);
    if (files->n_points > many_points)
      trim_heap();
  });
  files->times.push_back(state.time);
}

template <int dim>
void VtuOutput<dim>::wait() {
  if (files->writing.valid())
    files->writing.get();
}

template <int dim>
void VtuOutput<dim>::write_ground() {
  files->ground.write(files->times);
}

template <int dim>
const std::vector<double> &VtuOutput<dim>::times() const {
  return files->times;
}

template <int dim>
std::vector<FileSum> VtuOutput<dim>::sums() const {
  std::vector<FileSum> all = files->solution.sums();
  const auto &of_contacts = files->contacts.sums();
  all.insert(all.end(), of_contacts.begin(), of_contacts.end());
  if (files->ground.sum())
    all.push_back(*files->ground.sum());
  return all;
}

template class VtuOutput<2>;
template class VtuOutput<3>;

} // namespace percussion
