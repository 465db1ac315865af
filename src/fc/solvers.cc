#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/solvers.h>

#include <algorithm>
#include <sstream>

namespace percussion::fc {
namespace {

const char *const all = "all";

std::string line(const std::string_view name, const std::string_view description) {
  std::string text = "  " + std::string(name);
  text.resize(std::max<std::size_t>(15, text.size() + 1), ' ');
  return text + std::string(description) + '\n';
}

[[noreturn]] void refuse(const std::string &list, const std::string &name) {
  std::vector<std::string> names = {all};
  for (const auto &row : cone_methods())
    names.emplace_back(row.name);
  std::string message = "'--solver' is '" + list + "': there is no solver '" + name + "'" +
                        did_you_mean(name, names) + "\nallowed are, separated by commas:\n" +
                        describe_solvers();
  message.pop_back(); // the last line end
  throw InputError(message);
}

} // namespace

std::vector<ConeMethodEntry> find_solvers(const std::string &list) {
  std::vector<ConeMethodEntry> solvers;
  const auto add = [&](const ConeMethodEntry &row) {
    if (std::none_of(solvers.begin(), solvers.end(),
                     [&](const ConeMethodEntry &other) { return other.name == row.name; }))
      solvers.push_back(row);
  };
  std::istringstream names(list + ','); // with a comma at the end an empty list has an empty name
  for (std::string name; std::getline(names, name, ',');) {
    const ConeMethodEntry *found = find_cone_method(name);
    if (name == all)
      std::for_each(cone_methods().begin(), cone_methods().end(), add);
    else if (found != nullptr)
      add(*found);
    else
      refuse(list, name);
  }
  return solvers;
}

std::string describe_solvers() {
  std::string text;
  for (const auto &row : cone_methods())
    text += line(row.name, row.description);
  return text + line(all, "each of these");
}

} // namespace percussion::fc
