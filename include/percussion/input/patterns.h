#pragma once

#include <percussion/base/bound.h>

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

  bool match(const std::string &text) const override;
  std::string description(OutputStyle style = Machine) const override; ///< in plain words
  std::unique_ptr<PatternBase> clone() const override;

private:
  Bound lower, upper;
};

/// Matches a finite number > 0, and <= @p maximum if that is given.
class PositiveDouble : public NumberBetween {
public:
  explicit PositiveDouble(double maximum = std::numeric_limits<double>::infinity())
      : NumberBetween({0., false}, {maximum, true}) {}
};

/// Matches what another pattern does, and nothing at all: an entry that may inherit its value.
class OrNothing : public dealii::Patterns::PatternBase {
public:
  explicit OrNothing(const PatternBase &given) : pattern(given.clone()) {}

  bool match(const std::string &text) const override {
    return text.empty() || pattern->match(text);
  }
  std::string description(OutputStyle style = Machine) const override; ///< in plain words
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<OrNothing>(*pattern);
  }

private:
  std::unique_ptr<PatternBase> pattern;
};

/// Matches every text; @p what describes it ("a formula of t, x, y"). It is checked where it is
/// used, with a better message than that it does not match.
class Described : public dealii::Patterns::PatternBase {
public:
  /// `what` completes the sentence "allowed is ...".
  explicit Described(std::string what) : words(std::move(what)) {}

  bool match(const std::string &) const override { return true; }
  std::string description(OutputStyle = Machine) const override { return words; }
  std::unique_ptr<PatternBase> clone() const override { return std::make_unique<Described>(words); }

private:
  std::string words;
};

/// What a pattern allows, for messages: "a number > 0 and <= 1", "one of a | b | c".
std::string plain_words(const dealii::Patterns::PatternBase &pattern);

/// The finite number (double or long) that @p text consists of, blanks around it allowed, as read
/// by deal.II's patterns.
template <typename Number>
std::optional<Number> to_number(const std::string &text);

/// The alternatives of a Patterns::Selection; none for other patterns.
std::vector<std::string> alternatives(const dealii::Patterns::PatternBase &pattern);
} // namespace percussion
