#include <percussion/base/freed_memory.h>
#include <percussion/base/instantiate.h>
#include <percussion/base/processes.h>
#include <percussion/body/cell_stress.h>
#include <percussion/body/nodal_stress.h>
#include <percussion/output/vtu_output.h>

#include <vtkSmartPointer.h>

#include "contact_grid.h"
#include "field_selection.h"
#include "ground.h"
#include "piece_series.h"
#include "solution_piece.h"
#include "stress_arrays.h"
#include "vtkhdf_series.h"
#include "vtu_fields.h"
#include "vtu_series.h"
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <future>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace percussion {
namespace {

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

using Series = std::variant<VtuSeries, VtkHdfSeries>;

Series make_series(FieldFormat format, const std::string &directory, const char *name,
                   const std::vector<double> &times, StoredMesh mesh) {
  if (format == FieldFormat::vtkhdf)
    return VtkHdfSeries(directory, name, times, mesh);
  return VtuSeries(directory, name, times);
}

/// Files that the first process alone writes: the series, except for pieces, and the ground.
template <int dim>
struct FirstFiles {
  FirstFiles(const std::string &directory, const Boundary<dim> &boundary,
             const std::vector<double> &times, FieldFormat format)
      : solution(make_series(format, directory, vtu_series[0], times, StoredMesh::once)),
        contacts(make_series(format, directory, vtu_series[1], times, StoredMesh::each_instant)),
        ground(directory, boundary, times.size()) {}

  Series solution, contacts;
  Ground<dim> ground;
};

void write(Series &series, const Grid &grid, double t) {
  std::visit([&](auto &files) { files.write(grid, t); }, series);
}

void append_sums(const Series &series, std::vector<FileSum> &all) {
  const std::vector<FileSum> sums =
      std::visit([](const auto &files) -> std::vector<FileSum> { return files.sums(); }, series);
  all.insert(all.end(), sums.begin(), sums.end());
}

} // namespace

template <int dim>
struct VtuOutput<dim>::Files {
  const System<dim> &system;
  const Boundary<dim> &boundary;
  double h;
  FieldOptions options;
  std::vector<double> times;
  std::optional<FirstFiles<dim>> first_files;
  SolutionPiece<dim> piece;
  ContactGrid<dim> contact_grid;
  std::optional<PieceSeries> pieces;          ///< present if the solution is divided
  std::vector<CellStress<dim>> cell_stress;   ///< stress of the cells of each elastic body
  std::vector<NodalStress<dim>> nodal_stress; ///< present if it is to be written
  bool writes_stresses;                       ///< true if stresses of cells or nodes are
  std::vector<BodyStresses> gathered;         ///< stresses of the instant to be written next
  std::vector<std::string> history_fields;    ///< fields of the histories of materials with memory
  /// Point of the solution of each stored contact point; no value for the centre of a sphere, which
  /// is no vertex, and for points that another process writes.
  std::vector<std::optional<vtkIdType>> solution_points;
  /// Point of the solution and tributary area, for nodes whose faces may be touched or have
  /// quadrature points, by their first entry in the trace.
  std::map<unsigned int, std::pair<vtkIdType, double>> contact_nodes;
  std::future<WrittenFiles> writing; ///< task that writes the last instant
  std::exception_ptr failure;        ///< failure of this task

  Files(const std::string &directory, const System<dim> &s, const Boundary<dim> &b, double step,
        const std::vector<double> &earlier_times, const FieldOptions &field_options)
      : system(s), boundary(b), h(step), options(field_options), times(earlier_times),
        piece(system, writes_pieces(system, options)), contact_grid(system, boundary, h) {
    if (processes::is_first())
      first_files.emplace(directory, boundary, times, options.format);
    if (!piece.writers().empty())
      pieces.emplace(directory, vtu_series[0], piece.writers(), times.size());
    for (std::size_t i = 0; i < system.elastic.size(); ++i)
      cell_stress.emplace_back(*system.elastic[i], piece.division.cells[i],
                               piece.division.partition);
    const auto is_any = [&](const std::string &prefix) {
      return is_selected(options, prefix + "stress") || is_selected(options, prefix + "von_mises");
    };
    writes_stresses = is_any("") || is_any("nodal_");
    if (is_any("nodal_"))
      for (std::size_t i = 0; i < system.elastic.size(); ++i)
        nodal_stress.emplace_back(system, piece.division, i);
    for (const std::string &name : output_names(system))
      if (is_selected(options, name))
        history_fields.push_back(name);
    for (const auto &point : boundary.points)
      solution_points.push_back(solution_point(point));
    for (const auto &side_facets : boundary.facets)
      for (const auto &node : side_facets.nodes)
        add_contact_node(node.entry, node.elastic, node.node, node.area);
    for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
      if (boundary.pairs[i].contact_points == ContactPoints::quadrature &&
          !boundary.pairs[i].is_on_faces())
        add_nodes_of_points(i);
  }

  void add_contact_node(unsigned int entry, unsigned int elastic, unsigned int node, double area) {
    if (const auto point = piece.point_of_node(elastic, node))
      contact_nodes[entry] = {*point, area};
  }

  /// Adds the nodes whose faces have quadrature points.
  void add_nodes_of_points(unsigned int pair) {
    for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
      if (const auto *const point = boundary.points[i].quadrature_point()) {
        const auto [body, region] = system.region(*boundary.pairs[pair].region());
        const std::vector<double> area = tributary_areas(*body, *region);
        for (const unsigned int node : region->nodes)
          add_contact_node(boundary.trace.node_entry(body->space, node), point->elastic, node,
                           area[node]);
        return;
      }
  }

  /// Returns the node or vertex of a contact point in the solution.
  std::optional<vtkIdType> solution_point(const ContactPoint<dim> &point) const {
    if (const MeshNode *const own = point.mesh_node())
      return piece.point_of_node(own->elastic, own->node);
    const auto body = point.rigid_body();
    return body ? piece.point_of_vertex(*body, point.position) : std::nullopt;
  }

  /// Returns the point of a contact in the solution; no value if there is none, also for contacts
  /// of polyhedra that are not at a vertex of the first.
  std::optional<vtkIdType> point_of(const ContactRow<dim> &row) const {
    return is_at_point(boundary, row) ? solution_points[boundary.points.index_in_storage(row.point)]
                                      : std::nullopt;
  }

  /// Adds the deformed fibres, which are zero in bodies without.
  void add_fibres(vtkUnstructuredGrid *grid, const State<dim> &state) const {
    std::vector<vtkDoubleArray *> families;
    for (const std::string &name : fibre_names(system))
      families.push_back(add_selected(grid, options, name, 3, vtkDataObject::CELL));
    if (std::all_of(families.begin(), families.end(), [](auto *array) { return array == nullptr; }))
      return;
    vtkIdType cell = 0;
    for (const CellStress<dim> &body : cell_stress)
      for (unsigned int c = 0; c < body.n_cells(); ++c, ++cell) {
        const FibreDirections fibres = body.deformed_fibres(c, state.q);
        for (std::size_t family = 0; family < families.size(); ++family)
          if (families[family] != nullptr)
            families[family]->SetTuple3(cell, fibres[family][0], fibres[family][1],
                                        fibres[family][2]);
      }
  }

  /// Adds fields of histories, which are zero in rigid bodies, and the numbers of the bodies.
  void add_cell_data(vtkUnstructuredGrid *grid, const State<dim> &state) const {
    auto *const body = add_array<vtkIntArray>(grid, "body", 1, 0, vtkDataObject::CELL);
    for (const std::string &name : history_fields) {
      auto *const output = add_array<vtkDoubleArray>(grid, name.c_str(), 1, 0, vtkDataObject::CELL);
      vtkIdType cell = 0;
      for (std::size_t b = 0; b < cell_stress.size(); ++b)
        for (unsigned int c = 0; c < cell_stress[b].n_cells(); ++c)
          output->SetValue(cell++, cell_stress[b].history_output(
                                       c, history_of_body(state.material_history, b), name));
    }
    vtkIdType cell = piece.n_cells - static_cast<vtkIdType>(piece.body_of_cell.size());
    for (const int number : piece.body_of_cell)
      body->SetValue(cell++, number);
  }

  /// Returns the stresses of the cells and of all nodes, body by body; empty if they are not to be
  /// written. Collective if the processes write pieces.
  std::vector<BodyStresses> stresses(const State<dim> &state) const {
    std::vector<BodyStresses> bodies;
    for (std::size_t b = 0; writes_stresses && b < cell_stress.size(); ++b) {
      BodyStresses &stress = bodies.emplace_back();
      stress.cells.resize(system.elastic[b]->space.n_cells());
      const std::vector<unsigned int> &cells = piece.division.cells[b];
      for (unsigned int c = 0; c < cells.size(); ++c)
        stress.cells[cells[c]] =
            cell_stress[b](c, state.q, history_of_body(state.material_history, b));
      if (!nodal_stress.empty())
        stress.nodes = nodal_stress[b](stress.cells);
    }
    return bodies;
  }

  void add_stresses(vtkUnstructuredGrid *grid, const std::vector<BodyStresses> &bodies) const {
    const StressArrays cells(grid, options, "", vtkDataObject::CELL),
        nodes(grid, options, "nodal_", vtkDataObject::POINT);
    vtkIdType cell = 0;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (const unsigned int index : piece.division.cells[b])
        cells.set(cell++, bodies[b].cells[index]);
      if (!bodies[b].nodes.empty())
        set_nodal_stress(nodes, b, bodies[b].nodes);
    }
  }

  void set_nodal_stress(const StressArrays &arrays, std::size_t body,
                        const std::vector<SpaceTensor> &stress) const {
    vtkIdType point = piece.elastic[body].first_point;
    for (const unsigned int node : piece.elastic[body].nodes)
      arrays.set(point++, stress[node]);
    for (const auto &[middle, middle_point] : piece.elastic[body].middles) {
      const auto &ends = system.elastic[body]->space.middles.linear[middle];
      SpaceTensor sum;
      for (const unsigned int node : ends)
        sum += stress[node];
      arrays.set(middle_point, sum / static_cast<double>(ends.size()));
    }
  }

  /// Returns the mean of a field over nodes.
  static dealii::Tensor<1, dim>
  mean_value(const Space<dim> &space, const std::vector<unsigned int> &nodes, const Vector &field) {
    dealii::Tensor<1, dim> sum;
    for (const unsigned int node : nodes)
      sum += space.value_at(node, field);
    return sum / static_cast<double>(nodes.size());
  }

  void fill_motion(const PointFields &fields, const State<dim> &state,
                   const std::vector<RigidPose<dim>> &poses) const {
    vtkIdType point = 0;
    for (std::size_t b = 0; b < system.elastic.size(); ++b)
      for (const unsigned int node : piece.elastic[b].nodes) {
        const Space<dim> &space = system.elastic[b]->space;
        set_vector(fields.displacement, point, space.value_at(node, state.q));
        set_vector(fields.velocity, point++, space.value_at(node, state.v));
      }
    for (std::size_t b = 0; b < system.elastic.size(); ++b)
      for (const auto &[middle, middle_point] : piece.elastic[b].middles) {
        const Space<dim> &space = system.elastic[b]->space;
        const auto &nodes = space.middles.linear[middle];
        set_vector(fields.displacement, middle_point, mean_value(space, nodes, state.q));
        set_vector(fields.velocity, middle_point, mean_value(space, nodes, state.v));
        ++point;
      }
    for (unsigned int b = 0; b < piece.vertices.size(); ++b)
      for (const auto &vertex : piece.vertices[b])
        set_rigid_motion(fields, point++, system, b, vertex, poses[b], state);
  }

  /// Returns the box of all bodies at their displaced positions.
  Box<dim> box_of(const State<dim> &state, const std::vector<RigidPose<dim>> &poses) const {
    Box<dim> box;
    for (const auto &body : system.elastic)
      for (unsigned int node = 0; node < body->space.n_nodes(); ++node)
        box.include(body->space.nodes[node] + body->space.value_at(node, state.q));
    for (unsigned int b = 0; b < piece.vertices.size(); ++b)
      for (const auto &vertex : piece.vertices[b])
        box.include(poses[b].position(system.rigid[b], vertex));
    return box;
  }

  /// Calls add(point, area) for the node of an entry in the trace, if this process writes it.
  template <typename Add>
  void visit_node(unsigned int entry, const Add &add) const {
    if (const auto node = contact_nodes.find(entry); node != contact_nodes.end())
      add(node->second.first, node->second.second);
  }

  /// Adds the percussions that nodes receive from points touching their faces to the percussions of
  /// their own contacts.
  void add_node_percussions(const PointFields &fields, const StepRecord<dim> &record,
                            const ContactSums<dim> &sums) const {
    for (const NodePercussion<dim> &node : sums.node_percussions)
      visit_node(node.entry, [&](vtkIdType point, double) {
        add_vector(fields.percussion_sum, point, node.percussion);
        set_worst(fields.status_max, point, node.status);
      });
    for (const NodePercussion<dim> &node : record.node_percussions)
      visit_node(node.entry, [&](vtkIdType point, double area) {
        add_vector(fields.percussion, point, node.percussion);
        fields.pressure->SetValue(point,
                                  fields.pressure->GetValue(point) + node.normal / (h * area));
        set_worst(fields.status, point, node.status);
      });
  }

  /// Distributes the account of a quadrature point to the nodes of its face by their shape values.
  void add_account_to_nodes(const PointFields &fields, const ContactRow<dim> &row) const {
    const SupportRange shape = boundary.points[row.point].shape();
    for (unsigned int k = shape.begin; k + dim <= shape.end; k += dim) {
      const Support<dim> &first = boundary.supports[k];
      visit_node(first.entry,
                 [&](vtkIdType point, double) { fields.add_contact(point, row, first.weight[0]); });
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
    std::vector<double> nearest(static_cast<std::size_t>(piece.n_points),
                                std::numeric_limits<double>::infinity());
    std::vector<bool> carries(nearest.size(), false);
    for (const auto &point : solution_points)
      if (point)
        set_open(*point);
    for (const ContactRow<dim> &row : table) {
      const auto point_of_row = point_of(row);
      if (!point_of_row) {
        add_account_to_nodes(fields, row);
        continue;
      }
      const vtkIdType point = *point_of_row;
      fields.add_contact(point, row);
      add_vector(fields.percussion, point, global_percussion(row));
      add_vector(fields.percussion_sum, point, row.percussion_sum);
      set_worst(fields.status_max, point, std::max(row.status, row.status_max));
      fields.pressure->SetValue(point, fields.pressure->GetValue(point) + pressure(row, h));
      if (row.carries()) { // the status of a carrying contact has priority over a close one
        fields.status->SetValue(point, static_cast<int>(row.status));
        carries[static_cast<std::size_t>(point)] = true;
      }
      if (std::isless(row.gap, nearest[static_cast<std::size_t>(point)])) { // not if it is unknown
        nearest[static_cast<std::size_t>(point)] = row.gap;
        fields.gap->SetValue(point, row.gap);
        if (!carries[static_cast<std::size_t>(point)])
          fields.status->SetValue(point, static_cast<int>(row.status));
      }
    }
  }
};

std::string series_files(FieldFormat format) {
  const std::string ending = format == FieldFormat::vtkhdf ? vtkhdf_ending : ".pvd";
  return vtu_series[0] + ending + ", " + vtu_series[1] + ending;
}

template <int dim>
bool writes_pieces(const System<dim> &bodies, const FieldOptions &options) {
  return options.format == FieldFormat::vtu && processes::number() > 1 && !bodies.elastic.empty();
}

template <int dim>
VtuOutput<dim>::VtuOutput(const std::string &directory, const System<dim> &bodies,
                          const Boundary<dim> &boundary, double h, const std::vector<double> &times,
                          const FieldOptions &options)
    : files(std::make_unique<Files>(directory, bodies, boundary, h, times, options)) {}

template <int dim>
VtuOutput<dim>::~VtuOutput() = default;

template <int dim>
void VtuOutput<dim>::gather(const State<dim> &state) {
  if (files->pieces)
    files->gathered = files->stresses(state);
}

template <int dim>
void VtuOutput<dim>::write(const State<dim> &state, const StepRecord<dim> &record,
                           const ContactSums<dim> &sums,
                           const std::vector<ContactAccount<dim>> &accounts) {
  const std::vector<RigidPose<dim>> poses = files->system.poses(state.q);
  wait(); // one instant at a time is in memory
  Grid solution = files->piece.grid_of_instant();
  const auto fields = PointFields::add_to<dim>(solution);
  files->fill_motion(fields, state, poses);
  if (files->first_files && !files->first_files->ground.is_empty())
    files->first_files->ground.add(files->box_of(state, poses), state.time);
  const auto table = contact_table(state, record, sums, accounts);
  files->fill_contact(fields, table);
  files->add_node_percussions(fields, record, sums);
  files->add_stresses(solution,
                      files->pieces ? std::exchange(files->gathered, {}) : files->stresses(state));
  files->add_cell_data(solution, state);
  files->add_fibres(solution, state);
  remove_unselected(solution, files->options);
  if (files->options.is_single)
    round_to_single(solution);
  Grid contacts;
  if (files->first_files) {
    contacts = files->contact_grid.grid_of_instant(state, poses, table);
  }
  const std::string file_of_piece =
      files->pieces ? files->pieces->begin(state.time, solution) : std::string();
  // The task alone owns the grids: a second owner's release would search a grid for references
  // while the task deletes it. A finished task keeps its data until the next one begins; it must
  // not keep the grids.
  files->writing = std::async([this, solution = std::move(solution), contacts = std::move(contacts),
                               file_of_piece, n = files->times.size(), t = state.time]() mutable {
    WrittenFiles written;
    auto &lists = files->first_files;
    if (!files->pieces) {
      percussion::write(lists->solution, std::exchange(solution, Grid()), t);
      percussion::write(lists->contacts, std::exchange(contacts, Grid()), t);
    } else {
      if (!files->piece.is_empty())
        written.piece = write_vtu(file_of_piece, std::exchange(solution, Grid()), t);
      if (lists)
        written.contacts = write_vtu(std::get<VtuSeries>(lists->contacts).file(n),
                                     std::exchange(contacts, Grid()), t);
    }
    if (files->piece.is_large())
      trim_heap();
    return written;
  });
  files->times.push_back(state.time);
  // The grid of many points takes as much memory as iterations for many contacts.
  if (files->piece.is_huge())
    files->writing.wait();
}

template <int dim>
void VtuOutput<dim>::wait() {
  if (files->failure)
    std::rethrow_exception(std::exchange(files->failure, nullptr));
  if (!files->writing.valid())
    return;
  const WrittenFiles written = files->writing.get();
  if (files->pieces)
    files->pieces->note(written);
}

template <int dim>
bool VtuOutput<dim>::has_incomplete() const {
  return files->pieces && files->pieces->has_incomplete();
}

template <int dim>
void VtuOutput<dim>::collect() {
  if (!files->pieces)
    return;
  if (files->writing.valid() &&
      files->writing.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    try {
      wait();
    } catch (...) {
      files->failure = std::current_exception();
    }
  files->pieces->collect();
}

template <int dim>
void VtuOutput<dim>::list() {
  if (files->pieces && files->first_files)
    files->pieces->list(std::get<VtuSeries>(files->first_files->solution),
                        std::get<VtuSeries>(files->first_files->contacts));
}

template <int dim>
void VtuOutput<dim>::write_ground() {
  if (files->first_files)
    files->first_files->ground.write(files->times);
}

template <int dim>
const std::vector<double> &VtuOutput<dim>::times() const {
  return files->times;
}

template <int dim>
std::vector<FileSum> VtuOutput<dim>::sums() const {
  std::vector<FileSum> all;
  append_sums(files->first_files->solution, all);
  append_sums(files->first_files->contacts, all);
  if (const auto &ground_sum = files->first_files->ground.sum())
    all.push_back(*ground_sum);
  return all;
}

PERCUSSION_INSTANTIATE(writes_pieces);
template class VtuOutput<2>;
template class VtuOutput<3>;

} // namespace percussion
