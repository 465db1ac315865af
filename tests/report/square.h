#pragma once

#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

/// Writes a unit square of two triangles, stretched to the right and pressed from below, as the
/// written instants of a run; with another stretch in the last one.
inline void write_square(const std::filesystem::path &folder, const std::vector<double> &times,
                         const double last_stretch = 2e-3) {
  std::filesystem::create_directories(folder);
  std::ofstream pvd(folder / "solution.pvd");
  pvd << "<VTKFile type=\"Collection\"><Collection>";
  for (std::size_t k = 0; k < times.size(); ++k) {
    vtkNew<vtkPoints> points;
    for (const auto &[x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      points->InsertNextPoint(x, y, 0);
    vtkNew<vtkUnstructuredGrid> mesh;
    mesh->SetPoints(points);
    const vtkIdType first[3] = {0, 1, 2}, second[3] = {0, 2, 3};
    mesh->InsertNextCell(VTK_TRIANGLE, 3, first);
    mesh->InsertNextCell(VTK_TRIANGLE, 3, second);
    vtkNew<vtkDoubleArray> displacement, percussion;
    displacement->SetName("displacement");
    percussion->SetName("percussion");
    for (auto *array : {displacement.Get(), percussion.Get()})
      array->SetNumberOfComponents(3);
    const double stretch = k > 0 && k + 1 == times.size() ? last_stretch : 1e-3;
    for (int i = 0; i < 4; ++i) {
      displacement->InsertNextTuple3(points->GetPoint(i)[0] * stretch, 0, 0);
      percussion->InsertNextTuple3(0, i < 2 ? 1 + i : 0, 0);
    }
    mesh->GetPointData()->AddArray(displacement);
    mesh->GetPointData()->AddArray(percussion);
    const std::string name = "solution-00000" + std::to_string(k) + ".vtu";
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / name).c_str());
    writer->SetInputData(mesh);
    writer->Write();
    pvd << "<DataSet timestep=\"" << times[k] << "\" part=\"0\" file=\"" << name << "\"/>";
  }
  pvd << "</Collection></VTKFile>\n";
}
