#include <percussion/input/parameters.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>

#include "parameter_guesses.h"
#include <algorithm>

namespace percussion {
namespace {
using dealii::ExcMessage;

bool contains(const std::vector<ParameterPath> &paths, const ParameterPath &path) {
  return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// Whether @p path is one of these subsections or lies in one of them.
bool is_within(const std::vector<ParameterPath> &subsections, const ParameterPath &path) {
  return std::any_of(subsections.begin(), subsections.end(), [&](const ParameterPath &outer) {
    return outer.size() <= path.size() && std::equal(outer.begin(), outer.end(), path.begin());
  });
}
} // namespace

Parameters::Parameters(ParameterDeclarations declarations, const ParameterFile &file)
    : declared(std::move(declarations)), filename(file.name()), found_problems(file.problems()) {
  doubts.incomplete_below = file.misread_subsections();
  for (const OpenedSubsection &subsection : file.opened_subsections())
    if (!declared.has_subsection(subsection.path) &&
        !declared.has_old_subsection(subsection.path) &&
        declared.has_subsection(parent(subsection.path))) {
      found_problems.add(
          {subsection.source, subsection.line, unknown_subsection(declared, subsection.path)});
      doubt_subsection(subsection.path);
    }
  for (const ParameterEntry &entry : file.entries())
    take(entry);
}

void Parameters::take(const ParameterEntry &entry) {
  if (const ParameterDeclaration *const now = declared.find_by_old_name(entry.path))
    return take_old_name(entry, *now);
  if (!declared.has_subsection(parent(entry.path)))
    return; // the subsection is reported
  if (const ParameterDeclaration *const declaration = declared.find(entry.path))
    return take_value(entry, *declaration);
  found_problems.add({entry.source, entry.line, unknown_entry(declared, entry.path)});
  doubt_entry(entry.path);
}

void Parameters::take_old_name(const ParameterEntry &entry,
                               const ParameterDeclaration &declaration) {
  found_notices.push_back(location(entry.source, entry.line) + ": '" + to_string(entry.path) +
                          "' is now called '" + to_string(declaration.path) +
                          "'; the old name will go in a later release");
  take_value(entry, declaration);
}

/// Another file overrides under either name, as it does under one; a file says a thing once.
void Parameters::refuse_both_names(const ParameterEntry &earlier, const ParameterEntry &entry) {
  const std::string twice = "'" + to_string(entry.path) + "' is set again; it was set in " +
                            location(earlier.source, earlier.line) + " as '" +
                            to_string(earlier.path) + "', which is the same entry";
  if (earlier.source == entry.source)
    found_problems.add({entry.source, entry.line, twice});
  else if (earlier.source == filename && entry.line > 0) // included; --set has no lines
    found_problems.add(
        {entry.source, entry.line, twice + "; include first, then set what shall differ"});
}

void Parameters::take_value(const ParameterEntry &entry, const ParameterDeclaration &declaration) {
  const auto earlier = given.find(declaration.path);
  if (earlier != given.end())
    refuse_both_names(earlier->second, entry);
  const std::string why = refusal(declaration, entry);
  if (why.empty()) {
    given[declaration.path] = entry;
    return;
  }
  found_problems.add({entry.source, entry.line, why});
  doubts.entries.push_back(declaration.path);
}

void Parameters::doubt_subsection(const ParameterPath &path) {
  const auto meant = meant_subsections(declared, path);
  doubts.subsections.insert(doubts.subsections.end(), meant.begin(), meant.end());
  if (meant.empty() && !declared.find(path))
    doubts.incomplete_below.push_back(parent(path));
  if (declared.find(path))
    doubts.entries.push_back(path);
}

void Parameters::doubt_entry(const ParameterPath &path) {
  const auto meant = meant_entries(declared, path);
  doubts.entries.insert(doubts.entries.end(), meant.begin(), meant.end());
  if (declared.has_subsection(path))
    doubts.subsections.push_back(path);
  (meant.empty() ? doubts.incomplete_below : doubts.incomplete).push_back(parent(path));
}

bool Parameters::is_doubtful(const std::string &path) const {
  const ParameterPath &entry = declaration(path).path;
  const bool missing = given.count(entry) == 0;
  return contains(doubts.entries, entry) || is_within(doubts.subsections, entry) ||
         (missing && is_incomplete(to_string(parent(entry))));
}

bool Parameters::is_incomplete(const std::string &subsection) const {
  const ParameterPath path = to_path(subsection);
  return contains(doubts.incomplete, path) || is_within(doubts.incomplete_below, path) ||
         is_within(doubts.subsections, path);
}

const ParameterDeclaration &Parameters::declaration(const std::string &path) const {
  const ParameterDeclaration *found = declared.find(to_path(path));
  AssertThrow(found, ExcMessage("parameter '" + path + "' is not declared"));
  return *found;
}

std::string Parameters::get(const std::string &path) const {
  const ParameterDeclaration &found = declaration(path);
  const auto entry = given.find(found.path);
  return entry == given.end() ? found.default_value : entry->second.value;
}

std::vector<std::pair<std::string, std::string>> Parameters::values() const {
  std::vector<std::pair<std::string, std::string>> all;
  for (const ParameterDeclaration &entry : declared.all())
    all.emplace_back(to_string(entry.path), get(to_string(entry.path)));
  return all;
}

double Parameters::get_double(const std::string &path) const {
  const auto number = to_number<double>(get(path));
  if (!number)
    fail(path, "this is not a number");
  return *number;
}

long Parameters::get_integer(const std::string &path) const {
  const auto number = to_number<long>(get(path));
  if (!number)
    fail(path, "this is not an integer");
  return *number;
}

bool Parameters::get_bool(const std::string &path) const {
  const std::string value = get(path);
  if (value != "true" && value != "false")
    fail(path, "allowed is true or false");
  return value == "true";
}

std::vector<std::string> Parameters::get_list(const std::string &path) const {
  return dealii::Utilities::split_string_list(get(path), ',');
}

std::vector<double> Parameters::get_double_list(const std::string &path) const {
  std::vector<double> numbers;
  for (const std::string &element : get_list(path)) {
    const auto number = to_number<double>(element);
    if (!number)
      fail(path, "'" + element + "' is not a number");
    numbers.push_back(*number);
  }
  return numbers;
}

bool Parameters::is_set(const std::string &path) const {
  return given.count(declaration(path).path) > 0;
}

std::vector<std::string> Parameters::set_paths() const {
  std::vector<std::string> paths;
  for (const auto &[path, entry] : given)
    paths.push_back(to_string(path));
  return paths;
}

bool Parameters::is_changed(const std::string &path) const {
  return get(path) != declaration(path).default_value;
}

std::string Parameters::where(const std::string &path) const {
  const auto entry = given.find(declaration(path).path);
  return entry == given.end() ? "default" : location(entry->second.source, entry->second.line);
}

std::string Parameters::remark(const std::string &path, const std::string &why) const {
  const Problem problem = complaint(declaration(path), why);
  return location(problem.source, problem.line) + ": " + problem.message;
}

Problem Parameters::complaint(const ParameterDeclaration &of, const std::string &why) const {
  const auto entry = given.find(of.path);
  const std::string ending = " is '" + shortened(get(to_string(of.path))) + "': " + why;
  if (entry == given.end())
    return {filename, 0, "'" + to_string(of.path) + "' (default)" + ending};
  return {entry->second.source, entry->second.line, name_as_given(of, entry->second) + ending};
}

void Parameters::report(const std::string &path, const std::string &why, Problems &problems) const {
  if (!is_doubtful(path))
    problems.add(complaint(declaration(path), why));
}

void Parameters::fail(const std::string &path, const std::string &why) const {
  throw InputError(remark(path, why));
}
} // namespace percussion
