#include <percussion/base/error.h>
#include <percussion/base/nearest_name.h>
#include <percussion/fc/solvers.h>

#include <algorithm>
#include <iomanip>
#include <sstream>

namespace percussion::fc {
namespace {

[[noreturn]] void refuse(const std::string &list, const std::string &name) {
  std::vector<std::string> names = {"all"};
  for (const auto &row : cone_methods())
    names.emplace_back(row.name);
  std::string message = "'--solver' is '" + list + "': there is no solver '" + name + "'" +
                        did_you_mean(name, names) + "\nallowed are, separated by commas:\n" +
                        describe_solvers();
  message.pop_back(); // the last newline
  throw InputError(message);
}

} // namespace

std::vector<ConeMethodEntry> find_solvers(const std::string &list) {
  std::vector<ConeMethodEntry> solvers;
  const auto add = [&solvers](const ConeMethodEntry &row) {
    if (std::none_of(solvers.begin(), solvers.end(),
                     [&row](const ConeMethodEntry &entry) { return entry.name == row.name; }))
      solvers.push_back(row);
  };
  std::istringstream names(list + ','); // so that an empty last name counts
  for (std::string name; std::getline(names, name, ',');)
    if (name == "all")
      std::for_each(cone_methods().begin(), cone_methods().end(), add);
    else if (const ConeMethodEntry *found = find_cone_method(name))
      add(*found);
    else
      refuse(list, name);
  return solvers;
}

std::string describe_solvers() {
  std::ostringstream text;
  for (const auto &row : cone_methods())
    text << "  " << std::left << std::setw(12) << row.name << ' ' << row.description << '\n';
  text << "  all          each of these\n";
  return text.str();
}

} // namespace percussion::fc
