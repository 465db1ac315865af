#include <percussion/body/cell_stress.h>
#include <percussion/output/vtu_output.h>

#include <vtkDataSetAttributes.h>
#include <vtkDoubleArray.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkSmartPointer.h>

#include "vtu_series.h"
#include <algorithm>
#include <array>
#include <future>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

namespace percussion {
namespace {

constexpr double no_gap = std::numeric_limits<double>::quiet_NaN();
constexpr int no_status = -1;

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

/// A named array of a grid's points or cells, set to a value.
template <typename Array>
Array *add_array(vtkUnstructuredGrid *grid, const char *name, int components, double value = 0,
                 int of = vtkDataObject::POINT) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(grid->GetNumberOfElements(of));
  array->Fill(value);
  grid->GetAttributes(of)->AddArray(array);
  return array; // the grid keeps it alive
}

/// The fields that the points of both files have.
struct PointFields {
  vtkUnstructuredGrid *grid;
  vtkDoubleArray *displacement = add_array<vtkDoubleArray>(grid, "displacement", 3);
  vtkDoubleArray *velocity = add_array<vtkDoubleArray>(grid, "velocity", 3);
  vtkDoubleArray *percussion = add_array<vtkDoubleArray>(grid, "percussion", 3);
  vtkDoubleArray *pressure = add_array<vtkDoubleArray>(grid, "pressure", 1);
  vtkDoubleArray *gap = add_array<vtkDoubleArray>(grid, "gap", 1, no_gap);
  vtkIntArray *status = add_array<vtkIntArray>(grid, "status", 1, no_status);
};

/// The fields that only contact points have.
struct ContactFields {
  vtkUnstructuredGrid *grid;
  vtkDoubleArray *normal = add_array<vtkDoubleArray>(grid, "normal", 3);
  vtkDoubleArray *tangent = add_array<vtkDoubleArray>(grid, "tangent", 3);
  vtkIntArray *pair = add_array<vtkIntArray>(grid, "pair", 1);
  vtkIntArray *body = add_array<vtkIntArray>(grid, "body", 1);
  vtkIntArray *obstacle = add_array<vtkIntArray>(grid, "obstacle", 1);
};

template <int dim>
vtkNew<vtkPoints> make_points(const std::vector<dealii::Point<dim>> &positions) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  for (const auto &x : positions)
    points->InsertNextPoint(x[0], x[1], dim == 3 ? x[dim - 1] : 0.);
  return points;
}

void add_cell(vtkUnstructuredGrid *grid, int type, const std::vector<vtkIdType> &ids) {
  grid->InsertNextCell(type, static_cast<vtkIdType>(ids.size()), ids.data());
}

/// deal.II orders the vertices of a quadrilateral lexicographically, VTK around it.
void add_cells(vtkUnstructuredGrid *grid, const dealii::Triangulation<2> &triangulation) {
  for (const auto &cell : triangulation.active_cell_iterators()) {
    const auto vertex = [&](unsigned int v) { return vtkIdType(cell->vertex_index(v)); };
    if (cell->n_vertices() == 3)
      add_cell(grid, VTK_TRIANGLE, {vertex(0), vertex(1), vertex(2)});
    else
      add_cell(grid, VTK_QUAD, {vertex(0), vertex(1), vertex(3), vertex(2)});
  }
}

/// A polygon or a stick whose vertices are consecutive points.
void add_cell(vtkUnstructuredGrid *grid, const Outline &outline, vtkIdType first_point) {
  std::vector<vtkIdType> ids(outline.size());
  std::iota(ids.begin(), ids.end(), first_point);
  add_cell(grid, ids.size() == 2 ? VTK_LINE : VTK_POLYGON, ids);
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

/// Whether it is a vertex of a rigid body against another.
template <int dim>
bool is_between_bodies(const ContactPoint<dim> &point) {
  return point.node == ContactPoint<dim>::none && point.obstacle != ContactPoint<dim>::none;
}

/// Percussion of a candidate in global coordinates.
template <int dim>
dealii::Tensor<1, dim> global_percussion(const StepRecord<dim> &record, unsigned int i) {
  const auto frame = local_frame<dim>(record.normal[i]);
  dealii::Tensor<1, dim> p;
  for (unsigned int r = 0; r < dim; ++r)
    p += record.percussion[dim * i + r] * frame[r];
  return p;
}

/// The number of a rigid body, or of the elastic one, in the files.
int body_number(unsigned int rigid_body) {
  return rigid_body == dealii::numbers::invalid_unsigned_int ? 0 : static_cast<int>(rigid_body) + 1;
}

} // namespace

template <int dim>
struct VtuOutput<dim>::Files {
  const System<dim> &system;
  const Contacts<dim> &contacts;
  double h;
  std::optional<CellStress<dim>> cell_stress;
  std::vector<double> times;
  VtuSeries solution, candidates;
  vtkNew<vtkUnstructuredGrid> mesh;          ///< points and cells of the solution
  std::vector<vtkIdType> first_vertex;       ///< of each rigid body, in the solution
  std::vector<vtkIdType> point_of_candidate; ///< in the solution; negative: none
  std::future<void> writing;                 ///< the last instant

