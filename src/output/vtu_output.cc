#include <percussion/body/cell_stress.h>
#include <percussion/output/contact_table.h>
#include <percussion/output/vtu_list.h>
#include <percussion/output/vtu_output.h>

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkIntArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

#include "vtu_series.h"
#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace percussion {
namespace {

constexpr double no_gap = std::numeric_limits<double>::quiet_NaN();
constexpr int no_status = -1;

template <typename Array>
Array *add_point_array(vtkUnstructuredGrid *grid, const char *name, int components,
                       double value = 0) {
  return add_array<Array>(grid->GetPointData(), name, components, grid->GetNumberOfPoints(), value);
}

/// The fields that the points of both files have.
struct PointFields {
  vtkDoubleArray *displacement, *velocity, *percussion, *pressure, *gap;
  vtkIntArray *status;

  explicit PointFields(vtkUnstructuredGrid *grid)
      : displacement(add_point_array<vtkDoubleArray>(grid, "displacement", 3)),
        velocity(add_point_array<vtkDoubleArray>(grid, "velocity", 3)),
        percussion(add_point_array<vtkDoubleArray>(grid, "percussion", 3)),
        pressure(add_point_array<vtkDoubleArray>(grid, "pressure", 1)),
        gap(add_point_array<vtkDoubleArray>(grid, "gap", 1, no_gap)),
        status(add_point_array<vtkIntArray>(grid, "status", 1, no_status)) {}

  /// No contact anywhere.
  void clear_contact() const {
    percussion->Fill(0);
    pressure->Fill(0);
    gap->Fill(no_gap);
    status->Fill(no_status);
  }
};

/// The fields that only contact points have.
struct ContactFields {
  vtkDoubleArray *normal, *tangent;
  vtkIntArray *pair, *body, *obstacle;

  explicit ContactFields(vtkUnstructuredGrid *grid)
      : normal(add_point_array<vtkDoubleArray>(grid, "normal", 3)),
        tangent(add_point_array<vtkDoubleArray>(grid, "tangent", 3)),
        pair(add_point_array<vtkIntArray>(grid, "pair", 1)),
        body(add_point_array<vtkIntArray>(grid, "body", 1)),
        obstacle(add_point_array<vtkIntArray>(grid, "obstacle", 1)) {}
};

template <int dim>
vtkNew<vtkPoints> make_points(const std::vector<dealii::Point<dim>> &positions) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(positions.size()));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::array<double, 3> x{};
    for (unsigned int d = 0; d < dim; ++d)
      x[d] = positions[i][d];
    points->SetPoint(static_cast<vtkIdType>(i), x.data());
  }
  return points;
}

/// deal.II goes through a quadrilateral lexicographically, VTK around it.
void add_cells(vtkUnstructuredGrid *grid, const dealii::Triangulation<2> &triangulation,
               vtkIdType first_node) {
  for (const auto &cell : triangulation.active_cell_iterators()) {
    const auto vertex = [&](unsigned int v) { return first_node + vtkIdType(cell->vertex_index(v)); };
    if (cell->n_vertices() == 3) {
      const std::array<vtkIdType, 3> ids = {{vertex(0), vertex(1), vertex(2)}};
      grid->InsertNextCell(VTK_TRIANGLE, 3, ids.data());
    } else {
      const std::array<vtkIdType, 4> ids = {{vertex(0), vertex(1), vertex(3), vertex(2)}};
      grid->InsertNextCell(VTK_QUAD, 4, ids.data());
    }
  }
}

/// A polygon or a stick whose vertices are consecutive points.
void add_cell(vtkUnstructuredGrid *grid, const Outline &outline, vtkIdType first_point) {
  std::vector<vtkIdType> ids;
  for (std::size_t k = 0; k < outline.size(); ++k)
    ids.push_back(first_point + static_cast<vtkIdType>(k));
  grid->InsertNextCell(ids.size() == 2 ? VTK_LINE : VTK_POLYGON, static_cast<vtkIdType>(ids.size()),
                       ids.data());
}

template <int dim>
void set_vector(vtkDoubleArray *array, vtkIdType i, const dealii::Tensor<1, dim> &value) {
  for (unsigned int d = 0; d < dim; ++d)
    array->SetComponent(i, static_cast<int>(d), value[d]);
}

template <int dim>
dealii::Tensor<1, dim> gather(const std::array<unsigned int, dim> &dofs, const Vector &field) {
  dealii::Tensor<1, dim> value;
  for (unsigned int d = 0; d < dim; ++d)
    value[d] = entries(field)[dofs[d]];
  return value;
}

/// The number of a rigid body, or of the elastic one, in the files.
int body_number(unsigned int rigid_body) {
  return rigid_body == dealii::numbers::invalid_unsigned_int ? 0 : static_cast<int>(rigid_body) + 1;
}

} // namespace

