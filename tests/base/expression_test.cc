#include <percussion/base/error.h>
#include <percussion/base/expression.h>

#include <deal.II/base/point.h>
#include <gtest/gtest.h>

#include <cmath>

namespace {
using percussion::Expression;

/// Returns the error in a formula; "" if there is none.
std::string complaint(const std::string &formula) {
  try {
    const Expression expression(formula);
  } catch (const percussion::InputError &error) {
    return error.what();
  }
  return "";
}

TEST(Expression, IsEvaluatedAtTimeAndPosition) {
  const dealii::Point<2> x(2., 3.);
  EXPECT_EQ(Expression("t + 10*x + 100*y")(1., x), 321.);
  EXPECT_EQ(Expression("2*sign(sin(4*pi*t))")(0.1), 2.);
  EXPECT_EQ(Expression("2*sign(sin(4*pi*t))")(0.3), -2.);
  EXPECT_DOUBLE_EQ(Expression("e^t")(1.), std::exp(1.));
  EXPECT_EQ(Expression("1e-3*t")(2.), 2e-3);
  EXPECT_EQ(Expression("t >= 1 ? 5 : 6")(1.), 5.);
  EXPECT_EQ(Expression("(t == 1) + (t != 1)*2")(1.), 1.);
}

TEST(Expression, KnowsWhatItDependsOn) {
  EXPECT_FALSE(Expression("pi").depends_on_time());
  EXPECT_FALSE(Expression("pi").depends_on_position());
  EXPECT_TRUE(Expression("sin(t)").depends_on_time());
  EXPECT_FALSE(Expression("sin(t)").depends_on_position());
  EXPECT_TRUE(Expression("x*y").depends_on_position());
}

TEST(Expression, SurvivesAMove) {
  Expression original("t*x"), other("1");
  other = std::move(original);
  EXPECT_EQ(other(2., dealii::Point<2>(3., 0.)), 6.);
  EXPECT_EQ(other.formula(), "t*x");
}

TEST(Expression, SaysWhatIsNoFormula) {
  const std::string begin = "not a formula: ";
  EXPECT_EQ(complaint("2*sin("), begin + "unexpected end of expression at character 7");
  EXPECT_EQ(complaint("t+*3"), begin + "unexpected operator \"*\" at character 3");
  EXPECT_EQ(complaint("1 2"), begin + "unexpected value \"2\" at character 3");
  EXPECT_EQ(complaint("1)"), begin + "unexpected parenthesis \")\" at character 2");
  EXPECT_EQ(complaint("sine(t)"), begin + "'sine' is no variable (t, x, y; in 3D z), constant (pi, "
                                          "e) or function; did you mean 'sin'?");
  EXPECT_EQ(complaint("w"),
            begin + "'w' is no variable (t, x, y; in 3D z), constant (pi, e) or function");
  EXPECT_NE(complaint("sin"), "");
  EXPECT_NE(complaint("sin(1, 2)"), "");
  EXPECT_NE(complaint("\"text\""), "");
  EXPECT_NE(complaint(""), "");
}

TEST(Expression, RefusesWhatMuParserTakesForSomethingElse) {
  // A decimal comma would form a list, whose last value would count.
  EXPECT_EQ(complaint("1,5"), "not a formula but 2 numbers separated by commas (decimals are "
                              "written with a point)");
  EXPECT_EQ(complaint("max(1,5)"), "");
  // An assignment would change the time.
  EXPECT_EQ(complaint("t=3"), "not a formula: a single '=' (a comparison is written ==)");
  EXPECT_EQ(complaint("t==3"), "");
  EXPECT_EQ(complaint("t<=3"), "");
}

TEST(Expression, ThrowsWhereItIsNotFinite) {
  const Expression root("sqrt(1 - t)");
  EXPECT_EQ(root(1.), 0.);
  try {
    root(2.);
    FAIL() << "no exception";
  } catch (const percussion::RunError &error) {
    EXPECT_STREQ(error.what(), "the formula 'sqrt(1 - t)' is not a finite number at t = 2");
  }
  EXPECT_THROW(Expression("1/x")(0., dealii::Point<2>()), percussion::RunError);
}

} // namespace
