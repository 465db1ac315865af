#pragma once

#include <percussion/io/parameter_file.h>
#include <percussion/io/patterns.h>

#include <iosfwd>
#include <map>
#include <memory>

namespace percussion {
/// A parameter that exists.
struct ParameterDeclaration {
  ParameterPath path;
  std::string default_value;
  std::shared_ptr<const dealii::Patterns::PatternBase> pattern;
  std::string documentation;
};

/**
 * The parameters that exist, in the order in which they are documented. What a programmer can get
 * wrong (a name twice, a default outside its pattern, no open subsection to leave) throws
 * dealii::ExcMessage.
 */
class ParameterDeclarations {
public:
  /// Opens a subsection of the open one; one that was left can be entered again.
  void enter(const std::string &subsection);
  void leave();

  /**
   * Declares a parameter of the open subsection.
   * @param documentation What it is, in sentences; the first stands alone in error messages. Says
   * the unit in terms of mass M, length L and time T, and the source of the concept.
   */
  void declare(const std::string &name, const std::string &default_value,
               const dealii::Patterns::PatternBase &pattern, const std::string &documentation);

  const ParameterDeclaration *find(const ParameterPath &path) const; ///< nullptr: not declared
  bool has_subsection(const ParameterPath &path) const;              ///< {} is the top: true

  /// Names of the entries, and of the subsections, directly below @p path in declaration order.
  std::vector<std::string> entry_names(const ParameterPath &path) const;
  std::vector<std::string> subsection_names(const ParameterPath &path) const;

  const std::vector<ParameterDeclaration> &all() const { return declarations; }

private:
  ParameterPath open;
  std::vector<ParameterPath> subsections;
  std::vector<ParameterDeclaration> declarations;
};

/// Enters a subsection for as long as it lives.
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

/**
 * The values of all declared parameters: the user's, else the defaults.
 *
 * Parameters are named by their path, "Time/Step". Asking for one that was not declared throws
 * dealii::ExcMessage.
 */
class Parameters {
public:
  /**
   * Compares all that the file sets with what exists.
   * @throws InputError that lists every mistake at once: syntax, unknown subsections and entries
   * with the nearest that exist, values that do not match their pattern.
   */
  Parameters(ParameterDeclarations declarations, ParameterFile file);

  /// Name of the file that they were read from.
  const std::string &name() const { return filename; }

  /// Path and value of every parameter, in the order of their declarations.
  std::vector<std::pair<std::string, std::string>> values() const;

  std::string get(const std::string &path) const;

  /// @throws InputError (so do the next ones) if the value is not of that type, which a declared
  /// pattern of the same type rules out.
  double get_double(const std::string &path) const;
  long get_integer(const std::string &path) const;
  bool get_bool(const std::string &path) const;
  std::vector<std::string> get_list(const std::string &path) const;   ///< separated by commas
  std::vector<double> get_double_list(const std::string &path) const; ///< separated by commas

  /// Whether the user gave the value.
  bool is_set(const std::string &path) const;

  /// Whether the user gave another value than the default: one that has no effect is a mistake
  /// then.
  bool is_changed(const std::string &path) const;

  /// "case.prm:12", "--set" or "default".
  std::string where(const std::string &path) const;

  /**
   * For checks of meaning, beyond patterns: records "case.prm:12: 'Time/End' is '1': @p why" to be
   * thrown with others.
   */
  void report(const std::string &path, const std::string &why, Problems &problems) const;

  /// @throws InputError "case.prm:12: 'Time/End' is '1': @p why"
  [[noreturn]] void fail(const std::string &path, const std::string &why) const;

  /**
   * Writes all values as a parameter file, which reads back to the same values.
   * @param with_documentation Precedes each entry by its documentation, allowed values and default,
   * as comments.
   */
  void print(std::ostream &out, bool with_documentation) const;

private:
  const ParameterDeclaration &declaration(const std::string &path) const;
  void print_subsection(std::ostream &out, const ParameterPath &path,
                        bool with_documentation) const;

  ParameterDeclarations declared;
  std::string filename;
  std::map<ParameterPath, ParameterEntry> given;
};
} // namespace percussion
