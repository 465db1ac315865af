#include <percussion/output/ledger_columns.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

double row_value(RowValue kind, double value, double new_value) {
  switch (kind) {
  case RowValue::largest:
    return std::max(value, new_value);
  case RowValue::smallest:
    return std::min(value, new_value);
  case RowValue::largest_magnitude:
    break;
  }
  return std::abs(new_value) > std::abs(value) ? new_value : value;
}

/// Adds columns to the ledger. Columns stay where the first version with them had them.
class Columns {
public:
  void add(const std::string &name, const std::string &unit, const std::string &description,
           std::function<double(const LedgerRow &)> value, bool is_count = false) {
    all.push_back({name, unit, description, is_count, std::move(value)});
  }

  void add_works(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      add(work_entries[i].name, "energy", work_entries[i].description,
          [work = work_entries[i].work](const LedgerRow &row) { return row.works.*work; });
  }

  void add_step_entries(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      add(
          step_entries[i].name, step_entries[i].unit, step_entries[i].description,
          [i](const LedgerRow &row) { return row.extremes.values[i]; }, step_entries[i].is_count);
  }

  void add_defects() {
    for (const DefectEntry &entry : defect_entries())
      add(entry.name, entry.is_length ? "length" : "", entry.description,
          [kind = entry.kind](const LedgerRow &row) {
            return row.extremes.defects.defect(kind).value;
          });
  }

  std::vector<LedgerColumn> all;
};

std::vector<LedgerColumn> make_columns() {
  Columns columns;
  columns.add(
      "step", "", "number of the step", [](const LedgerRow &row) { return row.step; }, true);
  columns.add("time", "time", "time at the end of the step",
              [](const LedgerRow &row) { return row.time; });
  columns.add("kinetic", "energy", "kinetic energy at the end of the step",
              [](const LedgerRow &row) { return row.kinetic; });
  columns.add("strain", "energy", "energy of deformed bodies and links at the end of the step",
              [](const LedgerRow &row) { return row.strain; });
  columns.add("total", "energy", "sum of `kinetic`, `strain` and `contact_potential`",
              [](const LedgerRow &row) { return row.energy(); });
  columns.add_works(0, 6);
  columns.add_step_entries(0, 8);
  columns.add("percussion_normal", "impulse",
              "sum of the normal percussions of all contacts over all steps",
              [](const LedgerRow &row) { return row.percussion_normal; });
  columns.add("contact_potential", "energy",
              "energy of the springs by which the schemes `penalty` and `hauret` replace contacts; "
              "for Nitsche's method Θ times the energy of its springs, while `strain` contains the "
              "terms of its stiffness; zero for the other schemes",
              [](const LedgerRow &row) { return row.contact_potential; });
  columns.add_works(6, 7);
  columns.add_defects();
  columns.add_works(7, std::size(work_entries));
  columns.add_step_entries(8, n_step_entries);
  return std::move(columns.all);
}

} // namespace

template <int dim>
void RowExtremes::add(const StepRecord<dim> &record) {
  for (std::size_t i = 0; i < n_step_entries; ++i)
    values[i] = row_value(step_entries[i].row_value, values[i], step_entries[i].value(record));
  defects.add(record.defects);
}

template <int dim>
LedgerRow ledger_row(const State<dim> &state, const RowExtremes &extremes, const Works &works,
                     double percussion_normal) {
  return {state.step, state.time,        state.kinetic, state.strain, state.contact_potential,
          works,      percussion_normal, extremes};
}

const std::vector<LedgerColumn> &ledger_columns() {
  static const std::vector<LedgerColumn> columns = make_columns();
  return columns;
}

template void RowExtremes::add(const StepRecord<2> &);
template void RowExtremes::add(const StepRecord<3> &);
template LedgerRow ledger_row(const State<2> &, const RowExtremes &, const Works &, double);
template LedgerRow ledger_row(const State<3> &, const RowExtremes &, const Works &, double);

} // namespace percussion
