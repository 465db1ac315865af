#pragma once

#include <percussion/base/error.h>

#include <map>
#include <string>
#include <vector>

namespace percussion {
/// Path of a parameter: names of its subsections, followed by its own name.
using ParameterPath = std::vector<std::string>;

/// Returns {"Time", "Step"} for "Time/Step"; blanks around names are removed, blanks within names
/// collapsed.
ParameterPath to_path(const std::string &text);

/// Returns "Time/Step".
std::string to_string(const ParameterPath &path);

/// Returns the path without its last name.
ParameterPath parent(const ParameterPath &path);

/// Value given by the user.
struct ParameterEntry {
  std::string value;
  std::string source; ///< source: "case.prm" or "--set"
  unsigned line = 0;  ///< line in the source; 0: the source has no lines
};

/// Subsection opened by the user, possibly empty, with its location.
struct OpenedSubsection {
  ParameterPath path;
  std::string source;
  unsigned line = 0;
};

/**
 * Contents of a parameter file with their locations, not yet compared with the declared parameters.
 * The syntax is the syntax of dealii::ParameterHandler; names contain no '/'.
 *
 * Entries set by an included file may be set again after the `include`, and `--set` overrides
 * everything; within one file an entry is set once. Syntax errors do not throw but are collected.
 */
class ParameterFile {
public:
  /// Reads a file and the files that it includes, whose names are relative to the including file.
  /// @throws InputError if the file itself cannot be read.
  static ParameterFile read(const std::string &filename);

  /// Reads a text; @p name replaces the file name in messages and locates included files.
  static ParameterFile parse(const std::string &text, const std::string &name);

  /// Sets one entry from an assignment such as "Time/Step=1e-5"; @p option is the command-line
  /// option of the assignment, which may set an entry once.
  void override_with(const std::string &assignment, const std::string &option = "--set");

  /// Returns the names of the subsections directly below @p path ("": the top), in order of first
  /// appearance: for subsections named by the user, such as regions.
  std::vector<std::string> subsections(const std::string &path) const;

  /// Returns the name of the file in messages.
  const std::string &name() const { return filename; }
  const std::map<ParameterPath, ParameterEntry> &assignments() const { return set_entries; }
  /// Returns the opened subsections in order.
  const std::vector<OpenedSubsection> &opened_subsections() const { return opened; }
  /// Returns the errors of syntax.
  const Problems &problems() const { return found_problems; }

private:
  class Parser;

  std::string filename;
  std::map<ParameterPath, ParameterEntry> set_entries;
  std::vector<OpenedSubsection> opened;
  Problems found_problems;
};
} // namespace percussion
