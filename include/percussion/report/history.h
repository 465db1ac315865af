#pragma once

#include <percussion/report/units.h>

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

/// The length of a step: all are equally long, but for those that end the run. 0 where there is
/// none.
double step_length(const History &run);

/**
 * Reads FOLDER/energy.csv. The columns that the pictures need must be there, others are kept too. A
 * last line that was cut short (a run that is still going on) is left out. Throws InputError that
 * names the file, the line and what is wrong.
 */
History read_history(const std::filesystem::path &folder);

/**
 * Reads several runs and labels each: by `labels` if there are any, else by what tells it from the
 * others. Runs of one case differ in scheme, step, or both; otherwise it is the folder's name, or
 * the path as given. Throws InputError as read_history, and where the number of labels is wrong.
 */
std::vector<History> read_histories(const std::vector<std::filesystem::path> &folders,
                                    const std::vector<std::string> &labels = {});

} // namespace percussion::report
