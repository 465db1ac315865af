#pragma once

#include <percussion/input/parameter_file.h>
#include <percussion/input/patterns.h>

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
  std::vector<ParameterPath> old_names{}; ///< that still work, with a notice
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
  /// Closes the open subsection.
  void leave();

  /**
   * Declares a parameter of the open subsection, its default value and what it may be. The
   * documentation says what it is, in sentences of which the first stands alone in error messages,
   * the unit in terms of mass M, length L and time T, and the source of the concept.
   */
  void declare(const std::string &name, const std::string &default_value,
               const dealii::Patterns::PatternBase &pattern, const std::string &documentation);

  /// The parameter that was declared last had another name, as a path from the top: it goes on to
  /// work.
  void was_called(const std::string &old_path);

  const ParameterDeclaration *find(const ParameterPath &path) const; ///< nullptr: not declared
  /// The parameter that was called so once; nullptr: none.
  const ParameterDeclaration *find_by_old_name(const ParameterPath &path) const;
  bool has_subsection(const ParameterPath &path) const;     ///< {} is the top: true
  bool has_old_subsection(const ParameterPath &path) const; ///< one that holds old names

  /// Names of the entries, and of the subsections, directly below @p path in declaration order.
  std::vector<std::string> entry_names(const ParameterPath &path) const;
  /// Likewise of the subsections directly below @p path.
  std::vector<std::string> subsection_names(const ParameterPath &path) const;

  /// In declaration order.
  const std::vector<ParameterDeclaration> &all() const { return declarations; }

private:
  ParameterPath open;
  std::vector<ParameterPath> subsections;
  std::vector<ParameterDeclaration> declarations;
};

/// Enters a subsection for as long as it lives.
class Subsection {
public:
  /// Enters it; the declarations must live as long.
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
 * What cannot be relied on, because something in the input was not understood. A complaint about
 * it would be one about the same mistake again.
 */
struct ParameterDoubts {
  /// Values that were refused, and what misspelt entries were probably meant to be.
  std::vector<ParameterPath> entries;
  /// What misspelt subsections were probably meant to be, with all that is in them.
  std::vector<ParameterPath> subsections;
  /// Subsections in which a name stands that was not understood: others may be missing there,
  std::vector<ParameterPath> incomplete;
  /// and, where nobody can say what the name was meant to be, below them.
  std::vector<ParameterPath> incomplete_below;
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
   * Compares all that the file sets with what exists. Mistakes do not throw, so that checks of
   * meaning can add theirs: see problems(). A refused value is replaced by the default.
   */
  Parameters(ParameterDeclarations declarations, const ParameterFile &file);

  /// Name of the file that they were read from.
  const std::string &name() const { return filename; }

  /// Path and value of every parameter, in the order of their declarations.
  std::vector<std::pair<std::string, std::string>> values() const;
  /// Every mistake: syntax, unknown subsections and entries with the nearest that exist, values
  /// that do not match their pattern or are too large or small for arithmetic.
  const Problems &problems() const { return found_problems; }

  /// What the user should know of old names: "case.prm:12: 'OLD' is now called 'NEW'; ...".
  const std::vector<std::string> &notices() const { return found_notices; }

  /// The value as a text.
  std::string get(const std::string &path) const;

  /// @throws InputError (so do the next ones) if the value is not of that type, which a declared
  /// pattern of the same type rules out.
  double get_double(const std::string &path) const;
  /// The value as an integer.
  long get_integer(const std::string &path) const;
  /// The value as true or false.
  bool get_bool(const std::string &path) const;
  std::vector<std::string> get_list(const std::string &path) const;   ///< separated by commas
  std::vector<double> get_double_list(const std::string &path) const; ///< separated by commas

  /// Whether the user gave the value.
  bool is_set(const std::string &path) const;

  /// Whether the user gave another value than the default: one that has no effect is a mistake
  /// then.
  bool is_changed(const std::string &path) const;

  /// Paths of all that the user gave and that was understood.
  std::vector<std::string> set_paths() const;

  /// Whether the value may be another than the user meant: it was refused, or it is not given and a
  /// name that was not understood may be its. What depends on it is not worth a complaint.
  bool is_doubtful(const std::string &path) const;

  /// Whether entries or subsections may be missing here because a name was not understood.
  bool is_incomplete(const std::string &subsection) const;

  /// What exists.
  const ParameterDeclarations &declarations() const { return declared; }

  /// "case.prm:12", "--set" or "default".
  std::string where(const std::string &path) const;

  /// "case.prm:12: 'Time/End' is '1': @p why"
  std::string remark(const std::string &path, const std::string &why) const;

  /**
   * For checks of meaning, beyond patterns: records remark() to be thrown with others. A doubtful
   * entry is not complained of.
   */
  void report(const std::string &path, const std::string &why, Problems &problems) const;

  /// @throws InputError with remark()
  [[noreturn]] void fail(const std::string &path, const std::string &why) const;

  /**
   * Writes all values as a parameter file, which reads back to the same values; with documentation
   * each entry comes after its documentation, allowed values and default, as comments.
   */
  void print(std::ostream &out, bool with_documentation) const;

private:
  void take(const ParameterEntry &entry);
  void take_old_name(const ParameterEntry &entry, const ParameterDeclaration &declaration);
  void take_value(const ParameterEntry &entry, const ParameterDeclaration &declaration);
  void refuse_both_names(const ParameterEntry &earlier, const ParameterEntry &entry);
  void doubt_subsection(const ParameterPath &path);
  void doubt_entry(const ParameterPath &path);
  Problem complaint(const ParameterDeclaration &declaration, const std::string &why) const;
  const ParameterDeclaration &declaration(const std::string &path) const;
  void print_subsection(std::ostream &out, const ParameterPath &path,
                        bool with_documentation) const;

  ParameterDeclarations declared;
  std::string filename;
  std::map<ParameterPath, ParameterEntry> given; ///< their own paths are those that the user wrote
  Problems found_problems;
  std::vector<std::string> found_notices;
  ParameterDoubts doubts;
};

/// The documentation of all parameters as a page in Markdown.
void print_markdown(std::ostream &out, const ParameterDeclarations &declarations);
} // namespace percussion
