#pragma once

#include <percussion/input/parameters.h>

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace percussion {

/// Text of an entry, and the value that it stands for.
template <typename Value>
struct Choice {
  const char *text;
  Value value;
};

/// Returns the choices of a table whose rows have a name and a value.
template <typename Table, typename Row, typename Value>
std::vector<Choice<Value>> choices_of(const Table &table, Value Row::*value) {
  std::vector<Choice<Value>> choices;
  for (const Row &row : table)
    choices.push_back({row.name, row.*value});
  return choices;
}

/// Returns the names of the rows of a table, separated by "|", after a first one.
template <typename Table>
std::string names_of(const Table &table, std::string names = {}) {
  for (const auto &row : table)
    names += (names.empty() ? "" : "|") + std::string(row.name);
  return names;
}

/// Returns the row of a table with this name; null if there is none.
template <typename Table>
auto find_row(const Table &table, const std::string &name) {
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const auto &row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

/// Returns " name: description." for each row of a table.
template <typename Table>
std::string descriptions_of(const Table &table) {
  std::string text;
  for (const auto &row : table)
    text += " " + std::string(row.name) + ": " + row.description + ".";
  return text;
}

/// Table of the entries of a section. A row has all that belongs to an entry: its name, default,
/// pattern, description, the condition under which it has an effect, and the member of Values that
/// takes its value. The order of the rows is the order of the reference.
template <typename Values>
class SectionTable {
public:
  using Pattern = dealii::Patterns::PatternBase;
  using Declarer = std::function<void(ParameterDeclarations &)>;
  using Reader = std::function<void(const Parameters &, const std::string &path, Values &)>;

  /// Creates the table of a section, or of the open subsection.
  explicit SectionTable(std::string name = {}) : section(std::move(name)) {}

  /// Adds an entry that other code reads.
  SectionTable &add(const std::string &name, const std::string &default_value,
                    const Pattern &pattern, const std::string &documentation) {
    rows.push_back({name, default_value, pattern.clone(), documentation, {}, {}, nullptr});
    return *this;
  }

  /// Adds an entry with the value of a member: a number, a truth value or a text. Several pointers
  /// lead to a member of a member.
  template <typename... Members>
  SectionTable &add(const std::string &name, const std::string &default_value,
                    const Pattern &pattern, const std::string &documentation, Members... members) {
    add(name, default_value, pattern, documentation);
    rows.back().read = [members...](const Parameters &parameters, const std::string &path,
                                    Values &values) {
      auto &value = (values.*....*members);
      set(parameters, path, value);
    };
    return *this;
  }

  /// Adds an entry with one of these texts; the first is the default.
  template <typename Value, typename... Members>
  SectionTable &add_choice(const std::string &name, const std::vector<Choice<Value>> &choices,
                           const std::string &documentation, Members... members) {
    return add_choice(name, "", choices, documentation, members...);
  }

  /// Adds an entry with a default that does not change the member, or with one of these texts.
  template <typename Value, typename... Members>
  SectionTable &add_choice(const std::string &name, const std::string &default_value,
                           const std::vector<Choice<Value>> &choices,
                           const std::string &documentation, Members... members) {
    std::string texts = default_value;
    for (const Choice<Value> &choice : choices)
      texts += (texts.empty() ? "" : "|") + std::string(choice.text);
    add(name, texts.substr(0, texts.find('|')), dealii::Patterns::Selection(texts), documentation);
    rows.back().read = [=](const Parameters &parameters, const std::string &path, Values &values) {
      for (const Choice<Value> &choice : choices)
        if (parameters.get(path) == choice.text)
          (values.*....*members) = choice.value;
    };
    return *this;
  }

  /// Adds entries that a function declares and other code reads.
  SectionTable &add(Declarer declare_entries) {
    rows.push_back({{}, {}, nullptr, {}, {}, {}, std::move(declare_entries)});
    return *this;
  }

  /// Sets the function that reads the last entry.
  SectionTable &read_by(Reader reader) {
    rows.back().read = std::move(reader);
    return *this;
  }

  /// Sets the condition under which the last entry has an effect.
  SectionTable &used_if(UsedIf condition) {
    rows.back().condition = std::move(condition);
    return *this;
  }

  /// Declares all entries in their subsection.
  void declare(ParameterDeclarations &declarations) const {
    const Subsection subsection(declarations, section);
    declare_entries(declarations);
  }

  /// Declares all entries in the open subsection.
  void declare_entries(ParameterDeclarations &declarations) const {
    for (const Row &row : rows)
      if (row.declare)
        row.declare(declarations);
      else
        declarations.declare(row.name, row.default_value, *row.pattern, row.documentation,
                             row.condition);
  }

  /// Reads all entries with a member or a function.
  void read(const Parameters &parameters, Values &values) const {
    read(parameters, section + "/", values);
  }

  /// Reads the entries of a subsection, whose path ends with "/".
  void read(const Parameters &parameters, const std::string &path, Values &values) const {
    for (const Row &row : rows)
      if (row.read)
        row.read(parameters, path + row.name, values);
  }

private:
  struct Row {
    std::string name, default_value;
    std::shared_ptr<const Pattern> pattern;
    std::string documentation;
    UsedIf condition;
    Reader read;
    Declarer declare;
  };

  template <typename T>
  static void set(const Parameters &parameters, const std::string &path, T &value) {
    if constexpr (std::is_same_v<T, bool>)
      value = parameters.get_bool(path);
    else if constexpr (std::is_integral_v<T>)
      value = static_cast<T>(parameters.get_integer(path));
    else if constexpr (std::is_floating_point_v<T>)
      value = parameters.get_double(path);
    else
      value = parameters.get(path);
  }

  std::string section;
  std::vector<Row> rows;
};

} // namespace percussion
