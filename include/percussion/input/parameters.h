#pragma once

#include <percussion/input/parameter_file.h>
#include <percussion/input/patterns.h>

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>

namespace percussion {
/// Condition under which an entry has an effect: the value of another entry.
struct UsedIf {
  std::string entry; ///< name in the same subsection, or path "Time/Scheme"; empty: always used
  std::vector<std::string> values; ///< values with which the entry has an effect
  bool negates = false;            ///< true: the entry has an effect with all values except these
  std::string advice;              ///< end of the message: the values or entries to use instead

  /// Returns true if the entry has an effect with this value of the other entry.
  bool is_met(const std::string &value) const;
};

/// Meaning of an entry, which all subsections with this entry share.
struct EntryMeaning {
  std::string name, default_value;
  std::shared_ptr<const dealii::Patterns::PatternBase> pattern;
  std::string documentation;
  UsedIf used_if;
};

/// Declared parameter: an entry of a subsection.
struct ParameterDeclaration {
  const ParameterPath *subsection;
  const EntryMeaning *entry;

  ParameterPath path() const;
};

/// Declarations of all parameters, in the order of their documentation. A case may have a
/// subsection for each of many bodies: the meaning of an entry is stored once.
class ParameterDeclarations {
public:
  ParameterDeclarations();
  ParameterDeclarations(ParameterDeclarations &&) = default;
  ParameterDeclarations &operator=(ParameterDeclarations &&) = default;
  ParameterDeclarations(const ParameterDeclarations &) = delete;
  ParameterDeclarations &operator=(const ParameterDeclarations &) = delete;
  ~ParameterDeclarations() = default;

  /// Enters a subsection of the open one.
  void enter(const std::string &subsection);
  void leave();

  /// Declares a parameter of the open subsection. The documentation gives the unit in terms of mass
  /// M, length L and time T, and the source; error messages contain its first sentence.
  /// @throws dealii::ExceptionBase if the name exists or the default does not match the pattern.
  void declare(const std::string &name, const std::string &default_value,
               const dealii::Patterns::PatternBase &pattern, const std::string &documentation,
               const UsedIf &used_if = {});

  /// Returns the declaration of a parameter; null if it is not declared.
  const ParameterDeclaration *find(const ParameterPath &path) const;
  /// True if a subsection exists; {} is the top and exists.
  bool has_subsection(const ParameterPath &path) const { return sections.count(path) > 0; }

  /// Returns the names of the entries, or of the subsections, directly below @p path.
  std::vector<std::string> names_below(const ParameterPath &path, bool are_subsections) const;
  /// Returns the declarations of a subsection.
  std::vector<ParameterDeclaration> below(const ParameterPath &path) const;

  /// Returns all declarations in their order.
  const std::vector<ParameterDeclaration> &all() const { return declarations; }

  /// Sets the maker of the declarations of cases of the other dimension, "2D" or "3D", which
  /// explain unknown names. A name in angle brackets in them stands for any name.
  void set_other_dimension(const std::string &name, std::function<ParameterDeclarations()> declare);
  /// Returns "2D" or "3D" if cases of this dimension have an entry or subsection that is not
  /// declared here; otherwise "".
  std::string dimension_with(const ParameterPath &path) const;

private:
  /// Names directly below a subsection.
  struct Section {
    std::vector<std::string> subsections;
    std::vector<std::size_t> entries; ///< indices in `declarations`
  };

  const EntryMeaning &shared(EntryMeaning meaning);

  ParameterPath open;
  std::map<ParameterPath, Section> sections;
  std::map<std::string, EntryMeaning> meanings; ///< by the texts of the entry
  std::vector<ParameterDeclaration> declarations;
  std::string other_dimension;
  std::function<ParameterDeclarations()> declare_other_dimension;
};

/// Subsection that is entered here and left at the end of the scope.
class Subsection {
public:
  Subsection(ParameterDeclarations &declarations, const std::string &name)
      : declared(declarations) {
    declared.enter(name);
  }
  ~Subsection() { declared.leave(); }
  Subsection(const Subsection &) = delete;
  Subsection &operator=(const Subsection &) = delete;

private:
  ParameterDeclarations &declared;
};

/// Values of all declared parameters: values given by the user, else defaults. Parameters are
/// identified by their path, "Time/Step"; an undeclared one throws dealii::ExcMessage.
class Parameters {
public:
  /// Compares the file with the declared parameters. Errors do not throw, so that checks of their
  /// meaning can add further errors: see problems(). The default replaces a refused value.
  Parameters(ParameterDeclarations declarations, const ParameterFile &file);

  /// Returns the name of the file in messages.
  const std::string &name() const { return filename; }
  const ParameterDeclarations &declarations() const { return declared; }
  /// Returns all errors of syntax, of names (with the nearest valid name) and of values.
  const Problems &problems() const { return found_problems; }

  std::string get(const std::string &path) const;
  double get_double(const std::string &path) const;
  long get_integer(const std::string &path) const;
  bool get_bool(const std::string &path) const;
  /// Returns numbers separated by commas.
  std::vector<double> get_double_list(const std::string &path) const;

  /// Path and value of each parameter, in the order of declaration.
  using Values = std::vector<std::pair<std::string, std::string>>;
  Values values() const;
  /// True if the value differs from the default.
  bool is_changed(const std::string &path) const;

  /// Returns "case.prm:12: 'Time/End' is '1': @p why".
  std::string remark(const std::string &path, const std::string &reason) const;

  /// Adds an error to `problems`: the location and value of this parameter and the reason, see
  /// remark(). Adds no error if the value is among the refused ones, which problems() lists.
  void report(const std::string &path, const std::string &reason, Problems &problems) const;

  /// Returns the constants that the file defines in the subsection Constants, by name.
  const std::map<std::string, double> &constants() const { return constant_values; }

  /// Writes a parameter file with the same values; has_documentation adds comments to the first
  /// of several subsections with the same entry.
  void print(std::ostream &stream, bool has_documentation) const;

private:
  void take(const ParameterPath &path, const ParameterEntry &entry);
  Problem complaint(const std::string &path, const std::string &reason) const;
  const ParameterDeclaration &declaration(const std::string &path) const;

  ParameterDeclarations declared;
  std::string filename;
  std::map<ParameterPath, ParameterEntry> given_entries, refused;
  std::map<ParameterPath, std::string> given_values; ///< numbers in place of formulas
  Problems found_problems;
  std::map<std::string, double> constant_values;
};

/// Returns the values of the entries in the subsection Constants: formulas of numbers and of other
/// constants. Adds their errors to the problems.
std::map<std::string, double> read_constants(const ParameterFile &file, Problems &problems);

/// Returns a number, or numbers separated by ',' and ';', with the value of each formula of the
/// constants in place of the formula. Throws InputError if a formula is invalid.
std::string evaluated(const std::string &text, const std::map<std::string, double> &constants);

/// Returns the items between commas without blanks at their ends. Commas between the arguments of a
/// function do not separate; a trailing comma is followed by an empty item.
std::vector<std::string> items_between_commas(const std::string &text);

/// Writes the documentation of all parameters as a page in Markdown.
void print_markdown(std::ostream &stream, const ParameterDeclarations &declarations);
} // namespace percussion