  Files(const std::string &directory, const System<dim> &s, const Contacts<dim> &c, double step,
        const std::vector<double> &earlier)
      : system(s), contacts(c), h(step), times(earlier), solution(directory, vtu_series[0], times),
        candidates(directory, vtu_series[1], times) {
    if (system.elastic)
      cell_stress.emplace(system.elastic->space, system.elastic->material);
    make_mesh();
    for (const auto &point : contacts.points)
      point_of_candidate.push_back(solution_point(point));
  }

  void make_mesh() {
    std::vector<dealii::Point<dim>> points;
    if (system.elastic)
      points = system.elastic->space.nodes;
    for (const RigidBody &body : system.rigid) {
      first_vertex.push_back(static_cast<vtkIdType>(points.size()));
      points.insert(points.end(), body.outline.begin(), body.outline.end());
    }
    mesh->SetPoints(make_points(points));
    if (system.elastic)
      add_cells(mesh, system.elastic->space.mesh.triangulation);
    for (std::size_t b = 0; b < system.rigid.size(); ++b)
      add_cell(mesh, system.rigid[b].outline, first_vertex[b]);
  }

  /// The node or vertex that a candidate is.
  vtkIdType solution_point(const ContactPoint<dim> &point) const {
    if (point.node != ContactPoint<dim>::none)
      return static_cast<vtkIdType>(point.node);
    const Outline &outline = system.rigid[point.body].outline;
    const auto vertex = std::find(outline.begin(), outline.end(), point.position);
    return vertex == outline.end() ? -1 : first_vertex[point.body] + (vertex - outline.begin());
  }

  /// Zero in rigid bodies.
  void add_cell_data(vtkUnstructuredGrid *grid, const State<dim> &state) const {
    constexpr int cells = vtkDataObject::CELL;
    auto *const stress = add_array<vtkDoubleArray>(grid, "stress", 6, 0, cells);
    auto *const equivalent = add_array<vtkDoubleArray>(grid, "von_mises", 1, 0, cells);
    auto *const body = add_array<vtkIntArray>(grid, "body", 1, 0, cells);
    int k = 0;
    for (const char *const component : {"XX", "YY", "ZZ", "XY", "YZ", "XZ"})
      stress->SetComponentName(k++, component);
    const unsigned int n_cells = cell_stress ? cell_stress->n_cells() : 0;
    for (unsigned int c = 0; c < n_cells; ++c) {
      const auto s = (*cell_stress)(c, state.q);
      stress->SetTuple6(c, s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]);
      equivalent->SetValue(c, von_mises(s));
    }
    for (unsigned int b = 0; b < system.rigid.size(); ++b)
      body->SetValue(n_cells + b, static_cast<int>(b) + 1);
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

  void fill_motion(const PointFields &fields, const State<dim> &state,
                   const std::vector<RigidPose> &poses) const {
    if (system.elastic)
      for (std::size_t i = 0; i < system.elastic->space.nodes.size(); ++i)
        set_node_motion(fields, static_cast<vtkIdType>(i), system.elastic->space.node_dofs[i],
                        state);
    for (unsigned int b = 0; b < system.rigid.size(); ++b) {
      vtkIdType i = first_vertex[b];
      for (const auto &vertex : system.rigid[b].outline)
        set_rigid_motion(fields, i++, b, vertex, poses[b], state);
    }
  }

  /// A point may be a candidate of several surfaces and bodies: percussions add up, the nearest gap
  /// counts, and the status of one that carries.
  void fill_contact(const PointFields &fields, const State<dim> &state,
                    const StepRecord<dim> &record) const {
    std::vector<double> nearest(static_cast<std::size_t>(mesh->GetNumberOfPoints()),
                                std::numeric_limits<double>::infinity());
    std::vector<bool> carries(nearest.size(), false);
    for (unsigned int i = 0; i < contacts.size(); ++i) {
      const vtkIdType point = point_of_candidate[i];
      if (point < 0)
        continue;
      const auto p = global_percussion(record, i);
      for (unsigned int d = 0; d < dim; ++d) {
        const auto component = static_cast<int>(d);
        fields.percussion->SetComponent(point, component,
                                        fields.percussion->GetComponent(point, component) + p[d]);
      }
      fields.pressure->SetValue(point, fields.pressure->GetValue(point) + pressure(record, i));
      const double g = state.gaps.distance[i];
      if (has_percussion(record, i)) { // what carries counts before what is near
        fields.status->SetValue(point, static_cast<int>(record.status[i]));
        carries[static_cast<std::size_t>(point)] = true;
      }
      if (g < nearest[static_cast<std::size_t>(point)]) {
        nearest[static_cast<std::size_t>(point)] = g;
        fields.gap->SetValue(point, g);
        if (!carries[static_cast<std::size_t>(point)])
          fields.status->SetValue(point, static_cast<int>(record.status[i]));
      }
    }
  }

