#pragma once

#include <percussion/base/error.h>

#include <string>
#include <vector>

namespace percussion {
/// Names of the subsections that lead to a parameter, and its own name last.
using ParameterPath = std::vector<std::string>;

/// {"Time", "Step"} from "Time/Step"; blanks around a name are dropped, those inside collapsed.
ParameterPath to_path(const std::string &text);

/// "Time/Step"
std::string to_string(const ParameterPath &path);

/// The path without its last name.
ParameterPath parent(const ParameterPath &path);

/// A value that the user gave to a parameter.
struct ParameterEntry {
  ParameterPath path;
  std::string value;
  std::string source; ///< "case.prm" or "--set"
  unsigned line = 0;  ///< 0: the source has no lines
};

/// A place where the user opened a subsection, perhaps one that stays empty.
struct OpenedSubsection {
  ParameterPath path;
  std::string source;
  unsigned line = 0;
};

/**
 * What a parameter file says, not yet compared with the parameters that exist.
 *
 * The syntax is deal.II's: `subsection NAME` ... `end`, `set NAME = VALUE`, `include FILE`
 * (relative to the including file), comments from '#' to the end of the line, a trailing backslash
 * that continues a line. Names distinguish upper and lower case and hold no '/'.
 *
 * A later file overrides an earlier one: what an included file sets can be set again after the
 * `include`, and `--set` overrides everything. Within one file an entry is set once.
 *
 * Mistakes of syntax do not throw; they are collected in problems(), which Parameters reports
 * together with its own.
 */
class ParameterFile {
public:
  /**
   * Reads a file and those that it includes.
   * @throws InputError if the file itself is missing, a directory, unreadable or not a text.
   */
  static ParameterFile read(const std::string &filename);

  /// Reads a text; @p name stands for the file in messages and is where includes start from.
  static ParameterFile parse(const std::string &text, const std::string &name);

  /// Sets one entry from an assignment as typed after --set: "Time/Step=1e-5". @p option is the one
  /// of the command line that it comes from.
  void override_with(const std::string &assignment, const std::string &option = "--set");

  /**
   * Names of the subsections directly below @p path ("" is the top), empty ones included, in order
   * of first appearance: for subsections that the user names, such as regions.
   */
  std::vector<std::string> subsections(const std::string &path) const;

  /// What the file is called in messages.
  const std::string &name() const { return filename; }
  /// One for each path, in the order in which they were last set.
  const std::vector<ParameterEntry> &entries() const { return set_entries; }
  /// In the order in which they were opened.
  const std::vector<OpenedSubsection> &opened_subsections() const { return opened; }
  /// Mistakes of syntax.
  const Problems &problems() const { return found_problems; }

  /// Subsections in which something was lost to a mistake of syntax: what they lack may have been
  /// in it.
  const std::vector<ParameterPath> &misread_subsections() const { return misread; }

private:
  class Parser;

  std::string filename;
  std::vector<ParameterEntry> set_entries; ///< one for each path
  std::vector<OpenedSubsection> opened;
  std::vector<ParameterPath> misread;
  Problems found_problems;
};
} // namespace percussion
