#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/plain_text.h>
#include <percussion/input/parameter_file.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace percussion {
namespace {
namespace fs = std::filesystem;
using dealii::Utilities::trim;

std::string tidy_name(const std::string &text) {
  std::istringstream words(text);
  std::string name, word;
  while (words >> word)
    name += (name.empty() ? "" : " ") + word;
  return name;
}

/// Returns the text of a file.
/// @throws InputError without a location, which the caller adds.
std::string read_text(const std::string &filename) {
  const std::string complaint = "cannot read '" + filename + "': ";
  std::error_code error;
  if (fs::is_directory(filename, error))
    throw InputError(complaint + "it is a directory");
  if (const std::string reason = obstacle(filename); !reason.empty())
    throw InputError(complaint + reason);
  if (!fs::exists(filename, error))
    throw InputError(complaint + "no such file" + similar_file(filename));
  if (!fs::is_regular_file(filename, error)) // a pipe or a device may never end
    throw InputError(complaint + "it is not a regular file");
  std::optional<std::string> text = read_file(filename);
  if (!text)
    throw InputError(complaint + std::strerror(errno));
  try {
    text = plain_text(std::move(*text));
  } catch (const InputError &reason) {
    throw InputError(complaint + reason.what());
  }
  if (text->find('\0') != std::string::npos)
    throw InputError(complaint + "it is not a text file");
  if (text->rfind("$MeshFormat", 0) == 0)
    throw InputError(complaint + "it is a Gmsh mesh, not a parameter file");
  return *text;
}
} // namespace

ParameterPath to_path(const std::string &text) {
  ParameterPath path;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, '/');)
    path.push_back(tidy_name(name));
  if (!text.empty() && text.back() == '/')
    path.emplace_back(); // the name after it is missing
  return path;
}

std::string to_string(const ParameterPath &path) {
  std::string text;
  for (const std::string &name : path)
    text += (text.empty() ? "" : "/") + name;
  return text;
}

ParameterPath parent(const ParameterPath &path) {
  return path.empty() ? path : ParameterPath(path.begin(), path.end() - 1);
}

/// Parser that fills a ParameterFile from the lines of a text and of included files.
class ParameterFile::Parser {
public:
  explicit Parser(ParameterFile &parameter_file) : file(parameter_file) {}

  void parse(const std::string &text, const std::string &source) {
    levels.push_back({source, 0, {}});
    std::istringstream stream(text);
    std::string whole_line;
    unsigned line_number = 0;
    bool continues = false;
    for (std::string line; std::getline(stream, line);) {
      ++line_number;
      line = trim(line);
      if (!continues)
        levels.back().line = line_number;
      continues = !line.empty() && line.back() == '\\';
      if (continues)
        line.pop_back();
      whole_line += line;
      if (!continues) {
        scan(trim(whole_line.substr(0, whole_line.find('#'))));
        whole_line.clear();
      }
    }
    if (continues)
      problem("the last line ends with a backslash, but no line follows");
    for (; !levels.back().opened_in_line.empty(); path.pop_back()) {
      levels.back().line = levels.back().opened_in_line.back();
      if (path.size() <= most_levels)
        problem("subsection '" + to_string(path) + "' has no 'end'");
      levels.back().opened_in_line.pop_back();
    }
    levels.pop_back();
  }

private:
  static constexpr std::size_t most_levels = 16; ///< more than any entry has

  /// File that is being read.
  struct Level {
    std::string source;
    unsigned line = 0; ///< current line
    /// Lines in which this file has opened the subsections still open.
    std::vector<unsigned> opened_in_line;
  };

  void problem(const std::string &message) {
    file.found_problems.add({levels.back().source, levels.back().line, message});
  }

  /// Interprets a line without its comment.
  void scan(const std::string &line) {
    const std::string keyword = line.substr(0, line.find_first_of(" \t"));
    const std::string remainder = trim(line.substr(keyword.size()));
    if (keyword == "subsection" || keyword == "SUBSECTION")
      open_subsection(tidy_name(remainder));
    else if (keyword == "end" || keyword == "END")
      close_subsection(remainder);
    else if (keyword == "set" || keyword == "SET")
      set(remainder);
    else if (keyword == "include" || keyword == "INCLUDE")
      include(remainder);
    else if (!line.empty())
      unknown_keyword(keyword, line);
  }

  void open_subsection(const std::string &name) {
    path.push_back(name);
    levels.back().opened_in_line.push_back(levels.back().line);
    if (path.size() > most_levels) {
      if (path.size() == most_levels + 1)
        problem("subsections in subsections beyond " + std::to_string(most_levels) +
                " levels; is an 'end' missing?");
    } else if (is_valid_name(name, "subsection"))
      file.opened.push_back({path, levels.back().source, levels.back().line});
  }

  void close_subsection(const std::string &remainder) {
    if (!remainder.empty())
      problem("unexpected '" + remainder + "' after 'end'");
    if (levels.back().opened_in_line.empty())
      return problem("'end' without an open subsection");
    levels.back().opened_in_line.pop_back();
    path.pop_back();
  }

