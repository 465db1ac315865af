#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// Pictures and one page from what a run wrote; depends on the files of a run only.
namespace percussion::report {

/// A table of numbers as a run writes it.
struct Table {
  std::map<std::string, std::string> remarks;         ///< `# key: value` lines before the header
  std::vector<std::string> names;                     ///< of the columns, in their order
  std::map<std::string, std::vector<double>> columns; ///< by these names, equally long

  const std::vector<double> &operator[](const std::string &column) const {
    return columns.at(column);
  }
};

/**
 * Reads a file of comma-separated values.
 *
 * The first row that is not a comment names the columns, `needed` among them. A last line that was
 * cut short (of a run that still goes on) is left out. Throws InputError with file, line and
 * reason, also for values that are not finite.
 */
Table read_table(const std::filesystem::path &file, const std::vector<std::string> &needed);

/// Names of units behind a quantity; empty where the run does not state them.
struct Units {
  std::string time, length, mass, force, energy, velocity, stress, percussion;
};

/// Reads a list such as "N, mm, ms, g" or "kg, m, s". An energy unit in the list takes precedence
/// over force times length.
Units parse_units(const std::string &list);

/// "energy (N mm)", or "energy" where the unit is not known.
std::string with_unit(const std::string &quantity, const std::string &unit);

/// A run's energy.csv.
struct History : Table {
  std::filesystem::path folder; ///< the run's output folder
  std::string label;            ///< names the run where several are shown

  /// The remark, or an empty string.
  std::string remark(const std::string &key) const;
  Units units() const { return parse_units(remark("units")); }
};

/// The columns of cumulative work, in the order of the ledger.
extern const std::vector<std::string> work_columns;

/// Reads FOLDER/energy.csv. Throws InputError as read_table, and where there is no such file.
History read_history(const std::filesystem::path &folder);

/**
 * Reads several runs and labels each: by `labels` if there are any, else by what distinguishes
 * them. Runs of one case differ in scheme, step, or both; otherwise it is the folder's name, or the
 * path as given. Throws InputError as read_history, and where the number of labels is wrong.
 */
std::vector<History> read_histories(const std::vector<std::filesystem::path> &folders,
                                    const std::vector<std::string> &labels = {});

/// The names of the rigid bodies in the table of rigid_bodies.csv, in their order.
std::vector<std::string> rigid_bodies_of(const Table &motions);

/// FOLDER/rigid_bodies.csv; an empty table where the run has none. Throws InputError.
Table read_motions(const std::filesystem::path &folder);

} // namespace percussion::report