template <int dim>
struct VtuOutput<dim>::Files {
  const System<dim> &system;
  const Boundary<dim> &boundary;
  double h;
  std::vector<CellStress<dim>> cell_stress; ///< of each elastic body
  std::vector<vtkIdType> first_node;        ///< of each elastic body, in the solution
  std::vector<double> times;
  BackgroundWriter background;
  VtuSeries solution, candidates;
  std::vector<vtkIdType> first_vertex;       ///< of each rigid body, in the solution
  std::vector<vtkIdType> point_of_candidate; ///< of the boundary in the solution; negative: none
  std::optional<PointFields> solution_fields, candidate_fields;
  std::optional<ContactFields> contact_fields;
  vtkDoubleArray *stress = nullptr, *equivalent_stress = nullptr;

  Files(const std::string &directory, const System<dim> &s, const Boundary<dim> &c, double step,
        const std::vector<double> &earlier)
      : system(s), boundary(c), h(step), times(earlier), background(directory),
        solution(background, directory, vtu_series[0], times),
        candidates(background, directory, vtu_series[1], times) {
    for (const auto &body : system.elastic)
      cell_stress.emplace_back(*body);
    make_mesh();
    solution_fields.emplace(solution.grid);
    add_cell_data();
    for (const auto &point : boundary.points)
      point_of_candidate.push_back(solution_point(point));
    candidates.grid->SetPoints(make_points<dim>({}));
    candidate_fields.emplace(candidates.grid);
    contact_fields.emplace(candidates.grid);
  }

  void make_mesh() {
    std::vector<dealii::Point<dim>> points;
    for (const auto &body : system.elastic) {
      first_node.push_back(static_cast<vtkIdType>(points.size()));
      points.insert(points.end(), body->space.nodes.begin(), body->space.nodes.end());
    }
    for (const RigidBody &body : system.rigid) {
      first_vertex.push_back(static_cast<vtkIdType>(points.size()));
      points.insert(points.end(), body.outline.begin(), body.outline.end());
    }
    solution.grid->SetPoints(make_points(points));
    for (std::size_t b = 0; b < system.elastic.size(); ++b)
      add_cells(solution.grid, system.elastic[b]->space.mesh.triangulation, first_node[b]);
    for (std::size_t b = 0; b < system.rigid.size(); ++b)
      add_cell(solution.grid, system.rigid[b].outline, first_vertex[b]);
  }

  /// Zero in rigid bodies.
  void add_cell_data() {
    const vtkIdType n_cells = solution.grid->GetNumberOfCells();
    auto *const data = solution.grid->GetCellData();
    stress = add_array<vtkDoubleArray>(data, "stress", 6, n_cells, 0);
    const std::array<const char *, 6> names = {{"XX", "YY", "ZZ", "XY", "YZ", "XZ"}};
    for (int k = 0; k < 6; ++k)
      stress->SetComponentName(k, names[static_cast<std::size_t>(k)]);
    equivalent_stress = add_array<vtkDoubleArray>(data, "von_mises", 1, n_cells, 0);
    auto *const body = add_array<vtkIntArray>(data, "body", 1, n_cells, 0);
    const auto n_rigid = static_cast<vtkIdType>(system.rigid.size());
    for (vtkIdType b = 0; b < n_rigid; ++b)
      body->SetValue(n_cells - n_rigid + b, static_cast<int>(b) + 1);
  }

  /// The node or vertex that a candidate is.
  vtkIdType solution_point(const ContactPoint<dim> &point) const {
    if (point.node != ContactPoint<dim>::none)
      return first_node[point.elastic] + static_cast<vtkIdType>(point.node);
    const Outline &outline = system.rigid[point.body].outline;
    const auto vertex = std::find(outline.begin(), outline.end(), point.position);
    return vertex == outline.end() ? -1 : first_vertex[point.body] + (vertex - outline.begin());
  }

