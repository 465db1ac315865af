#include <percussion/base/blanks.h>
#include <percussion/base/file.h>
#include <percussion/base/missing_file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/input/parameter_file.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <sstream>

namespace percussion {
namespace {
namespace fs = std::filesystem;
using dealii::Utilities::trim;

/// Drops blanks around a name and collapses those inside.
std::string tidy_name(const std::string &text) {
  std::istringstream words(text);
  std::string name, word;
  while (words >> word)
    name += (name.empty() ? "" : " ") + word;
  return name;
}

/// @throws InputError without a location: the caller knows who asked for the file.
std::string read_text(const std::string &filename) {
  const std::string complaint = "cannot read '" + filename + "': ";
  std::error_code error;
  if (fs::is_directory(filename, error))
    throw InputError(complaint + "it is a directory");
  if (const std::string why = obstacle(filename); !why.empty())
    throw InputError(complaint + why);
  if (!fs::exists(filename, error))
    throw InputError(complaint + "no such file" + similar_file(filename));
  if (!fs::is_regular_file(filename, error)) // a pipe or device may never end
    throw InputError(complaint + "it is no regular file");
  const std::optional<std::string> read = read_file(filename);
  if (!read)
    throw InputError(complaint + std::strerror(errno));
  const std::string &text = *read;
  if (text.find('\0') != std::string::npos)
    throw InputError(complaint + "it is not a text file");
  if (text.rfind("$MeshFormat", 0) == 0)
    throw InputError(complaint + "it is a Gmsh mesh, not a parameter file");
  return text;
}

/// The text with the line ends of Unix in place of those of Windows and of old Macs.
std::string with_usual_line_ends(const std::string &text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r')
      result += text[i];
    else if (i + 1 == text.size() || text[i + 1] != '\n')
      result += '\n';
  return result;
}

/// "subsection" for "subsection" and "SUBSECTION": keywords come in either case, not mixed.
bool is_keyword(const std::string &word, const std::string &keyword) {
  std::string capitals = keyword;
  std::transform(capitals.begin(), capitals.end(), capitals.begin(),
                 [](const char c) { return static_cast<char>(c - 'a' + 'A'); });
  return word == keyword || word == capitals;
}

/// Lists and formulas of such lengths would take longer to read than anybody waits.
std::string why_too_long(const std::string &value) {
  constexpr std::size_t longest = 100000;
  return value.size() <= longest ? ""
                                 : "it has " + std::to_string(value.size()) +
                                       " bytes; allowed are " + std::to_string(longest);
}

std::string first_word(const std::string &line) {
  return line.substr(0, line.find_first_of(" \t"));
}

/// Whether the keyword can only be told with usual spaces in place of the others.
bool is_keyword_of_unusual_blanks(const std::string &line, const std::string &usual) {
  return first_word(line) != first_word(usual);
}
} // namespace

ParameterPath to_path(const std::string &text) {
  ParameterPath path;
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, '/');)
    path.push_back(tidy_name(name));
  if (!text.empty() && text.back() == '/')
    path.emplace_back(); // a name is missing behind it
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

/// Fills a ParameterFile from the lines of a text and of the files that it includes.
class ParameterFile::Parser {
public:
  explicit Parser(ParameterFile &parameter_file) : file(parameter_file) {}

  void parse(const std::string &text, const std::string &source);

private:
  static constexpr std::size_t deepest = 20;        ///< nesting of subsections
  static constexpr std::size_t longest_name = 1000; ///< in bytes; a path has several
  static constexpr unsigned most_included = 1000;   ///< files that each include two are many

  struct Level {
    std::string source;
    unsigned line = 0;                    ///< that is being read
    std::vector<unsigned> opened_in_line; ///< of the subsections that are open in this file
  };

  void scan(const std::string &line_with_comment);
  void open_subsection(const std::string &name);
  void close_subsection(const std::string &rest);
  void set(const std::string &assignment);
  void give_up_nesting();
  void include(const std::string &included);
  void unknown_keyword(const std::string &keyword, const std::string &line);

  const Level &here() const { return levels.back(); }
  void problem(const std::string &message) {
    file.found_problems.add({here().source, here().line, message});
  }
  bool is_valid_name(const std::string &name, const std::string &keyword);
  bool is_being_read(const std::string &source) const {
    return std::any_of(levels.begin(), levels.end(),
                       [&](const Level &level) { return level.source == source; });
  }

