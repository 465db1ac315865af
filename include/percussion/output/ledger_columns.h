#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace percussion {

/// Value of a row of energy.csv among the values of the steps since the previous row.
enum class RowValue { largest, smallest, largest_magnitude };

/// Function of the record of a step, in 2D and 3D.
struct RecordFunction {
  double (*value_2d)(const StepRecord<2> &);
  double (*value_3d)(const StepRecord<3> &);

  template <int dim>
  double operator()(const StepRecord<dim> &record) const {
    if constexpr (dim == 2)
      return value_2d(record);
    else
      return value_3d(record);
  }
};

/// Row of the table of quantities that each step has a value of.
struct StepEntry {
  const char *name;        ///< column of energy.csv, attribute in Python
  const char *unit;        ///< unit, in words; empty for numbers
  const char *description; ///< description for the documentation
  bool is_count;           ///< true for a whole number
  RowValue row_value;
  RecordFunction value;
};

/// Returns a row from a generic lambda, which becomes the functions of both dimensions.
template <typename Value>
constexpr StepEntry step_entry(const char *name, const char *unit, const char *description,
                               bool is_count, RowValue row_value, Value value) {
  return {name, unit, description, is_count, row_value, {value, value}};
}

/// All quantities of a step except energies, works and defects, in the order of their columns.
inline constexpr StepEntry step_entries[] = {
    step_entry("balance_residual", "energy",
               "change of `total` in this step minus the works of this step: round-off, unless the "
               "program is wrong",
               false, RowValue::largest_magnitude,
               [](const auto &r) { return r.balance_residual; }),
    step_entry("tangential_work_max", "energy",
               "largest (if positive) work of the friction of one contact in this step: energy "
               "created by friction",
               false, RowValue::largest, [](const auto &r) { return r.tangential_work_max; }),
    step_entry("tangential_work_min", "energy",
               "smallest (if negative) work of the friction of one contact in this step", false,
               RowValue::smallest, [](const auto &r) { return r.tangential_work_min; }),
    step_entry("contacts_active", "", "contacts that participated in the step", true,
               RowValue::largest,
               [](const auto &r) { return static_cast<double>(r.contacts.size()); }),
    step_entry("contacts_sliding", "",
               "number of active contacts that slide; without friction a closed contact counts as "
               "sliding",
               true, RowValue::largest,
               [](const auto &r) { return static_cast<double>(r.n_sliding); }),
    step_entry("penetration_max", "length",
               "depth of the deepest contact at the end of the step, active or not, from its "
               "reference gap; with a mortar, the depth is a mean around a node",
               false, RowValue::largest, [](const auto &r) { return r.penetration_max; }),
    step_entry("solver_iterations", "",
               "iterations on the momentum balance for hyperelastic bodies, of the contact solver "
               "for linear ones",
               true, RowValue::largest,
               [](const auto &r) { return static_cast<double>(r.solver_iterations); }),
    step_entry("solver_residual", "",
               "residual of the contact problem, in natural units, in which its numbers are of "
               "order one",
               false, RowValue::largest, [](const auto &r) { return r.solver_residual; }),
    step_entry("rolling_work_max", "energy",
               "largest (if positive) work of the rolling or spinning friction of one contact in "
               "this step: round-off",
               false, RowValue::largest, [](const auto &r) { return r.rolling_work_max; })};

inline constexpr std::size_t n_step_entries = std::size(step_entries);

/// Values of the step entries for a row of energy.csv, from the steps since the previous row, and
/// the largest defects of these steps.
struct RowExtremes {
  std::array<double, n_step_entries> values{}; ///< in the order of step_entries
  ContactDefects defects;

  /// Adds a step.
  template <int dim>
  void add(const StepRecord<dim> &record);
};

/// Numbers of a row of energy.csv.
struct LedgerRow {
  unsigned int step = 0;
  double time = 0;
  double kinetic = 0, strain = 0, contact_potential = 0; ///< energies at the end of the step
  Works works;                                           ///< works since the start
  double percussion_normal = 0; ///< sum of the normal percussions since the start [impulse]
  RowExtremes extremes;

  double energy() const { return kinetic + strain + contact_potential; }
};

/// Returns the row of a state.
template <int dim>
LedgerRow ledger_row(const State<dim> &state, const RowExtremes &extremes, const Works &works,
                     double percussion_normal);

/// Column of energy.csv and of `Run.ledger` in Python.
struct LedgerColumn {
  std::string name;
  std::string unit;        ///< unit, in words; empty for numbers
  std::string description; ///< text of doc/results.md
  bool is_count = false;   ///< true for a whole number
  std::function<double(const LedgerRow &)> value;
};

/// Returns all columns in their order. New works and step entries become columns at the end.
const std::vector<LedgerColumn> &ledger_columns();

} // namespace percussion
