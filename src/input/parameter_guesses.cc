#include "parameter_guesses.h"

#include <percussion/base/blanks.h>
#include <percussion/base/nearest_name.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace percussion {
namespace {
using dealii::Patterns::PatternBase;

/// Up to the first full stop before a capital letter, so that "e.g. this" does not end it.
std::string first_sentence(const std::string &text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i)
    if (text[i] == '.' && std::isspace(static_cast<unsigned char>(text[i + 1])) &&
        std::isupper(static_cast<unsigned char>(text[i + 2])))
      return text.substr(0, i + 1);
  return text;
}

/// " Subsections here: Mesh, Time.", or "" without names.
std::string listed(const std::string &title, const std::vector<std::string> &names) {
  return names.empty() ? "" : " " + title + ": " + joined(names, ", ") + ".";
}

ParameterPath child(ParameterPath path, const std::string &name) {
  path.push_back(name);
  return path;
}

/// Subsections of this name in those around the one where it stands: an 'end' is missing, then.
std::vector<ParameterPath> subsections_outside(const ParameterDeclarations &declared,
                                               const ParameterPath &path) {
  std::vector<ParameterPath> found;
  for (ParameterPath outer = parent(path); !outer.empty();) {
    outer = parent(outer);
    if (declared.has_subsection(child(outer, path.back())))
      found.push_back(child(outer, path.back()));
  }
  return found;
}

/// Entries of this name in other subsections.
std::vector<ParameterPath> entries_elsewhere(const ParameterDeclarations &declared,
                                             const ParameterPath &path) {
  std::vector<ParameterPath> found;
  for (const ParameterDeclaration &other : declared.all())
    if (other.path.back() == path.back())
      found.push_back(other.path);
  return found;
}
} // namespace

std::vector<ParameterPath> meant_subsections(const ParameterDeclarations &declared,
                                             const ParameterPath &unknown) {
  const auto outside = subsections_outside(declared, unknown);
  if (!outside.empty())
    return outside;
  const auto nearest = nearest_name(unknown.back(), declared.subsection_names(parent(unknown)));
  return nearest ? std::vector<ParameterPath>{child(parent(unknown), *nearest)}
                 : std::vector<ParameterPath>();
}

std::vector<ParameterPath> meant_entries(const ParameterDeclarations &declared,
                                         const ParameterPath &unknown) {
  std::vector<ParameterPath> meant = entries_elsewhere(declared, unknown);
  if (const auto nearest = nearest_name(unknown.back(), declared.entry_names(parent(unknown))))
    meant.push_back(child(parent(unknown), *nearest));
  return meant;
}

std::string unknown_subsection(const ParameterDeclarations &declared, const ParameterPath &path) {
  const auto siblings = declared.subsection_names(parent(path));
  const auto outside = subsections_outside(declared, path);
  if (declared.find(path))
    return "unknown subsection '" + shortened(to_string(path)) + "'; '" + path.back() +
           "' is an entry: use 'set'";
  std::string hint = did_you_mean(path.back(), siblings);
  if (!outside.empty())
    hint = "; '" + to_string(outside.front()) + "' exists: is an 'end' missing before this line?";
  const std::string of = path.size() == 1 ? "" : " of subsection " + to_string(parent(path));
  return "unknown subsection '" + shortened(to_string(path)) + "'" + (hint.empty() ? "." : hint) +
         listed("Subsections" + of, siblings);
}

std::string unknown_entry(const ParameterDeclarations &declared, const ParameterPath &path) {
  const auto siblings = declared.entry_names(parent(path));
  std::vector<std::string> elsewhere;
  for (const ParameterPath &other : entries_elsewhere(declared, path))
    elsewhere.push_back(other.size() == 1 ? "the top level"
                                          : "subsection " + to_string(parent(other)));
  std::string hint = did_you_mean(path.back(), siblings);
  if (declared.has_subsection(path))
    hint = "; '" + path.back() + "' is a subsection.";
  else if (!elsewhere.empty())
    hint = "; '" + path.back() + "' is an entry of " + joined(elsewhere, ", ") + ".";
  const std::string of =
      path.size() == 1 ? "outside subsections" : "of subsection " + to_string(parent(path));
  return "unknown entry '" + shortened(to_string(path)) + "'" + (hint.empty() ? "." : hint) +
         (siblings.empty() ? listed("No entries " + of + ". Subsections",
                                    declared.subsection_names(parent(path)))
                           : listed("Entries " + of, siblings));
}

std::string name_as_given(const ParameterDeclaration &declaration, const ParameterEntry &entry) {
  const std::string name = "'" + to_string(declaration.path) + "'";
  return entry.path == declaration.path ? name
                                        : name + " (written as '" + to_string(entry.path) + "')";
}

namespace {
/// What is probably wrong with a value that does not match, as "; did you mean 'x'?" and the like.
std::string hint_for(const PatternBase &pattern, const std::string &value) {
  const std::string name = did_you_mean(value, alternatives(pattern.description()));
  if (!name.empty())
    return name;
  if (const std::string usual = with_usual_blanks(value); usual != value && pattern.match(usual))
    return "; there is " + std::string(no_break_space) + " in it";
  if (const std::string number = with_decimal_points(value);
      number != value && pattern.match(number))
    return "; decimals are written with a point: did you mean '" + shortened(number) + "'?";
  if (const std::string number = with_e_exponents(value); number != value && pattern.match(number))
    return "; exponents are written with an e: did you mean '" + shortened(number) + "'?";
  return {};
}
} // namespace

std::string refusal(const ParameterDeclaration &declaration, const ParameterEntry &entry) {
  const PatternBase &pattern = *declaration.pattern;
  const std::string &value = entry.value;
  const std::string start = name_as_given(declaration, entry) + " is '" + shortened(value) + "': ";
  if (pattern.match(value)) {
    const std::string problem = magnitude_problem(pattern, value);
    return problem.empty() ? "" : start + problem;
  }
  const std::string usual = with_usual_blanks(value);
  if (const std::string number = without_units(usual); number != usual && pattern.match(number))
    return start + "allowed is " + plain_words(pattern) + ", without a unit; write '" +
           shortened(number) + "'. " + about_units;
  const std::string hint = hint_for(pattern, value);
  const std::string sentence = first_sentence(declaration.documentation);
  return start + "allowed is " + plain_words(pattern) + hint +
         (sentence.empty() ? "" : (hint.empty() ? "; " : " ") + sentence);
}
} // namespace percussion