  ParameterFile &file;
  std::vector<Level> levels; ///< files being read: each is included by the one before
  unsigned n_included = 0;
  ParameterPath path;            ///< open subsections of all levels
  std::set<ParameterPath> known; ///< of all entries: to search them all would take long
  bool gave_up = false;          ///< what follows is not read
};

void ParameterFile::Parser::parse(const std::string &text, const std::string &source) {
  levels.push_back({source, 0, {}});
  const std::string byte_order_mark = "\xEF\xBB\xBF";
  const bool marked = text.compare(0, byte_order_mark.size(), byte_order_mark) == 0;
  std::istringstream in(with_usual_line_ends(marked ? text.substr(byte_order_mark.size()) : text));
  std::string whole_line;
  unsigned line_number = 0;
  bool continues = false;
  for (std::string line; !gave_up && std::getline(in, line);) {
    ++line_number;
    line = trim(line);
    if (!continues)
      levels.back().line = line_number;
    continues = !line.empty() && line.back() == '\\';
    if (continues)
      line.pop_back();
    whole_line += line;
    if (!continues) {
      scan(whole_line);
      whole_line.clear();
    }
  }
  if (continues && !gave_up) {
    problem("the last line ends with a backslash, but no line follows");
    scan(whole_line);
  }
  while (!gave_up && !here().opened_in_line.empty()) {
    file.found_problems.add({source, here().opened_in_line.back(),
                             "subsection '" + shortened(to_string(path)) + "' has no 'end'"});
    file.misread.emplace_back();
    levels.back().opened_in_line.pop_back();
    path.pop_back();
  }
  levels.pop_back();
}

void ParameterFile::Parser::scan(const std::string &line_with_comment) {
  std::string line = trim(line_with_comment.substr(0, line_with_comment.find('#')));
  if (line.empty())
    return;
  if (const std::string usual = trim(with_usual_blanks(line));
      is_keyword_of_unusual_blanks(line, usual)) {
    problem("there is " + std::string(no_break_space) + " beside '" + first_word(usual) +
            "'; write a usual one");
    line = usual; // is not to blame for the rest
  }
  const std::string keyword = first_word(line);
  const std::string rest = trim(line.substr(keyword.size()));
  if (is_keyword(keyword, "subsection"))
    open_subsection(tidy_name(rest));
  else if (is_keyword(keyword, "end"))
    close_subsection(rest);
  else if (is_keyword(keyword, "set"))
    set(rest);
  else if (is_keyword(keyword, "include"))
    include(rest);
  else
    unknown_keyword(keyword, line);
}

void ParameterFile::Parser::open_subsection(const std::string &name) {
  if (path.size() == deepest)
    return give_up_nesting();
  const bool valid = is_valid_name(name, "subsection");
  path.push_back(name.size() > longest_name ? "" : name);
  levels.back().opened_in_line.push_back(here().line);
  if (valid)
    file.opened.push_back({path, here().source, here().line});
}

/// The paths of a file of nothing but open subsections would fill the memory.
void ParameterFile::Parser::give_up_nesting() {
  problem("this subsection lies in " + std::to_string(deepest) +
          " others, more than there can be: is 'end' missing behind those before? What follows is "
          "not read");
  file.misread.emplace_back();
  gave_up = true;
}

void ParameterFile::Parser::close_subsection(const std::string &rest) {
  if (!rest.empty())
    problem("unexpected '" + shortened(rest) + "' after 'end'");
  if (here().opened_in_line.empty()) {
    problem("'end' without an open subsection");
    file.misread.emplace_back();
    return;
  }
  levels.back().opened_in_line.pop_back();
  path.pop_back();
}

void ParameterFile::Parser::set(const std::string &assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    file.misread.push_back(path);
    return problem("'=' is missing in 'set " + shortened(assignment) +
                   "'; expected 'set NAME = VALUE'");
  }
  const std::string name = tidy_name(assignment.substr(0, equals));
  if (!is_valid_name(name, "set"))
    return;
  ParameterEntry entry{path, trim(assignment.substr(equals + 1)), here().source, here().line};
  entry.path.push_back(name);
  if (const std::string why = why_too_long(entry.value); !why.empty()) {
    file.misread.push_back(path);
    return problem("'" + to_string(entry.path) + "' is '" + shortened(entry.value) + "': " + why);
  }

  if (known.insert(entry.path).second) {
    file.set_entries.push_back(entry);
    return;
  }
  const auto earlier =
      std::find_if(file.set_entries.begin(), file.set_entries.end(),
                   [&](const ParameterEntry &other) { return other.path == entry.path; });
  const std::string twice = "'" + shortened(to_string(entry.path)) +
                            "' is set again; it was set in " +
                            location(earlier->source, earlier->line);
  if (earlier->source != here().source && is_being_read(earlier->source))
    problem(twice + ", before this file was included; include first, then set what shall differ");
  else if (earlier->source == here().source && earlier->line != here().line)
    problem(twice);
  file.set_entries.erase(earlier);
  file.set_entries.push_back(entry);
}

