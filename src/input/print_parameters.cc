#include <percussion/input/parameters.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <utility>

namespace percussion {
namespace Utilities = dealii::Utilities;

namespace {

/// Writer of a parameter file as dealii::ParameterHandler writes it. An entry of several
/// subsections is documented in the first of them, because a case may have a subsection for each of
/// many bodies.
struct ParameterFileWriter {
  const Parameters &parameters;
  std::ostream &stream;
  bool has_documentation;
  std::set<std::pair<ParameterPath, const EntryMeaning *>> documented;

  /// Returns true at the first of the subsections beside each other that have this entry.
  bool documents(const ParameterDeclaration &declaration) {
    const ParameterPath &section = *declaration.subsection;
    return has_documentation &&
           (section.size() < 2 || documented.insert({parent(section), declaration.entry}).second);
  }

  void write_entries(const std::vector<ParameterDeclaration> &entries, const std::string &indent) {
    constexpr unsigned int width = 78;
    std::vector<std::string> values;
    std::size_t longest_name = 0, longest_value = 0;
    for (const ParameterDeclaration &declaration : entries) {
      values.push_back(parameters.get(to_string(declaration.path())));
      longest_name = std::max(longest_name, declaration.entry->name.size());
      longest_value = std::max(longest_value, values.back().size());
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const EntryMeaning &entry = *entries[i].entry;
      if (documents(entries[i])) {
        stream << (i > 0 ? "\n" : "");
        for (const std::string &line : Utilities::break_text_into_lines(
                 entry.documentation + "\nAllowed: " + plain_words(*entry.pattern) + ".",
                 width - static_cast<unsigned int>(indent.size()) - 2))
          stream << indent << "# " << line << '\n';
      }
      stream << indent << "set " << entry.name
             << std::string(longest_name - entry.name.size() + 1, ' ') << "= " << values[i];
      if (has_documentation && values[i] != entry.default_value)
        stream << std::string(longest_value - values[i].size() + 1, ' ')
               << "# default: " << entry.default_value;
      stream << '\n';
    }
  }

  void write(const ParameterPath &section) {
    const std::string indent(2 * section.size(), ' ');
    const auto entries = parameters.declarations().below(section);
    const auto subsections = parameters.declarations().names_below(section, true);
    write_entries(entries, indent);
    if (has_documentation && !entries.empty() && !subsections.empty())
      stream << "\n\n";
    for (const std::string &name : subsections) {
      ParameterPath below = section;
      below.push_back(name);
      stream << indent << "subsection " << name << '\n';
      write(below);
      stream << indent << "end\n" << (has_documentation ? "\n" : "");
      stream << (has_documentation && section.empty() ? "\n" : "");
    }
  }
};

} // namespace

void Parameters::print(std::ostream &stream, const bool has_documentation) const {
  if (has_documentation)
    stream << "# Listing of Parameters\n# ---------------------\n";
  ParameterFileWriter{*this, stream, has_documentation, {}}.write({});
}

} // namespace percussion