  void set(const std::string &assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      return problem("'=' is missing in 'set " + assignment + "'; expected 'set NAME = VALUE'");
    const std::string name = tidy_name(assignment.substr(0, equals));
    if (path.size() > most_levels || !is_valid_name(name, "set"))
      return;
    ParameterPath entry_path = path;
    entry_path.push_back(name);
    ParameterEntry entry{trim(assignment.substr(equals + 1)), levels.back().source,
                         levels.back().line};
    if (const auto previous = file.set_entries.find(entry_path); previous != file.set_entries.end())
      check_repetition(to_string(entry_path), previous->second, entry);
    file.set_entries[entry_path] = std::move(entry);
  }

  /// Reports an entry that is set twice. An entry of an included file may be set again after the
  /// `include`, and a file may be included again.
  void check_repetition(const std::string &name, const ParameterEntry &previous,
                        const ParameterEntry &entry) {
    const bool same_file = previous.source == entry.source;
    const auto is_earlier = [&](const Level &level) { return level.source == previous.source; };
    if (std::any_of(levels.begin(), levels.end(), is_earlier) &&
        !(same_file && previous.line == entry.line))
      problem("'" + name + "' is set again; it was set in " +
              location(previous.source, previous.line) +
              (same_file ? "" : ", before this file was included; include first, then override"));
  }

  void include(const std::string &included) {
    if (included.empty())
      return problem("the name of the file is missing; expected 'include FILE'");
    const std::string target = (fs::path(levels.back().source).parent_path() / included).string();
    std::error_code missing; // read_text reports missing files
    for (const Level &level : levels)
      if (fs::equivalent(level.source, target, missing))
        return problem("'" + target + "' includes itself");
    std::string text;
    try {
      text = read_text(target);
    } catch (const InputError &error) {
      return problem(error.what());
    }
    parse(text, target);
  }

  void unknown_keyword(const std::string &keyword, const std::string &line) {
    const auto suggestion = nearest_name(keyword, {"subsection", "set", "end", "include"});
    const std::string likely = suggestion                    ? *suggestion
                               : line.find('=') != line.npos ? "set " + line
                                                             : "";
    problem("unknown keyword '" + keyword + "'" +
            (likely.empty() ? "." : "; did you mean '" + likely + "'?") +
            " A line is 'subsection NAME', 'end', 'set NAME = VALUE' or 'include FILE'");
    if (suggestion) // else an 'end' would be missing or superfluous
      scan(*suggestion + line.substr(keyword.size()));
  }

  bool is_valid_name(const std::string &name, const std::string &keyword) {
    if (!name.empty() && name.find('/') == std::string::npos)
      return true;
    problem(name.empty() ? "a name is missing after '" + keyword + "'"
                         : "the name '" + name +
                               "' contains '/', which separates names in messages and --set");
    return false;
  }

  ParameterFile &file;
  std::vector<Level> levels; ///< files, each included by the one before
  ParameterPath path;        ///< open subsections of all files
};

ParameterFile ParameterFile::read(const std::string &filename) {
  return parse(read_text(filename), filename);
}

ParameterFile ParameterFile::parse(const std::string &text, const std::string &name) {
  ParameterFile file;
  file.filename = name;
  Parser(file).parse(text, name);
  return file;
}

void ParameterFile::override_with(const std::string &assignment, const std::string &option) {
  const auto problem = [&](const std::string &message) {
    found_problems.add({option, 0, "'" + assignment + "': " + message});
  };
  const std::size_t equals = assignment.find('=');
  const ParameterPath path = to_path(assignment.substr(0, equals));
  const bool has_names = !path.empty() && std::find(path.begin(), path.end(), "") == path.end();
  if (equals == std::string::npos || !has_names)
    return problem("expected SUBSECTION/NAME=VALUE, for example --set \"Time/Step=1e-5\"");
  const std::string value = trim(assignment.substr(equals + 1));
  if (assignment.find_first_of("#\n\r") != std::string::npos ||
      (!value.empty() && value.back() == '\\'))
    return problem("'#', line ends and a trailing backslash cannot stand in a parameter file");
  if (const auto set = set_entries.find(path);
      set != set_entries.end() && set->second.source == option)
    return problem("an earlier option sets this entry to '" + set->second.value + "'");
  for (ParameterPath enclosing = parent(path); !enclosing.empty(); enclosing.pop_back())
    opened.push_back({enclosing, option, 0});
  set_entries[path] = {value, option, 0};
}

std::vector<std::string> ParameterFile::subsections(const std::string &path) const {
  const ParameterPath enclosing = to_path(path);
  std::vector<std::string> names;
  for (const OpenedSubsection &subsection : opened)
    if (parent(subsection.path) == enclosing &&
        std::find(names.begin(), names.end(), subsection.path.back()) == names.end())
      names.push_back(subsection.path.back());
  return names;
}
} // namespace percussion
