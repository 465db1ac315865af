#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The energy ledger `energy.csv`, one row a step; works and the normal percussion of all contacts
/// are cumulative. Created or continued as CsvTable describes.
class EnergyHistory : public CsvTable {
public:
  EnergyHistory(const std::string &file, const Comments &comments, std::uint64_t kept = 0);

  template <int dim>
  void write(const State<dim> &state, const StepRecord<dim> &record, const Works &cumulative,
             double cumulative_percussion);
};

} // namespace percussion
