#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

/// Pictures and one page from what a run wrote; knows the files of a run, not how they came about.
namespace percussion::report {

/// What a run's energy.csv holds.
struct History {
  std::filesystem::path folder;                       ///< the run's output folder
  std::string label;                                  ///< names the run where several are shown
  std::map<std::string, std::string> remarks;         ///< `# key: value` lines before the header
  std::map<std::string, std::vector<double>> columns; ///< by the header's names, equally long

  const std::vector<double> &operator[](const std::string &column) const {
    return columns.at(column);
  }
  /// The remark, or an empty string.
  std::string remark(const std::string &key) const;
};

/// The columns of cumulative work, in the order of the ledger.
extern const std::vector<std::string> work_columns;

/**
 * Reads FOLDER/energy.csv.
 *
 * The first row that is not a comment names the columns; those that the pictures need must be
 * there, others are kept too. A last line that was cut short (a run that is still going on) is
 * left out. Throws InputError that names the file, the line and what is wrong.
 */
History read_history(const std::filesystem::path &folder);

/// Reads several runs and labels each by what tells it from the others: its folder's name, else
/// the path as given.
std::vector<History> read_histories(const std::vector<std::filesystem::path> &folders);

/// Names of units to put behind a quantity; empty where the run does not tell.
struct Units {
  std::string time, length, force, energy, velocity, stress, percussion;
};

/// Reads a list such as "N, mm, ms, g" or "kg, m, s". An energy unit in the list wins over force
/// times length.
Units parse_units(const std::string &list);

/// "energy (N mm)", or "energy" where the unit is not known.
std::string with_unit(const std::string &quantity, const std::string &unit);

} // namespace percussion::report
