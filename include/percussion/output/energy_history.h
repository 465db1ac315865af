#pragma once

#include <percussion/base/csv_table.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The energy ledger as a table, `energy.csv`: one row a step, works and the normal percussion of
/// all contacts summed from the beginning, all numbers with 17 significant digits.
class EnergyHistory {
public:
  /// Create the file with its comment lines ("# key: value") and header, or go on behind the bytes
  /// of it that are `kept`.
  /// Throws RunError where it cannot be written.
  EnergyHistory(const std::string &file,
                const std::vector<std::pair<std::string, std::string>> &comments,
                std::uint64_t kept = 0);

  template <int dim>
  void write(const State<dim> &state, const StepRecord<dim> &record, const Works &cumulative,
             double cumulative_percussion);

  /// Hand the rows so far to the operating system, or to the disk.
  void flush() { table.flush(); }
  void sync() { table.sync(); }

  /// Bytes of the rows that were handed over.
  std::uint64_t size() const { return table.size(); }

private:
  CsvTable table;
};

} // namespace percussion
