#include <percussion/base/error.h>
#include <percussion/base/file.h>
#include <percussion/base/nearest_name.h>
#include <percussion/input/geometry_parameters.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

namespace percussion {
namespace {

namespace fs = std::filesystem;
using dealii::Utilities::trim;

/// Position behind a text in quotes that begins here.
std::size_t behind_quotes(const std::string &script, std::size_t begin) {
  const std::size_t end = script.find(script[begin], begin + 1);
  return end == std::string::npos ? script.size() : end + 1;
}

/// Position behind a comment that begins here; `begin` itself if none does.
std::size_t behind_comment(const std::string &script, std::size_t begin) {
  std::size_t end = begin;
  if (script.compare(begin, 2, "//") == 0)
    end = script.find('\n', begin);
  else if (script.compare(begin, 2, "/*") == 0) {
    end = script.find("*/", begin + 2);
    end = end == std::string::npos ? end : end + 2;
  }
  return std::min(end, script.size());
}

std::string without_comments(const std::string &script) {
  std::string text;
  for (std::size_t i = 0; i < script.size();) {
    if (const std::size_t end = behind_comment(script, i); end > i) {
      text += ' ';
      i = end;
      continue;
    }
    const std::size_t end = script[i] == '"' ? behind_quotes(script, i) : i + 1;
    text += script.substr(i, end - i);
    i = end;
  }
  return text;
}

/// The parts between the commas that stand in no brackets and no quotes, up to a closing bracket.
std::vector<std::string> items(const std::string &script, std::size_t begin) {
  std::vector<std::string> list(1);
  int depth = 0;
  for (std::size_t i = begin; i < script.size(); ++i) {
    const char c = script[i];
    depth += c == '[' || c == '{' || c == '(' ? 1 : c == ']' || c == '}' || c == ')' ? -1 : 0;
    if (depth < 0)
      break;
    if (c == '"') {
      i = behind_quotes(script, i) - 1;
      list.back() += '"'; // its content is of no interest
    } else if (c == ',' && depth == 0)
      list.emplace_back();
    else
      list.back() += c;
  }
  return list;
}

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The name that an item of DefineConstant declares; empty for what is no number: constants that
/// are texts begin with a quote.
std::string declared_name(const std::string &item) {
  const std::string text = trim(item);
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
  const std::string rest = trim(std::string(end, text.end()));
  const std::size_t value = rest.find_first_not_of("={ \t\r\n");
  const bool is_text = value != std::string::npos && rest[value] == '"';
  return (rest.empty() || rest.front() == '=') && !is_text ? std::string(text.begin(), end) : "";
}

/// Positions of what follows on a keyword, blanks left out.
std::vector<std::size_t> behind_keyword(const std::string &script, const std::string &keyword) {
  std::vector<std::size_t> places;
  for (std::size_t at = script.find(keyword); at != std::string::npos;
       at = script.find(keyword, at + 1)) {
    const std::size_t behind = at + keyword.size();
    const std::size_t next = script.find_first_not_of(" \t\r\n", behind);
    if (next != std::string::npos && (at == 0 || !is_letter(script[at - 1])) &&
        !is_letter(script[behind]))
      places.push_back(next);
  }
  return places;
}

void collect_constants_of_file(const fs::path &file, int depth, std::vector<std::string> &names) {
  constexpr int deepest = 8; // of files that include each other
  const std::optional<std::string> content = read_file(file.string());
  if (!content || depth > deepest)
    return;
  const std::string script = without_comments(*content);
  for (const std::size_t place : behind_keyword(script, "DefineConstant"))
    if (script[place] == '[' || script[place] == '(')
      for (const std::string &item : items(script, place + 1))
        if (const std::string name = declared_name(item);
            !name.empty() && std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
  for (const std::size_t place : behind_keyword(script, "Include"))
    if (script[place] == '"') {
      const std::size_t end = behind_quotes(script, place);
      collect_constants_of_file(file.parent_path() / script.substr(place + 1, end - place - 2),
                                depth + 1, names);
    }
}

} // namespace

std::map<std::string, double> geometry_parameters(const std::string &text) {
  std::map<std::string, double> parameters;
  if (trim(text).empty())
    return parameters;
  std::istringstream list(text + ","); // so that nothing behind the last comma is an item too
  for (std::string item; std::getline(list, item, ',');) {
    const std::size_t equals = item.find('=');
    const std::string name = trim(item.substr(0, equals));
    const auto value =
        equals == std::string::npos ? std::nullopt : to_number<double>(item.substr(equals + 1));
    if (name.empty() || !value)
      throw InputError("'" + trim(item) +
                       "' is not of the form 'name = number'; separate several by commas");
    if (!parameters.emplace(name, *value).second)
      throw InputError("'" + name + "' stands here twice; give it one value");
  }
  return parameters;
}

std::vector<std::string> constants_of_geometry(const std::string &file) {
  std::vector<std::string> names;
  collect_constants_of_file(file, 0, names);
  return names;
}

void check_geometry_parameters(const std::string &file,
                               const std::map<std::string, double> &parameters) {
  if (parameters.empty() || !fs::exists(file))
    return;
  const auto names = constants_of_geometry(file);
  for (const auto &[name, value] : parameters)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError(
          names.empty()
              ? "the geometry has no parameters; let it declare them, e.g. DefineConstant[ " +
                    name + " = 1 ];"
              : "the geometry has no parameter '" + name + "'" + did_you_mean(name, names) +
                    (did_you_mean(name, names).empty() ? "." : "") +
                    " Its parameters: " + joined(names, ", "));
}

} // namespace percussion
