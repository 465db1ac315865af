#include <percussion/base/error.h>
#include <percussion/base/expression.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/nearest_name.h>
#include <percussion/base/table.h>
#include <percussion/base/text_search.h>

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>

namespace percussion {
namespace {

/// Returns the words of a formula, without quoted texts; the e of 1e-3 is part of a number.
std::vector<std::string> words_of(const std::string &formula, bool keeps_stops) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> words;
  for (const char *c = formula.c_str(); *c != '\0';) {
    const char *const begin = c;
    if (is_digit(*c)) {
      char *end = nullptr;
      std::strtod(c, &end);
      c = end;
    } else if (*c == '"') {
      for (++c; *c != '\0' && *c != '"';)
        ++c;
      c += *c != '\0';
    } else if (is_letter(*c) || *c == '_') {
      while (is_letter(*c) || is_digit(*c) || *c == '_' || (keeps_stops && *c == '.'))
        ++c;
      words.emplace_back(begin, c);
    } else
      ++c;
  }
  return words;
}

/// Throws a readable message for an unknown name; muParser's message is about tokens and
/// parentheses.
void check_names(const mu::Parser &parser, const std::string &formula, const FormulaWords &words) {
  std::vector<std::string> names;
  for (const auto &variable : parser.GetVar())
    names.push_back(variable.first);
  for (const auto &constant : parser.GetConst())
    names.push_back(constant.first);
  for (const auto &function : parser.GetFunDef())
    names.push_back(function.first);
  const bool has_own = !words.variables.empty();
  for (const std::string &word : words_of(formula, has_own))
    if (std::find(names.begin(), names.end(), word) == names.end()) {
      const std::string hint = did_you_mean(word, names);
      throw InputError("not a formula: '" + word + "' is no variable (" +
                       (has_own ? joined(words.variables, ", ") : "t, x, y; in 3D z") +
                       "), constant (" +
                       (words.constants.empty() ? "pi, e" : "pi, e, constants of the file") +
                       (words.signals.empty() ? "" : ", signals") + ") " + "or function" + hint);
    }
}

/// Loads the tables used by a formula.
void load_tables(const std::string &formula, const FormulaWords &words) {
  for (const auto &[first, last] : files_of_tables(formula)) {
    const std::string name = formula.substr(first, last - first);
    if (last < formula.size() && words.tables.count(name) == 0)
      words.tables[name] = std::make_shared<const Table>(read_table(name, words.folder));
  }
}

/// Returns true if there is a single '=', which muParser would execute as an assignment in every
/// evaluation.
bool assigns(const std::string &formula) {
  for (std::size_t i = formula.find('='); i != std::string::npos; i = formula.find('=', i + 1)) {
    if (i + 1 < formula.size() && formula[i + 1] == '=')
      ++i; // ==
    else if (i == 0 || std::string("<>!").find(formula[i - 1]) == std::string::npos)
      return true;
  }
  return false;
}

/// Returns muParser's message, with characters counted from 1 and without a full stop.
std::string plain_words(const mu::Parser::exception_type &error, const std::string &formula) {
  std::string message = error.GetMsg();
  for (const char *const use : {" found at position ", " at position ", " at expression position "})
    message = message.substr(0, message.find(use));
  while (!message.empty() && std::ispunct(static_cast<unsigned char>(message.back())) != 0 &&
         message.back() != '"')
    message.pop_back();
  if (message.size() > 1)
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return "not a formula: " + message + " at character " +
         std::to_string(std::min(static_cast<std::size_t>(error.GetPos()), formula.size()) + 1);
}

} // namespace

namespace {

double if_function(double condition, double a, double b) { return condition != 0. ? a : b; }
/// Returns the remainder of a by b with the sign of b, so that mod(t, T) is a phase.
double modulo(double a, double b) { return a - b * std::floor(a / b); }

/// Defines functions that muParser does not have.
void define_functions(mu::Parser &parser) {
  parser.DefineFun("if", if_function);
  parser.DefineFun("mod", modulo);
  parser.DefineFun("floor", static_cast<double (*)(double)>(std::floor));
  parser.DefineFun("ceil", static_cast<double (*)(double)>(std::ceil));
}

} // namespace

struct Expression::Parser {
  std::string formula;
  std::shared_ptr<const FormulaWords> words;
  mu::Parser parser;
  double t = 0;
  double x[3] = {0, 0, 0};
  std::vector<double> variable_values; ///< values of the variables of FormulaWords
  bool uses_time = false;
  bool uses_position = false;
  bool uses_z = false;
  std::set<std::string> used_variables;
  bool is_trial = true; ///< tables return values everywhere during a trial

