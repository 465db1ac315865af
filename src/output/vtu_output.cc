#include <percussion/body/cell_stress.h>
#include <percussion/io/error.h>
#include <percussion/output/vtu_output.h>

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFieldData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <future>
#include <limits>
#include <map>
#include <vector>

namespace percussion {
namespace {

/// A named array of a grid's points or cells, set to a value.
template <typename Array>
Array *add_array(vtkDataSetAttributes *data, const char *name, int components, vtkIdType n,
                 double value) {
  vtkNew<Array> array;
  array->SetName(name);
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(n);
  array->Fill(value);
  data->AddArray(array);
  return array; // the grid keeps it alive
}

/// The fields that the points of both files have.
struct PointFields {
  vtkDoubleArray *displacement, *velocity, *percussion, *pressure, *gap;
  vtkIntArray *status;

  PointFields(vtkUnstructuredGrid *grid, vtkIdType n)
      : displacement(add_array<vtkDoubleArray>(grid->GetPointData(), "displacement", 3, n, 0)),
        velocity(add_array<vtkDoubleArray>(grid->GetPointData(), "velocity", 3, n, 0)),
        percussion(add_array<vtkDoubleArray>(grid->GetPointData(), "percussion", 3, n, 0)),
        pressure(add_array<vtkDoubleArray>(grid->GetPointData(), "pressure", 1, n, 0)),
        gap(add_array<vtkDoubleArray>(grid->GetPointData(), "gap", 1, n,
                                      std::numeric_limits<double>::quiet_NaN())),
        status(add_array<vtkIntArray>(grid->GetPointData(), "status", 1, n, -1)) {}
};

void write_file(const std::string &file, const std::string &content) {
  std::ofstream out(file, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  if (!out)
    throw RunError(file + ": cannot be written (disk full, or no permission?)");
}

/// Files of one kind that a PVD file lists with their times.
class Series {
public:
  Series(std::string dir, std::string series_name)
      : directory(std::move(dir)), name(std::move(series_name)) {
    time->SetName("TimeValue");
    time->SetNumberOfTuples(1);
    grid->GetFieldData()->AddArray(time);
    writer->SetInputData(grid);
    writer->SetDataModeToAppended();
    writer->EncodeAppendedDataOff();
    writer->SetCompressorTypeToLZ4();
    // Into memory and from there to the file at once: the writer flushes after every element, which
    // would make writing a large part of a run.
    writer->WriteToOutputStringOn();
    collection.open(directory + "/" + name + ".pvd", std::ios::binary);
    append_to_collection("<?xml version=\"1.0\"?>\n"
                         "<VTKFile type=\"Collection\" version=\"1.0\" "
                         "byte_order=\"LittleEndian\">\n"
                         "  <Collection>\n");
  }

  vtkNew<vtkUnstructuredGrid> grid;

  void write(double t) {
    char file[64];
    std::snprintf(file, sizeof file, "%s-%06u.vtu", name.c_str(), n_listed);
    time->SetValue(0, t);
    forget_ranges();
    writer->Write();
    char entry[160];
    std::snprintf(entry, sizeof entry, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n",
                  t, file);
    finish();
    being_written = std::async(std::launch::async,
                               [this, path = directory + "/" + file,
                                content = writer->GetOutputString(), entry = std::string(entry)] {
                                 write_file(path, content);
                                 append_to_collection(entry);
                               });
    ++n_listed;
  }

  /// Wait for what is being written; its failure is thrown here.
  void finish() {
    if (being_written.valid())
      being_written.get();
  }

  unsigned int size() const { return n_listed; }

private:
  /// Arrays keep the range of their values until they are told to have changed.
  void forget_ranges() {
    time->Modified();
    vtkFieldData *const all[] = {grid->GetPointData(), grid->GetCellData()};
    for (vtkFieldData *const data : all)
      for (int k = 0; k < data->GetNumberOfArrays(); ++k)
        data->GetAbstractArray(k)->Modified();
    grid->Modified();
  }

  /// The new entry takes the place of the closing tags and brings them again, in one write, so that
  /// the list is complete at every moment.
  void append_to_collection(const std::string &entry) {
    const std::string closing_tags = "  </Collection>\n</VTKFile>\n";
    collection.seekp(end_of_entries);
    collection << entry << closing_tags << std::flush;
    if (!collection)
      throw RunError(directory + "/" + name +
                     ".pvd: cannot be written (disk full, or no "
                     "permission?)");
    end_of_entries += static_cast<std::streamoff>(entry.size());
  }

  std::string directory, name;
  vtkNew<vtkDoubleArray> time;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  std::ofstream collection;
  std::streamoff end_of_entries = 0;
  unsigned int n_listed = 0;
  std::future<void> being_written; ///< last: it uses the others until it is done
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

template <int dim>
std::vector<dealii::Point<dim>> candidate_positions(const Contacts<dim> &contacts) {
  std::vector<dealii::Point<dim>> positions;
  for (const auto &point : contacts.points)
    positions.push_back(point.position);
  return positions;
}

/// deal.II goes through a quadrilateral lexicographically, VTK around it.
void add_cells(vtkUnstructuredGrid *grid, const dealii::Triangulation<2> &triangulation) {
  for (const auto &cell : triangulation.active_cell_iterators()) {
    const auto vertex = [&](unsigned int v) { return vtkIdType(cell->vertex_index(v)); };
    if (cell->n_vertices() == 3) {
      const std::array<vtkIdType, 3> ids = {{vertex(0), vertex(1), vertex(2)}};
      grid->InsertNextCell(VTK_TRIANGLE, 3, ids.data());
    } else {
      const std::array<vtkIdType, 4> ids = {{vertex(0), vertex(1), vertex(3), vertex(2)}};
      grid->InsertNextCell(VTK_QUAD, 4, ids.data());
    }
  }
}

template <int dim>
void set_vector(vtkDoubleArray *array, std::size_t i, const std::array<unsigned int, dim> &dofs,
                const Vector &field) {
  for (unsigned int d = 0; d < dim; ++d)
    array->SetComponent(static_cast<vtkIdType>(i), static_cast<int>(d), entries(field)[dofs[d]]);
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

} // namespace

template <int dim>
struct VtuOutput<dim>::Files {
  const ElasticBody<dim> &body;
  const Contacts<dim> &contacts;
  double h;
  CellStress<dim> cell_stress;
  Series solution, candidates;
  PointFields solution_fields, candidate_fields;
  vtkDoubleArray *stress, *equivalent_stress, *normal, *tangent;

  Files(const std::string &directory, const ElasticBody<dim> &b, const Contacts<dim> &c,
        double step)
      : body(b), contacts(c), h(step), cell_stress(b.space, b.material),
        solution(directory, "solution"), candidates(directory, "contacts"),
        solution_fields(solution.grid, static_cast<vtkIdType>(b.space.nodes.size())),
        candidate_fields(candidates.grid, static_cast<vtkIdType>(c.size())) {
    solution.grid->SetPoints(make_points(body.space.nodes));
    add_cells(solution.grid, body.space.mesh.triangulation);
    const vtkIdType n_cells = solution.grid->GetNumberOfCells();
    auto *const cell_data = solution.grid->GetCellData();
    stress = add_array<vtkDoubleArray>(cell_data, "stress", 6, n_cells, 0);
    const std::array<const char *, 6> names = {{"XX", "YY", "ZZ", "XY", "YZ", "XZ"}};
    for (int k = 0; k < 6; ++k)
      stress->SetComponentName(k, names[static_cast<std::size_t>(k)]);
    equivalent_stress = add_array<vtkDoubleArray>(cell_data, "von_mises", 1, n_cells, 0);

    candidates.grid->SetPoints(make_points(candidate_positions(contacts)));
    const auto n = static_cast<vtkIdType>(contacts.size());
    for (vtkIdType i = 0; i < n; ++i)
      candidates.grid->InsertNextCell(VTK_VERTEX, 1, &i);
    normal = add_array<vtkDoubleArray>(candidates.grid->GetPointData(), "normal", 3, n, 0);
    tangent = add_array<vtkDoubleArray>(candidates.grid->GetPointData(), "tangent", 3, n, 0);
  }

  void fill_stress(const State<dim> &state) {
    for (unsigned int c = 0; c < cell_stress.n_cells(); ++c) {
      const auto s = cell_stress(c, state.q);
      const std::array<double, 6> components = {
          {s[0][0], s[1][1], s[2][2], s[0][1], s[1][2], s[0][2]}};
      stress->SetTuple(static_cast<vtkIdType>(c), components.data());
      equivalent_stress->SetValue(static_cast<vtkIdType>(c), von_mises(s));
    }
  }

  void fill_nodes(const State<dim> &state, const StepRecord<dim> &record) {
    solution_fields.percussion->Fill(0);
    solution_fields.pressure->Fill(0);
    for (std::size_t i = 0; i < body.space.nodes.size(); ++i) {
      set_vector<dim>(solution_fields.displacement, i, body.space.node_dofs[i], state.q);
      set_vector<dim>(solution_fields.velocity, i, body.space.node_dofs[i], state.v);
    }
    // A node may be a candidate of several surfaces: percussions add up, the nearest gap counts.
    std::map<unsigned int, double> nearest;
    for (unsigned int i = 0; i < contacts.size(); ++i) {
      const auto node = static_cast<vtkIdType>(contacts.points[i].node);
      const auto p = global_percussion(record, i);
      for (unsigned int d = 0; d < dim; ++d)
        solution_fields.percussion->SetComponent(
            node, static_cast<int>(d),
            solution_fields.percussion->GetComponent(node, static_cast<int>(d)) + p[d]);
      solution_fields.pressure->SetValue(node, solution_fields.pressure->GetValue(node) +
                                                   pressure(record, i));
      const double g = state.gaps.distance[i];
      const auto found = nearest.find(contacts.points[i].node);
      if (found == nearest.end() || g < found->second) {
        nearest[contacts.points[i].node] = g;
        solution_fields.gap->SetValue(node, g);
        solution_fields.status->SetValue(node, static_cast<int>(record.status[i]));
      }
    }
  }

  void fill_candidates(const State<dim> &state, const StepRecord<dim> &record) {
    for (unsigned int i = 0; i < contacts.size(); ++i) {
      set_vector<dim>(candidate_fields.displacement, i, contacts.points[i].dofs, state.q);
      set_vector<dim>(candidate_fields.velocity, i, contacts.points[i].dofs, state.v);
      const auto p = global_percussion(record, i);
      const auto frame = local_frame<dim>(record.normal[i]);
      for (unsigned int d = 0; d < dim; ++d) {
        candidate_fields.percussion->SetComponent(i, static_cast<int>(d), p[d]);
        normal->SetComponent(i, static_cast<int>(d), frame[0][d]);
        tangent->SetComponent(i, static_cast<int>(d), frame[1][d]);
      }
      candidate_fields.pressure->SetValue(i, pressure(record, i));
      candidate_fields.gap->SetValue(i, state.gaps.distance[i]);
      candidate_fields.status->SetValue(i, static_cast<int>(record.status[i]));
    }
  }

  double pressure(const StepRecord<dim> &record, unsigned int i) const {
    return record.percussion[dim * i] / (h * contacts.points[i].area);
  }
};

template <int dim>
VtuOutput<dim>::VtuOutput(const std::string &directory, const ElasticBody<dim> &body,
                          const Contacts<dim> &contacts, double h)
    : files(std::make_unique<Files>(directory, body, contacts, h)) {}

template <int dim>
VtuOutput<dim>::~VtuOutput() = default;

template <int dim>
void VtuOutput<dim>::write(const State<dim> &state, const StepRecord<dim> &record) {
  files->fill_stress(state);
  files->fill_nodes(state, record);
  files->fill_candidates(state, record);
  files->solution.write(state.time);
  files->candidates.write(state.time);
}

template <int dim>
void VtuOutput<dim>::finish() {
  files->solution.finish();
  files->candidates.finish();
}

template <int dim>
unsigned int VtuOutput<dim>::n_written() const {
  return files->solution.size();
}

template class VtuOutput<2>;

} // namespace percussion
