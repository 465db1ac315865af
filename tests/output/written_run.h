#pragma once

#include <percussion/output/contact_table.h>
#include <percussion/output/vtu_output.h>

#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridReader.h>

#include "support/rigid.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <unistd.h>
#include <vector>

namespace percussion::test {
namespace fs = std::filesystem;

using Grid = vtkSmartPointer<vtkUnstructuredGrid>;

inline Grid read_vtu(const fs::path &file) {
  vtkNew<vtkXMLUnstructuredGridReader> reader;
  reader->SetFileName(file.c_str());
  reader->Update();
  EXPECT_EQ(reader->GetErrorCode(), 0u) << file;
  return reader->GetOutput();
}

/// Returns the displaced position of a point of a grid.
inline dealii::Point<2> moved_point(vtkUnstructuredGrid &grid, vtkIdType i) {
  vtkDataArray &u = *grid.GetPointData()->GetArray("displacement");
  double x[3];
  grid.GetPoint(i, x);
  return {x[0] + u.GetComponent(i, 0), x[1] + u.GetComponent(i, 1)};
}

inline dealii::Tensor<1, 2> vector_at(vtkUnstructuredGrid &grid, const char *name, vtkIdType i) {
  vtkDataArray &field = *grid.GetPointData()->GetArray(name);
  dealii::Tensor<1, 2> value;
  for (int d = 0; d < 2; ++d)
    value[static_cast<unsigned int>(d)] = field.GetComponent(i, d);
  return value;
}

/// A short run that writes each step and keeps its states and records.
struct WrittenRun {
  RigidSystem system;
  fs::path folder;
  std::vector<State<2>> states;
  std::vector<StepRecord<2>> records;

  explicit WrittenRun(const std::string &name)
      : folder(fs::temp_directory_path() /
               ("percussion-" + name + "-" + std::to_string(getpid()))) {
    fs::create_directories(folder);
  }
  ~WrittenRun() { fs::remove_all(folder); }
  WrittenRun(const WrittenRun &) = delete;
  WrittenRun &operator=(const WrittenRun &) = delete;

  /// Takes steps from system.start() on.
  void run(unsigned int n_steps) {
    VtuOutput<2> output(folder.string(), *system.bodies, *system.boundary, system.choices.h);
    const auto write = [&](const StepRecord<2> &record) {
      output.write(system.state, record);
      states.push_back(system.state);
      records.push_back(record);
    };
    write(system.step->last());
    for (unsigned int k = 0; k < n_steps; ++k)
      write(system.advance());
    output.wait();
  }

  Grid read(const char *series, std::size_t instant) const {
    char name[64];
    std::snprintf(name, sizeof name, "%s-%06zu.vtu", series, instant);
    return read_vtu(folder / name);
  }
};

/// Normal relative velocities of the contacts in the files of a run.
struct RateComparison {
  double largest_rate = 0;  ///< largest rate of a gap between two files
  double largest_error = 0; ///< largest deviation of the mean of both velocities from this rate
  unsigned int n_compared = 0;
};

/// Compares the normal relative velocities in successive files with the rates of the gaps.
inline RateComparison compare_velocities_with_rates(const WrittenRun &written) {
  using Key = std::array<double, 5>; // pair, body, obstacle, undeformed position
  std::map<Key, std::pair<double, double>> before;
  RateComparison comparison;
  for (std::size_t k = 0; k < written.states.size(); ++k) {
    const auto grid = written.read("contacts", k);
    std::map<Key, std::pair<double, double>> now;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
      const auto number = [&](const char *name) {
        return grid->GetPointData()->GetArray(name)->GetComponent(i, 0);
      };
      const Key key = {number("pair"), number("body"), number("obstacle"), grid->GetPoint(i)[0],
                       grid->GetPoint(i)[1]};
      const double gap = number("gap"),
                   u = vector_at(*grid, "relative_velocity", i) * vector_at(*grid, "normal", i);
      EXPECT_EQ(std::isnan(gap), std::isnan(u));
      if (std::isnan(gap))
        continue;
      now[key] = {gap, u};
      if (const auto last = before.find(key); last != before.end()) {
        const double rate = (gap - last->second.first) / written.system.choices.h;
        comparison.largest_rate = std::max(comparison.largest_rate, std::abs(rate));
        comparison.largest_error =
            std::max(comparison.largest_error, std::abs(0.5 * (u + last->second.second) - rate));
        ++comparison.n_compared;
      }
    }
    before = now;
  }
  return comparison;
}

} // namespace percussion::test
