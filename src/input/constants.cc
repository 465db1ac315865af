#include <percussion/base/expression.h>
#include <percussion/input/parameters.h>

#include <charconv>
#include <set>

namespace percussion {
namespace {

/// Returns the shortest digits from which the same number is read.
std::string digits_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

double value_of(const std::string &formula, const std::map<std::string, double> &constants) {
  auto words = std::make_shared<FormulaWords>();
  words->constants = constants;
  const Expression expression(formula, std::move(words));
  if (expression.depends_on_time() || expression.depends_on_position())
    throw InputError("not a number: it depends on t, x or y");
  try {
    return expression(0.);
  } catch (const RunError &) {
    throw InputError("not a finite number");
  }
}

} // namespace

/// Evaluates constants, which may depend on each other in any order.
std::map<std::string, double> read_constants(const ParameterFile &file, Problems &problems) {
  std::map<std::string, ParameterEntry> entries;
  for (const auto &[path, entry] : file.assignments())
    if (parent(path) == ParameterPath{"Constants"})
      entries[path.back()] = entry;
  const auto report = [&](const std::string &name, const std::string &reason) {
    const ParameterEntry &entry = entries.at(name);
    problems.add(
        {entry.source, entry.line, "'Constants/" + name + "' is '" + entry.value + "': " + reason});
  };
  std::map<std::string, double> found;
  std::set<std::string> refused;
  std::map<std::string, std::string> reasons;
  for (const auto &[name, entry] : entries)
    if (const std::string reason = problem_of_constant(name); !reason.empty()) {
      report(name, reason);
      refused.insert(name);
    }
  for (bool goes_on = true; goes_on;) { // finds constants that depend on earlier rounds
    goes_on = false;
    for (const auto &[name, entry] : entries)
      if (found.count(name) + refused.count(name) == 0)
        try {
          found[name] = value_of(entry.value, found);
          goes_on = true;
        } catch (const InputError &error) {
          reasons[name] = error.what();
        }
  }
  for (const auto &[name, reason] : reasons)
    if (found.count(name) == 0)
      report(name, reason);
  return found;
}

std::string evaluated(const std::string &text, const std::map<std::string, double> &constants) {
  std::string result, item;
  int depth = 0;
  const auto add_item = [&] {
    const auto begin = item.find_first_not_of(" \t");
    const std::string formula = begin == std::string::npos ? "" : item.substr(begin);
    result += to_number<double>(formula) ? item : digits_of(value_of(formula, constants));
    item.clear();
  };
  for (const char c : text) {
    depth += (c == '(') - (c == ')');
    if (depth == 0 && (c == ',' || c == ';')) { // not between the arguments of a function
      add_item();
      result += std::string(1, c) + " ";
    } else
      item += c;
  }
  add_item();
  return result;
}

} // namespace percussion
