#pragma once

#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

/// A point of contacts.pvd that has not moved.
struct ContactPoint {
  std::array<double, 2> position, percussion, normal;
  double pressure, gap;
  int status = 0, pair = 0, body = 0, obstacle = 0;
};

/// Writes contacts.pvd and the files of its instants, contacts-0.vtu and so on.
inline void
write_contacts(const fs::path &folder,
               const std::vector<std::pair<double, std::vector<ContactPoint>>> &instants) {
  std::ofstream pvd(folder / "contacts.pvd");
  pvd << "<VTKFile type=\"Collection\"><Collection>";
  int number = 0;
  for (const auto &[time, contacts] : instants) {
    vtkNew<vtkPoints> points;
    vtkNew<vtkUnstructuredGrid> grid;
    grid->SetPoints(points);
    const auto add = [&](const char *name, const int components) {
      vtkNew<vtkDoubleArray> array;
      array->SetName(name);
      array->SetNumberOfComponents(components);
      grid->GetPointData()->AddArray(array);
      return array.Get(); // the grid keeps it alive
    };
    auto *displacement = add("displacement", 3), *percussion = add("percussion", 3);
    auto *normal = add("normal", 3), *pressure = add("pressure", 1), *gap = add("gap", 1);
    std::vector<vtkDataArray *> integers;
    for (const char *name : {"status", "pair", "body", "obstacle"})
      integers.push_back(add(name, 1));
    for (const ContactPoint &contact : contacts) {
      const vtkIdType id = points->InsertNextPoint(contact.position[0], contact.position[1], 0);
      grid->InsertNextCell(VTK_VERTEX, 1, &id);
      displacement->InsertNextTuple3(0, 0, 0);
      percussion->InsertNextTuple3(contact.percussion[0], contact.percussion[1], 0);
      normal->InsertNextTuple3(contact.normal[0], contact.normal[1], 0);
      pressure->InsertNextValue(contact.pressure);
      gap->InsertNextValue(contact.gap);
      const std::array<int, 4> values = {contact.status, contact.pair, contact.body,
                                         contact.obstacle};
      for (std::size_t k = 0; k < values.size(); ++k)
        integers[k]->InsertNextTuple1(values[k]);
    }
    const std::string name = "contacts-" + std::to_string(number++) + ".vtu";
    vtkNew<vtkXMLUnstructuredGridWriter> writer;
    writer->SetFileName((folder / name).c_str());
    writer->SetInputData(grid);
    writer->Write();
    pvd << "<DataSet timestep=\"" << time << "\" part=\"0\" file=\"" << name << "\"/>";
  }
  pvd << "</Collection></VTKFile>\n";
}
