#pragma once

#include <percussion/base/bound.h>
#include <percussion/base/nearest_name.h>

#include <deal.II/base/patterns.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {
/// Matches a finite number in an interval whose ends may be open, unlike Patterns::Double.
class NumberBetween : public dealii::Patterns::PatternBase {
public:
  /// An infinite bound does not restrict.
  NumberBetween(Bound lower_bound, Bound upper_bound) : lower(lower_bound), upper(upper_bound) {}

  /// Whether the text is such a number and nothing else.
  bool match(const std::string &text) const override;
  std::string description(OutputStyle style = Machine) const override; ///< in plain words
  std::unique_ptr<PatternBase> clone() const override;

private:
  Bound lower, upper;
};

/// Matches a finite number > 0, and <= @p maximum if that is given.
class PositiveDouble : public NumberBetween {
public:
  /// An infinite maximum does not restrict.
  explicit PositiveDouble(double maximum = std::numeric_limits<double>::infinity())
      : NumberBetween({0., false}, {maximum, true}) {}
};

/// Matches every text; @p what says what it shall be ("a formula of t, x, y"), which is checked
/// when it is used, with a better message than that it does not match.
class Described : public dealii::Patterns::PatternBase {
public:
  /// `what` completes the sentence "allowed is ...".
  explicit Described(std::string what) : words(std::move(what)) {}

  /// Every text does.
  bool match(const std::string &) const override { return true; }
  /// The words, in every style.
  std::string description(OutputStyle = Machine) const override { return words; }
  std::unique_ptr<PatternBase> clone() const override { return std::make_unique<Described>(words); }

private:
  std::string words;
};

/// Numbers are zero or of a magnitude between these. The quantities of every system of units have
/// room there, from the mass of an atom to that of a star; with others, products of several of them
/// (density times area times distance squared) would leave the range of floating-point numbers.
constexpr double smallest_magnitude = 1e-50, largest_magnitude = 1e50;
extern const char *const allowed_magnitudes; ///< in words

/// Why a value that matches its pattern cannot be computed with: one of its numbers is out of the
/// range above. Empty if it can, or if it is a text.
std::string magnitude_problem(const dealii::Patterns::PatternBase &pattern,
                              const std::string &value);

/// "210" from "210 GPa", "0, -9.81" from "0, -9.81 m/s^2": numbers without what is written behind
/// them. What is no number, or may be a factor ("5 %", "2k", "3 x 10^-3"), is left as it is: the
/// number alone would be another one.
std::string without_units(const std::string &value);

/// Whom to ask instead.
extern const char *const about_units;

/// "0.3" from "0,3" and "0.3, 1.5" from "0,3, 1,5": commas between digits replaced.
std::string with_decimal_points(std::string value);

/// "2e-3" from "2d-3", as Fortran writes it.
std::string with_e_exponents(std::string value);

/// What a pattern allows, as the user is told: "a number > 0 and <= 1", "one of a | b | c".
std::string plain_words(const dealii::Patterns::PatternBase &pattern);

/// The finite number that is all of @p text but blanks, as deal.II's patterns read it; double or
/// long.
template <typename Number>
std::optional<Number> to_number(const std::string &text);

/// The alternatives of a Patterns::Selection from its machine description; none for other patterns.
std::vector<std::string> alternatives(const std::string &machine_description);
} // namespace percussion
