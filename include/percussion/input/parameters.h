#pragma once

#include <percussion/input/parameter_file.h>
#include <percussion/input/patterns.h>

#include <deal.II/base/parameter_handler.h>

#include <iosfwd>
#include <memory>

namespace percussion {
/// What dealii::ParameterHandler does not give back of a declared parameter.
struct ParameterDeclaration {
  ParameterPath path;
  std::string default_value;
  std::shared_ptr<const dealii::Patterns::PatternBase> pattern;
  std::string documentation;
};

/// The parameters that exist, in the order in which they are documented.
class ParameterDeclarations {
public:
  ParameterDeclarations();

  void enter(const std::string &subsection); ///< of the open one
  void leave();

  /// Declares a parameter of the open subsection. The documentation gives the unit in terms of mass
  /// M, length L and time T, and the source; its first sentence stands in error messages.
  /// @throws dealii::ExceptionBase for a name that exists or a default outside the pattern.
  void declare(const std::string &name, const std::string &default_value,
               const dealii::Patterns::PatternBase &pattern, const std::string &documentation);

  const ParameterDeclaration *find(const ParameterPath &path) const; ///< nullptr: not declared
  bool has_subsection(const ParameterPath &path) const;              ///< {} is the top: true

  /// Names of the entries, or of the subsections, directly below @p path.
  std::vector<std::string> names_below(const ParameterPath &path, bool of_subsections) const;

  /// In the order of declaration.
  const std::vector<ParameterDeclaration> &all() const { return declarations; }

private:
  friend class Parameters;

  std::unique_ptr<dealii::ParameterHandler> handler;
  ParameterPath open;
  std::vector<ParameterPath> subsections;
  std::vector<ParameterDeclaration> declarations;
  std::map<ParameterPath, std::size_t> index; ///< in declarations
};

/// Enters a subsection and leaves it at the end of the scope.
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

/// The values of all declared parameters: the user's, else the defaults. Parameters are named by
/// their path, "Time/Step"; an undeclared one throws dealii::ExcMessage.
class Parameters {
public:
  /// Compares the file with the parameters that exist. Errors do not throw, so that checks of
  /// meaning can add theirs: see problems(). A refused value is replaced by the default.
  Parameters(ParameterDeclarations declarations, const ParameterFile &file);

  const std::string &name() const { return filename; } ///< of the file, in messages
  const ParameterDeclarations &declarations() const { return declared; }
  /// All errors of syntax, of names (with the nearest valid name) and of values.
  const Problems &problems() const { return found_problems; }

  std::string get(const std::string &path) const;
  double get_double(const std::string &path) const;
  long get_integer(const std::string &path) const;
  bool get_bool(const std::string &path) const;
  std::vector<double> get_double_list(const std::string &path) const; ///< separated by commas

  /// Path and value of every parameter, in the order of declaration.
  using Values = std::vector<std::pair<std::string, std::string>>;
  Values values() const;
  /// Whether the value differs from the default.
  bool is_changed(const std::string &path) const;

  /// "case.prm:12: 'Time/End' is '1': @p why"
  std::string remark(const std::string &path, const std::string &why) const;

  /// Adds remark() to @p problems, unless the value was refused.
  void report(const std::string &path, const std::string &why, Problems &problems) const;

  /// The constants that the file defines in the subsection Constants, by name.
  const std::map<std::string, double> &constants() const { return constant_values; }

  /// Writes a parameter file that reads back to the same values; with_documentation adds comments.
  void print(std::ostream &out, bool with_documentation) const;

private:
  void take(const ParameterPath &path, const ParameterEntry &entry);
  Problem complaint(const std::string &path, const std::string &why) const;
  const ParameterDeclaration &declaration(const std::string &path) const;

  ParameterDeclarations declared;
  std::string filename;
  std::map<ParameterPath, ParameterEntry> given, refused;
  Problems found_problems;
  std::map<std::string, double> constant_values;
};

/// The values of the entries of the subsection Constants: formulas of numbers and of each other.
/// What is wrong with them is added to the problems.
std::map<std::string, double> read_constants(const ParameterFile &file, Problems &problems);

/// A number, or numbers separated by ',' and ';', with each formula of the constants in place of
/// its value. Throws InputError where one is no formula.
std::string evaluated(const std::string &text, const std::map<std::string, double> &constants);

/// The documentation of all parameters as a page in Markdown.
void print_markdown(std::ostream &out, const ParameterDeclarations &declarations);
} // namespace percussion
