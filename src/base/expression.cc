#include <percussion/base/error.h>
#include <percussion/base/expression.h>
#include <percussion/base/floating_point_traps.h>
#include <percussion/base/nearest_name.h>

#include <muParser.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace percussion {
namespace {

/// Words of a formula; the e of 1e-3 is part of a number.
std::vector<std::string> words_of(const std::string &formula) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; };
  const auto is_digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> words;
  for (const char *c = formula.c_str(); *c != '\0';) {
    const char *const begin = c;
    if (is_digit(*c)) {
      char *end = nullptr;
      std::strtod(c, &end);
      c = end;
    } else if (is_letter(*c) || *c == '_') {
      while (is_letter(*c) || is_digit(*c) || *c == '_')
        ++c;
      words.emplace_back(begin, c);
    } else
      ++c;
  }
  return words;
}

/// A readable message for an unknown name; muParser's own is about tokens and parentheses.
void check_names(const mu::Parser &parser, const std::string &formula) {
  std::vector<std::string> known;
  for (const auto &variable : parser.GetVar())
    known.push_back(variable.first);
  for (const auto &constant : parser.GetConst())
    known.push_back(constant.first);
  for (const auto &function : parser.GetFunDef())
    known.push_back(function.first);
  for (const std::string &word : words_of(formula))
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      const std::string hint = did_you_mean(word, known);
      throw InputError("not a formula: '" + word +
                       "' is no variable (t, x, y; in space z), constant (pi, e) " + "or function" +
                       hint);
    }
}

/// Whether there is a single '=', which muParser would execute as an assignment in every
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

/// muParser's message, with characters counted from 1 and without a full stop.
std::string plain_words(const mu::Parser::exception_type &error, const std::string &formula) {
  std::string message = error.GetMsg();
  for (const char *const place :
       {" found at position ", " at position ", " at expression position "})
    message = message.substr(0, message.find(place));
  while (!message.empty() && std::ispunct(static_cast<unsigned char>(message.back())) != 0 &&
         message.back() != '"')
    message.pop_back();
  if (message.size() > 1)
    message[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(message[0])));
  return "not a formula: " + message + " at character " +
         std::to_string(std::min(static_cast<std::size_t>(error.GetPos()), formula.size()) + 1);
}

} // namespace

struct Expression::Parser {
  std::string formula;
  mu::Parser parser;
  double t = 0;
  double x[3] = {0, 0, 0};
  bool uses_time = false;
  bool uses_position = false;
  bool uses_z = false;

  explicit Parser(const std::string &text) : formula(text) {
    parser.DefineVar("t", &t);
    parser.DefineVar("x", &x[0]);
    parser.DefineVar("y", &x[1]);
    parser.DefineVar("z", &x[2]);
    parser.DefineConst("pi", M_PI);
    parser.DefineConst("e", M_E);
    check_names(parser, text);
    if (assigns(text))
      throw InputError("not a formula: a single '=' (a comparison is written ==)");
    const NoFloatingPointTraps of_formula;
    try {
      parser.SetExpr(text);
      for (const auto &used : parser.GetUsedVar()) {
        (used.first == "t" ? uses_time : uses_position) = true;
        uses_z = uses_z || used.first == "z";
      }
      parser.Eval(); // some errors occur only here
      const int n_values = parser.GetNumResults();
      if (n_values != 1)
        throw InputError("not a formula but " + std::to_string(n_values) +
                         " numbers separated by commas (decimals are written with a point)");
    } catch (const mu::Parser::exception_type &error) {
      throw InputError(plain_words(error, text));
    }
  }
};

Expression::Expression(const std::string &formula) : parser(std::make_unique<Parser>(formula)) {}
Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

double Expression::operator()(double t, const std::array<double, 3> &x) const {
  const NoFloatingPointTraps of_formula;
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
    throw RunError(message.str());
  }
  return value;
}

const std::string &Expression::formula() const { return parser->formula; }
bool Expression::depends_on_time() const { return parser->uses_time; }
bool Expression::depends_on_position() const { return parser->uses_position; }
bool Expression::depends_on_z() const { return parser->uses_z; }

} // namespace percussion
