#include <percussion/input/parameters.h>

#include <deal.II/base/utilities.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <ostream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace percussion {
namespace {

using Entries = std::vector<const EntryMeaning *>;

/// Returns the text with escapes of the characters that Markdown reads as emphasis, tags and
/// tables.
std::string escaped(const std::string &text) {
  return std::regex_replace(text, std::regex("[*<|]"), "\\$&");
}

/// Returns GitHub's anchor of a heading.
std::string anchor(const std::string &heading) {
  std::string name;
  for (const unsigned char c : heading)
    if (std::isalnum(c) || c == '_' || c == '-')
      name += static_cast<char>(std::tolower(c));
    else if (c == ' ')
      name += '-';
  return name;
}

/// Returns the section with the general entry whose value is the default of this entry; empty if
/// there is none.
std::string section_of_default(const EntryMeaning &entry) {
  static const std::regex phrase(R"( Default: value of (.*)/([^/]*)\.$)");
  std::smatch found;
  const bool is_special =
      std::regex_search(entry.documentation, found, phrase) && found[2] == entry.name;
  return is_special ? found[1].str() : "";
}

/// Returns the last letter of a name that ends in the component x, y or z of a vector; else 0.
char component(const std::string &name) {
  const bool has_component = name.size() > 2 && name[name.size() - 2] == ' ' &&
                             std::string("xyz").find(name.back()) != std::string::npos;
  return has_component ? name.back() : '\0';
}

/// Returns the description of a component with `word` in place of its letter, and without the
/// remark that z is a component in 3D.
std::string component_text(const EntryMeaning &entry, const std::string &word) {
  const std::regex letter(std::string("\\b") + component(entry.name) + "\\b"),
      remark(" Only in 3D\\.$");
  return std::regex_replace(std::regex_replace(entry.documentation, letter, word,
                                               std::regex_constants::format_first_only),
                            remark, "");
}

/// True if two entries are components of one vector: they differ in the letter only.
bool are_components(const EntryMeaning &a, const EntryMeaning &b) {
  return component(a.name) && component(b.name) &&
         a.name.substr(0, a.name.size() - 1) == b.name.substr(0, b.name.size() - 1) &&
         component_text(a, "x") == component_text(b, "x") && a.default_value == b.default_value &&
         plain_words(*a.pattern) == plain_words(*b.pattern);
}

/// True if two entries have the same text, such as the limits of an angle.
bool have_same_text(const EntryMeaning &a, const EntryMeaning &b) {
  return a.documentation == b.documentation && a.default_value == b.default_value &&
         plain_words(*a.pattern) == plain_words(*b.pattern);
}

/// Returns the entries of a section that share a description with `entry`, which is the first:
/// components of a vector, or entries with the same text.
Entries described_with(const Entries &section, const EntryMeaning &entry) {
  Entries found{&entry};
  for (const EntryMeaning *const other : section)
    if (other != &entry && (are_components(entry, *other) || have_same_text(entry, *other)))
      found.push_back(other);
  return found;
}

/// Returns "x, y", or with " or " in place of the last comma "x, y or z".
std::string letters(const Entries &entries, const std::string &last_separator) {
  std::string list;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i > 0)
      list += i + 1 < entries.size() ? ", " : last_separator;
    list += component(entries[i]->name);
  }
  return list;
}

/// Writer of the page. It describes entries with the same text in the first of their sections, and
/// refers to it in the others.
struct MarkdownWriter {
  std::ostream &stream;
  std::map<std::string, std::string> sections; ///< by the texts of the entries described so far

  void write_reference(const std::string &section, const std::string &rest) {
    stream << "As in [" << escaped(section) << "](#" << anchor(section) << ")" << rest << ".\n";
  }

  void write_description(const Entries &entries) {
    const EntryMeaning &entry = *entries.front();
    const bool are_of_vector = entries.size() > 1 && are_components(*entries[0], *entries[1]);
    const std::string text =
        are_of_vector ? component_text(entry, letters(entries, " or ")) : entry.documentation;
    for (const auto &line : dealii::Utilities::break_text_into_lines(escaped(text), 100))
      stream << line << '\n';
    const std::string &value = entry.default_value, ending = ", or nothing";
    std::string allowed = plain_words(*entry.pattern);
    const std::size_t end = allowed.rfind(ending);
    const bool is_optional =
        value.empty() && end != std::string::npos && end + ending.size() == allowed.size();
    stream << '\n';
    if (is_optional)
      allowed.erase(end);
    else
      stream << "* Default: " << (value.empty() ? "empty" : "`" + value + "`") << '\n';
    if (allowed.compare(0, 7, "one of ") == 0)
      allowed = std::regex_replace(allowed, std::regex(" \\| "), ", ");
    stream << "* Allowed: " << escaped(allowed) << '\n';
  }

  /// Returns "Force x, y, z" for components, otherwise all names.
  static std::string heading(const Entries &entries) {
    const std::string &name = entries.front()->name;
    if (entries.size() > 1 && are_components(*entries[0], *entries[1]))
      return name.substr(0, name.size() - 1) + letters(entries, ", ");
    std::string names;
    for (const EntryMeaning *const entry : entries)
      names += (names.empty() ? "" : ", ") + entry->name;
    return names;
  }

  void write_entry(const std::string &section, const Entries &entries) {
    const EntryMeaning &entry = *entries.front();
    const std::string &name = entry.name;
    stream << "\n### " << escaped(heading(entries)) << "\n\n";
    const auto described =
        sections.emplace(name + '\n' + entry.documentation + '\n' + entry.default_value + '\n' +
                             plain_words(*entry.pattern),
                         section);
    if (const std::string general = section_of_default(entry); !general.empty())
      write_reference(general, ", whose value is the default");
    else if (!described.second)
      write_reference(described.first->second, "");
    else
      write_description(entries);
  }

  void write_section(const std::string &name, const Entries &entries) {
    stream << "\n## " << escaped(name) << '\n';
    const std::string general = section_of_default(*entries.front());
    const bool repeats = !general.empty() && entries.size() > 1 &&
                         std::all_of(entries.begin(), entries.end(), [&](const auto *entry) {
                           return section_of_default(*entry) == general;
                         });
    if (repeats) {
      stream << "\nThe entries of [" << general << "](#" << anchor(general)
             << "), whose values are the defaults.\n";
      return;
    }
    std::set<const EntryMeaning *> written;
    for (const EntryMeaning *const entry : entries)
      if (written.count(entry) == 0) {
        const Entries group = described_with(entries, *entry);
        written.insert(group.begin(), group.end());
        write_entry(name, group);
      }
  }
};

} // namespace

void print_markdown(std::ostream &stream, const ParameterDeclarations &declarations) {
  MarkdownWriter writer{stream, {}};
  const auto &all = declarations.all();
  for (auto first = all.begin(); first != all.end();) {
    const ParameterPath *const section = first->subsection;
    Entries entries;
    for (; first != all.end() && first->subsection == section; ++first)
      entries.push_back(first->entry);
    writer.write_section(to_string(*section), entries);
  }
}

} // namespace percussion