  void fill_stress(const State<dim> &state) const {
    vtkIdType cell = 0;
    for (const CellStress<dim> &of_body : cell_stress)
      for (unsigned int c = 0; c < of_body.n_cells(); ++c, ++cell) {
        const auto s = of_body(c, state.q);
        const std::array<double, 6> components = {
            {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]}};
        stress->SetTuple(cell, components.data());
        equivalent_stress->SetValue(cell, von_mises(s));
      }
  }

  void set_node_motion(const PointFields &fields, vtkIdType i,
                       const std::array<unsigned int, dim> &dofs, const State<dim> &state) const {
    set_vector(fields.displacement, i, gather<dim>(dofs, state.q));
    set_vector(fields.velocity, i, gather<dim>(dofs, state.v));
  }

  /// `position` is where a point of a rigid body begins.
  void set_rigid_motion(const PointFields &fields, vtkIdType i, unsigned int body,
                        const dealii::Point<dim> &position, const RigidPose &pose,
                        const State<dim> &state) const {
    const auto arm = pose.turned(position - system.rigid[body].centre);
    set_vector(fields.displacement, i, (pose.centre + arm) - position);
    set_vector(fields.velocity, i, velocity_at(arm, entries(state.v) + system.rigid_dof(body)));
  }

  void fill_motion(const State<dim> &state, const std::vector<RigidPose> &poses) const {
    vtkIdType node = 0;
    for (const auto &body : system.elastic)
      for (const auto &dofs : body->space.node_dofs)
        set_node_motion(*solution_fields, node++, dofs, state);
    for (unsigned int b = 0; b < system.rigid.size(); ++b) {
      vtkIdType i = first_vertex[b];
      for (const auto &vertex : system.rigid[b].outline)
        set_rigid_motion(*solution_fields, i++, b, vertex, poses[b], state);
    }
  }

  /// A point may have several contacts: percussions add up, the nearest gap counts, and the status
  /// of one that carries.
  void fill_contact(const std::vector<ContactRow<dim>> &table) const {
    const PointFields &fields = *solution_fields;
    fields.clear_contact();
    std::vector<double> nearest(static_cast<std::size_t>(solution.grid->GetNumberOfPoints()),
                                std::numeric_limits<double>::infinity());
    std::vector<bool> carries(nearest.size(), false);
    for (unsigned int i = 0; i < boundary.points.size(); ++i)
      if (const vtkIdType point = point_of_candidate[i]; point >= 0)
        fields.status->SetValue(point, static_cast<int>(ContactStatus::open));
    for (const ContactRow<dim> &row : table) {
      const vtkIdType point = point_of_candidate[row.point];
      if (point < 0)
        continue;
      const auto p = row.global_percussion();
      for (unsigned int d = 0; d < dim; ++d) {
        const auto component = static_cast<int>(d);
        fields.percussion->SetComponent(point, component,
                                        fields.percussion->GetComponent(point, component) + p[d]);
      }
      fields.pressure->SetValue(point, fields.pressure->GetValue(point) + pressure(row));
      if (row.carries()) { // what carries counts before what is near
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

  void list_contacts(const std::vector<ContactRow<dim>> &table) {
    const auto n = static_cast<vtkIdType>(table.size());
    std::vector<dealii::Point<dim>> positions;
    vtkNew<vtkCellArray> cells;
    for (vtkIdType i = 0; i < n; ++i) {
      positions.push_back(boundary.points[table[static_cast<std::size_t>(i)].point].position);
      cells->InsertNextCell(1, &i);
    }
    candidates.grid->SetPoints(make_points(positions));
    candidates.grid->SetCells(VTK_VERTEX, cells);
    auto *const data = candidates.grid->GetPointData();
    for (int k = 0; k < data->GetNumberOfArrays(); ++k) {
      data->GetArray(k)->SetNumberOfTuples(n);
      data->GetArray(k)->Fill(0); // the third component of vectors
    }
  }

  void fill_contacts(const State<dim> &state, const std::vector<RigidPose> &poses,
                     const std::vector<ContactRow<dim>> &table) {
    list_contacts(table);
    vtkIdType i = 0;
    for (const ContactRow<dim> &row : table) {
      const ContactPoint<dim> &point = boundary.points[row.point];
      if (point.body == ContactPoint<dim>::none)
        set_node_motion(*candidate_fields, i, point.dofs, state);
      else
        set_rigid_motion(*candidate_fields, i, point.body, point.position, poses[point.body],
                         state);
      const auto frame = local_frame<dim>(row.normal);
      set_vector(candidate_fields->percussion, i, row.global_percussion());
      set_vector(contact_fields->normal, i, frame[0]);
      set_vector(contact_fields->tangent, i, frame[1]);
      candidate_fields->pressure->SetValue(i, pressure(row));
      candidate_fields->gap->SetValue(i, row.gap);
      candidate_fields->status->SetValue(i, static_cast<int>(row.status));
      contact_fields->pair->SetValue(i, static_cast<int>(row.key.pair));
      contact_fields->body->SetValue(i, body_number(point.body));
      contact_fields->obstacle->SetValue(i, body_number(row.obstacle));
      ++i;
    }
  }

  /// Points of rigid bodies have no area to bear a pressure.
  double pressure(const ContactRow<dim> &row) const {
    const double area = boundary.points[row.point].area;
    return area > 0. ? row.percussion[0] / (h * area) : 0.;
  }
};

template <int dim>
VtuOutput<dim>::VtuOutput(const std::string &directory, const System<dim> &bodies,
                          const Boundary<dim> &boundary, double h, const std::vector<double> &times)
    : files(std::make_unique<Files>(directory, bodies, boundary, h, times)) {}

template <int dim>
VtuOutput<dim>::~VtuOutput() = default;

template <int dim>
void VtuOutput<dim>::write(const State<dim> &state, const StepRecord<dim> &record) {
  const std::vector<RigidPose> poses = files->system.poses(state.q);
  files->fill_stress(state);
  files->fill_motion(state, poses);
  const auto table = contact_table(state, record);
  files->fill_contact(table);
  files->fill_contacts(state, poses, table);
  files->solution.write(state.time);
  files->candidates.write(state.time);
  files->times.push_back(state.time);
}

template <int dim>
void VtuOutput<dim>::finish() {
  files->background.finish();
}

template <int dim>
const std::vector<double> &VtuOutput<dim>::times() const {
  return files->times;
}

template class VtuOutput<2>;

} // namespace percussion
