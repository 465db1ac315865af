#pragma once

#include <percussion/base/error.h>

#include <map>
#include <string>
#include <vector>

namespace percussion {
/// Names of the subsections that lead to a parameter, and its own name last.
using ParameterPath = std::vector<std::string>;

/// {"Time", "Step"} from "Time/Step"; blanks around names are dropped, those within collapsed.
ParameterPath to_path(const std::string &text);

/// "Time/Step"
std::string to_string(const ParameterPath &path);

/// The path without its last name.
ParameterPath parent(const ParameterPath &path);

/// A value given by the user.
struct ParameterEntry {
  std::string value;
  std::string source; ///< "case.prm" or "--set"
  unsigned line = 0;  ///< 0: the source has no lines
};

/// A place where the user opened a subsection, possibly an empty one.
struct OpenedSubsection {
  ParameterPath path;
  std::string source;
  unsigned line = 0;
};

/**
 * The contents of a parameter file and where each of them stands, not yet compared with the
 * parameters that exist. The syntax is that of dealii::ParameterHandler; names contain no '/'.
 *
 * Entries set by an included file may be set again after the `include`, and `--set` overrides
 * everything; within one file an entry is set once. Syntax errors do not throw but are collected.
 */
class ParameterFile {
public:
  /// Reads a file and those that it includes, whose names are relative to the including file.
  /// @throws InputError if the file itself cannot be read.
  static ParameterFile read(const std::string &filename);

  /// Reads a text; @p name replaces the file name in messages and locates included files.
  static ParameterFile parse(const std::string &text, const std::string &name);

  /// Sets one entry from an assignment such as "Time/Step=1e-5"; @p option is the command-line
  /// option that it comes from, which may set an entry once.
  void override_with(const std::string &assignment, const std::string &option = "--set");

  /// Names of the subsections directly below @p path ("": the top), in order of first appearance:
  /// for subsections named by the user, such as regions.
  std::vector<std::string> subsections(const std::string &path) const;

  /// The name of the file in messages.
  const std::string &name() const { return filename; }
  const std::map<ParameterPath, ParameterEntry> &entries() const { return set_entries; }
  const std::vector<OpenedSubsection> &opened_subsections() const { return opened; } ///< in order
  const Problems &problems() const { return found_problems; }                        ///< of syntax

private:
  class Parser;

  std::string filename;
  std::map<ParameterPath, ParameterEntry> set_entries;
  std::vector<OpenedSubsection> opened;
  Problems found_problems;
};
} // namespace percussion
