#include <percussion/io/error.h>
#include <percussion/io/expression.h>

#include <deal.II/base/numbers.h>
#include <muParser.h>

#include <cmath>

namespace percussion {

struct Expression::Parser {
  std::string formula;
  mu::Parser parser;
  double t = 0;
  double x[3] = {0, 0, 0};
  bool uses_time = false;
  bool uses_position = false;

  explicit Parser(const std::string &text) : formula(text) {
    try {
      parser.DefineVar("t", &t);
      parser.DefineVar("x", &x[0]);
      parser.DefineVar("y", &x[1]);
      parser.DefineVar("z", &x[2]);
      parser.DefineConst("pi", dealii::numbers::PI);
      parser.DefineConst("e", dealii::numbers::E);
      parser.SetExpr(text);
      for (const auto &used : parser.GetUsedVar())
        (used.first == "t" ? uses_time : uses_position) = true;
      parser.Eval(); // some errors show only here
    } catch (const mu::Parser::exception_type &error) {
      throw InputError("'" + text + "' is not a formula of t, x, y: " + error.GetMsg());
    }
  }
};

Expression::Expression(const std::string &formula) : parser(std::make_unique<Parser>(formula)) {}
Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

template <int dim>
double Expression::operator()(double t, const dealii::Point<dim> &x) const {
  parser->t = t;
  for (unsigned int d = 0; d < dim; ++d)
    parser->x[d] = x[d];
  const double value = parser->parser.Eval();
  if (!std::isfinite(value))
    throw RunError("the formula '" + parser->formula +
                   "' is not a finite number at t = " + std::to_string(t));
  return value;
}

const std::string &Expression::formula() const { return parser->formula; }
bool Expression::depends_on_time() const { return parser->uses_time; }
bool Expression::depends_on_position() const { return parser->uses_position; }

template double Expression::operator()(double, const dealii::Point<1> &) const;
template double Expression::operator()(double, const dealii::Point<2> &) const;

} // namespace percussion