  /// All candidates but those between two rigid bodies that are far apart and were not active.
  std::vector<unsigned int> candidates_to_list(const State<dim> &state,
                                               const StepRecord<dim> &record) const {
    std::vector<bool> shown(contacts.size());
    for (unsigned int i = 0; i < contacts.size(); ++i) {
      // Of a step that was cut, a part before the last may have left a percussion.
      shown[i] = state.gaps.is_near(i) || !is_between_bodies(contacts.points[i]) ||
                 has_percussion(record, i);
    }
    for (const unsigned int i : record.active)
      shown[i] = true;
    std::vector<unsigned int> list;
    for (unsigned int i = 0; i < contacts.size(); ++i)
      if (shown[i])
        list.push_back(i);
    return list;
  }

  static bool has_percussion(const StepRecord<dim> &record, unsigned int i) {
    const auto p = record.percussion.begin() + dim * i;
    return std::any_of(p, p + dim, [](double component) { return component != 0.; });
  }

  /// That of the step. Bodies that have come near since then had none.
  dealii::Tensor<1, dim> normal(const State<dim> &state, const StepRecord<dim> &record,
                                unsigned int i) const {
    const bool of_instant = is_between_bodies(contacts.points[i]) && state.gaps.is_near(i) &&
                            !has_percussion(record, i);
    return of_instant ? state.gaps.normal[i] : record.normal[i];
  }

  Grid candidate_grid(const std::vector<unsigned int> &listed) const {
    std::vector<dealii::Point<dim>> positions;
    for (const unsigned int c : listed)
      positions.push_back(contacts.points[c].position);
    const Grid grid = Grid::New();
    grid->SetPoints(make_points(positions));
    grid->AllocateExact(grid->GetNumberOfPoints(), grid->GetNumberOfPoints());
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i)
      grid->InsertNextCell(VTK_VERTEX, 1, &i);
    return grid;
  }

  void fill_candidates(vtkUnstructuredGrid *grid, const std::vector<unsigned int> &listed,
                       const State<dim> &state, const std::vector<RigidPose> &poses,
                       const StepRecord<dim> &record) const {
    const PointFields fields{grid};
    const ContactFields of_contact{grid};
    for (std::size_t k = 0; k < listed.size(); ++k) {
      const unsigned int c = listed[k];
      const auto i = static_cast<vtkIdType>(k);
      const ContactPoint<dim> &point = contacts.points[c];
      if (point.body == ContactPoint<dim>::none)
        set_node_motion(fields, i, point.dofs, state);
      else
        set_rigid_motion(fields, i, point.body, point.position, poses[point.body], state);
      const auto frame = local_frame<dim>(normal(state, record, c));
      set_vector(fields.percussion, i, global_percussion(record, c));
      set_vector(of_contact.normal, i, frame[0]);
      set_vector(of_contact.tangent, i, frame[1]);
      of_contact.pair->SetValue(i, static_cast<int>(point.pair));
      of_contact.body->SetValue(i, body_number(point.body));
      of_contact.obstacle->SetValue(i, body_number(point.obstacle));
      fields.pressure->SetValue(i, pressure(record, c));
      fields.gap->SetValue(i, state.gaps.is_near(c) ? state.gaps.distance[c] : no_gap);
      fields.status->SetValue(i, static_cast<int>(record.status[c]));
    }
  }

  /// Points of rigid bodies have no area to bear a pressure.
  double pressure(const StepRecord<dim> &record, unsigned int i) const {
    const double area = contacts.points[i].area;
    return area > 0. ? record.percussion[dim * i] / (h * area) : 0.;
  }
};

template <int dim>
VtuOutput<dim>::VtuOutput(const std::string &directory, const System<dim> &bodies,
                          const Contacts<dim> &contacts, double h, const std::vector<double> &times)
    : files(std::make_unique<Files>(directory, bodies, contacts, h, times)) {}

template <int dim>
VtuOutput<dim>::~VtuOutput() = default;

template <int dim>
void VtuOutput<dim>::write(const State<dim> &state, const StepRecord<dim> &record) {
  const std::vector<RigidPose> poses = files->system.poses(state.q);
  const Grid solution = Grid::New();
  solution->CopyStructure(files->mesh);
  const PointFields fields{solution};
  files->fill_motion(fields, state, poses);
  files->fill_contact(fields, state, record);
  files->add_cell_data(solution, state);
  const auto listed = files->candidates_to_list(state, record);
  const Grid candidates = files->candidate_grid(listed);
  files->fill_candidates(candidates, listed, state, poses, record);
  finish();
  files->writing = std::async([this, solution, candidates, t = state.time] {
    files->solution.write(solution, t);
    files->candidates.write(candidates, t);
  });
  files->times.push_back(state.time);
}

template <int dim>
void VtuOutput<dim>::finish() {
  if (files->writing.valid())
    files->writing.get();
}

template <int dim>
const std::vector<double> &VtuOutput<dim>::times() const {
  return files->times;
}

template class VtuOutput<2>;

} // namespace percussion
