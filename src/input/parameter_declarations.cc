#include <percussion/input/parameters.h>

#include <deal.II/base/exceptions.h>
#include <deal.II/base/utilities.h>

#include <algorithm>

namespace percussion {
using dealii::ExcMessage;
using dealii::Patterns::PatternBase;

void ParameterDeclarations::enter(const std::string &subsection) {
  AssertThrow(!subsection.empty() && subsection.find_first_of("/#\n") == std::string::npos,
              ExcMessage("not a name for a subsection: '" + subsection + "'"));
  open.push_back(subsection);
  AssertThrow(!find(open), ExcMessage("an entry has the name " + to_string(open)));
  if (!has_subsection(open))
    subsections.push_back(open);
}

void ParameterDeclarations::leave() {
  AssertThrow(!open.empty(), ExcMessage("no subsection is open"));
  open.pop_back();
}

void ParameterDeclarations::declare(const std::string &name, const std::string &default_value,
                                    const PatternBase &pattern, const std::string &documentation) {
  ParameterDeclaration added{open, default_value, pattern.clone(), documentation};
  added.path.push_back(name);
  const std::string text = to_string(added.path);
  AssertThrow(!name.empty() && name.find_first_of("/#=\n") == std::string::npos,
              ExcMessage("not a name for an entry: '" + text + "'"));
  AssertThrow(!find(added.path) && !has_subsection(added.path), ExcMessage(text + " exists"));
  AssertThrow(pattern.match(default_value), ExcMessage("default of " + text + " is not allowed"));
  AssertThrow(dealii::Utilities::trim(default_value) == default_value &&
                  default_value.find_first_of("#\n") == std::string::npos &&
                  (default_value.empty() || default_value.back() != '\\'),
              ExcMessage("default of " + text + " cannot stand in a parameter file"));
  declarations.push_back(std::move(added));
}

const ParameterDeclaration *ParameterDeclarations::find(const ParameterPath &path) const {
  for (const ParameterDeclaration &declaration : declarations)
    if (declaration.path == path)
      return &declaration;
  return nullptr;
}

bool ParameterDeclarations::has_subsection(const ParameterPath &path) const {
  return path.empty() ||
         std::find(subsections.begin(), subsections.end(), path) != subsections.end();
}

std::vector<std::string> ParameterDeclarations::entry_names(const ParameterPath &path) const {
  std::vector<std::string> names;
  for (const ParameterDeclaration &declaration : declarations)
    if (parent(declaration.path) == path)
      names.push_back(declaration.path.back());
  return names;
}

std::vector<std::string> ParameterDeclarations::subsection_names(const ParameterPath &path) const {
  std::vector<std::string> names;
  for (const ParameterPath &subsection : subsections)
    if (parent(subsection) == path)
      names.push_back(subsection.back());
  return names;
}

void ParameterDeclarations::was_called(const std::string &old_path) {
  AssertThrow(!declarations.empty(), ExcMessage("nothing is declared yet"));
  const ParameterPath path = to_path(old_path);
  AssertThrow(!find(path) && !find_by_old_name(path), ExcMessage(old_path + " exists"));
  declarations.back().old_names.push_back(path);
}

const ParameterDeclaration *
ParameterDeclarations::find_by_old_name(const ParameterPath &path) const {
  for (const ParameterDeclaration &declaration : declarations)
    for (const ParameterPath &old : declaration.old_names)
      if (old == path)
        return &declaration;
  return nullptr;
}

bool ParameterDeclarations::has_old_subsection(const ParameterPath &path) const {
  for (const ParameterDeclaration &declaration : declarations)
    for (const ParameterPath &old : declaration.old_names)
      if (path.size() < old.size() && std::equal(path.begin(), path.end(), old.begin()))
        return true;
  return false;
}
} // namespace percussion