  static double table_value(void *parser_pointer, const char *name, double argument) {
    const Parser &self = *static_cast<const Parser *>(parser_pointer);
    const Table &table = *self.words->tables.at(name);
    return self.is_trial ? table.values.front() : table(argument);
  }

  void define_variables() {
    if (words->variables.empty()) {
      parser.DefineVar("t", &t);
      parser.DefineVar("x", &x[0]);
      parser.DefineVar("y", &x[1]);
      parser.DefineVar("z", &x[2]);
      return;
    }
    parser.DefineNameChars((std::string(parser.ValidNameChars()) + ".").c_str());
    variable_values.resize(words->variables.size());
    for (std::size_t i = 0; i < variable_values.size(); ++i)
      parser.DefineVar(words->variables[i], &variable_values[i]);
  }

  Parser(const std::string &text, std::shared_ptr<const FormulaWords> w)
      : formula(text), words(w ? std::move(w) : std::make_shared<const FormulaWords>()) {
    define_variables();
    parser.DefineConst("pi", M_PI);
    parser.DefineConst("e", M_E);
    for (const auto &[name, value] : words->constants)
      parser.DefineConst(name, value);
    for (const auto &[name, value] : words->signals)
      parser.DefineVar(name, value.get());
    define_functions(parser);
    parser.DefineFunUserData("table", table_value, this, false);
    check_names(parser, text, *words);
    load_tables(text, *words);
    if (assigns(text))
      throw InputError("not a formula: a single '=' (a comparison is written ==)");
    const NoFloatingPointTraps no_traps;
    try {
      parser.SetExpr(text);
      for (const auto &used : parser.GetUsedVar()) {
        const bool changes_in_time = used.first == "t" || words->signals.count(used.first) > 0;
        (changes_in_time ? uses_time : uses_position) = true;
        uses_z = uses_z || used.first == "z";
        used_variables.insert(used.first);
      }
      parser.Eval(); // some errors occur only in an evaluation
      const int n_values = parser.GetNumResults();
      if (n_values != 1)
        throw InputError("not a formula but " + std::to_string(n_values) +
                         " numbers separated by commas (decimals are written with a point)");
    } catch (const mu::Parser::exception_type &error) {
      throw InputError(plain_words(error, text));
    } catch (const std::out_of_range &) { // thrown by tables
      throw InputError("not a formula: the name of a table stands in its call, as in "
                       "table(\"file.csv\", t)");
    }
    is_trial = false;
  }
};

Expression::Expression(const std::string &formula, std::shared_ptr<const FormulaWords> words)
    : parser(std::make_unique<Parser>(formula, std::move(words))) {}
Expression::Expression(const Expression &original)
    : Expression(original.parser->formula, original.parser->words) {}
Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(double t, const std::array<double, 3> &x) const {
  const NoFloatingPointTraps no_traps;
  parser->t = t;
  std::copy(x.begin(), x.end(), parser->x);
  const double value = parser->parser.Eval();
  if (!std::isfinite(value)) {
    std::ostringstream message;
    message << "the formula '" << parser->formula << "' is not a finite number";
    if (depends_on_time())
      message << " at t = " << t;
    if (depends_on_position())
      message << (depends_on_time() ? "," : " at") << " position (" << x[0] << ' ' << x[1];
    if (depends_on_position())
      message << (depends_on_z() ? " " + std::to_string(x[2]) : "") << ")";
    throw FormulaError(message.str());
  }
  return value;
}

double Expression::operator()(const std::vector<double> &values) const {
  const NoFloatingPointTraps no_traps;
  std::copy(values.begin(), values.end(), parser->variable_values.begin());
  return parser->parser.Eval();
}

std::string problem_of_constant(const std::string &name) {
  const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const bool is_word =
      !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) == 0 &&
      std::all_of(name.begin(), name.end(), [&](char c) { return is_part(c) || c == '_'; });
  if (!is_word)
    return "the name of a constant consists of letters, digits and _, and begins with a letter";
  mu::Parser parser;
  define_functions(parser);
  for (const char *const reserved : {"t", "x", "y", "z", "pi", "e", "table"})
    if (name == reserved)
      return "formulas have a " + name + " already";
  return parser.GetFunDef().count(name) > 0 ? "formulas have a function of this name" : "";
}

const std::string &Expression::formula() const { return parser->formula; }
bool Expression::depends_on_time() const { return parser->uses_time; }
bool Expression::depends_on_position() const { return parser->uses_position; }
bool Expression::depends_on_z() const { return parser->uses_z; }
bool Expression::depends_on(const std::string &variable) const {
  return parser->used_variables.count(variable) > 0;
}

} // namespace percussion