void ParameterFile::Parser::include(const std::string &included) {
  const auto lost = [&](const std::string &why) {
    file.misread.push_back(path);
    problem(why);
  };
  if (included.empty())
    return lost("the file's name is missing; expected 'include FILE'");
  const std::string target = (fs::path(here().source).parent_path() / included).string();
  std::error_code missing; // is reported by read_text
  for (const Level &level : levels)
    if (fs::equivalent(level.source, target, missing))
      return lost("'" + target + "' includes itself");
  if (++n_included > most_included)
    return n_included == most_included + 1
               ? lost("more than " + std::to_string(most_included) + " files are included")
               : void();
  std::string text;
  try {
    text = read_text(target);
  } catch (const InputError &error) {
    return lost(error.what());
  }
  parse(text, target);
}

void ParameterFile::Parser::unknown_keyword(const std::string &keyword, const std::string &line) {
  const auto meant = nearest_name(keyword, {"subsection", "set", "end", "include"});
  std::string hint = meant ? "; did you mean '" + *meant + "'?" : "";
  if (!meant && line.find('=') != std::string::npos)
    hint = "; did you mean 'set " + shortened(line) + "'?";
  problem("unknown keyword '" + shortened(keyword) + "'" + (hint.empty() ? "." : hint) +
          " A line is 'subsection NAME', 'end', 'set NAME = VALUE' or 'include FILE'");
  // What follows is read as if the line were right: it is not to blame.
  if (meant)
    scan(*meant + line.substr(keyword.size()));
  else if (!hint.empty())
    set(line);
  else
    file.misread.push_back(path);
}

bool ParameterFile::Parser::is_valid_name(const std::string &name, const std::string &keyword) {
  if (name.empty())
    problem("a name is missing after '" + keyword + "'");
  else if (name.find('/') != std::string::npos)
    problem("the name '" + shortened(name) +
            "' contains '/', which separates names in messages and --set");
  else if (name.size() > longest_name)
    problem("the name '" + shortened(name) + "' has " + std::to_string(name.size()) +
            " bytes; allowed are " + std::to_string(longest_name));
  else
    return std::none_of(path.begin(), path.end(), [](const std::string &outer) {
      return outer.empty() || outer.find('/') != std::string::npos; // reported already
    });
  return false;
}

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
    found_problems.add({option, 0, "'" + shortened(assignment) + "': " + message});
  };
  const std::size_t equals = assignment.find('=');
  const ParameterPath path = to_path(assignment.substr(0, equals));
  const bool names_given = !path.empty() && std::none_of(path.begin(), path.end(),
                                                         [](const auto &n) { return n.empty(); });
  if (equals == std::string::npos || !names_given)
    return problem("expected SUBSECTION/NAME=VALUE, for example --set \"Time/Step=1e-5\"");
  const ParameterEntry entry{path, trim(assignment.substr(equals + 1)), option, 0};
  if (assignment.find_first_of("#\n\r") != std::string::npos ||
      (!entry.value.empty() && entry.value.back() == '\\'))
    return problem("'#', line ends and a backslash at the end cannot stand in a parameter file");
  if (const std::string why = why_too_long(entry.value); !why.empty())
    return problem(why);

  for (std::size_t depth = 1; depth < path.size(); ++depth)
    opened.push_back({ParameterPath(path.begin(), path.begin() + depth), option, 0});
  const auto earlier = std::find_if(set_entries.begin(), set_entries.end(),
                                    [&](const auto &other) { return other.path == path; });
  if (earlier != set_entries.end())
    set_entries.erase(earlier);
  set_entries.push_back(entry);
}

std::vector<std::string> ParameterFile::subsections(const std::string &path) const {
  const ParameterPath above = to_path(path);
  std::vector<std::string> names;
  for (const OpenedSubsection &subsection : opened)
    if (parent(subsection.path) == above &&
        std::find(names.begin(), names.end(), subsection.path.back()) == names.end())
      names.push_back(subsection.path.back());
  return names;
}
} // namespace percussion
