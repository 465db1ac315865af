#pragma once

#include <percussion/base/bound.h>

#include <deal.II/base/patterns.h>

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {
/// Pattern of a finite number in an interval with open or closed ends, unlike Patterns::Double.
class NumberBetween : public dealii::Patterns::PatternBase {
public:
  /// Creates the pattern; an infinite bound does not restrict.
  NumberBetween(Bound lower_bound, Bound upper_bound) : lower(lower_bound), upper(upper_bound) {}

  bool match(const std::string &text) const override;
  /// Returns a description in plain words.
  std::string description(OutputStyle style = Machine) const override;
  std::unique_ptr<PatternBase> clone() const override;

private:
  Bound lower, upper;
};

/// Pattern of a finite number > 0, and <= @p maximum if it is given.
class PositiveDouble : public NumberBetween {
public:
  explicit PositiveDouble(double maximum = std::numeric_limits<double>::infinity())
      : NumberBetween({0., false}, {maximum, true}) {}
};

/// Pattern that matches the text of another pattern, and empty text: an entry that may inherit its
/// value.
class OrNothing : public dealii::Patterns::PatternBase {
public:
  explicit OrNothing(const PatternBase &prototype) : pattern(prototype.clone()) {}

  bool match(const std::string &text) const override {
    return text.empty() || pattern->match(text);
  }
  /// Returns a description in plain words.
  std::string description(OutputStyle style = Machine) const override;
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<OrNothing>(*pattern);
  }

private:
  std::unique_ptr<PatternBase> pattern;
};

/// Pattern with a description ("a formula of t, x, y") that matches every text, or the texts that
/// meet a condition. Other texts are checked when they are used, with a more specific message.
class Described : public dealii::Patterns::PatternBase {
public:
  using Condition = std::function<bool(const std::string &)>;

  /// Creates the pattern; `description` completes the sentence "allowed is ...".
  explicit Described(std::string description, Condition is_allowed = nullptr)
      : words(std::move(description)), condition(std::move(is_allowed)) {}

  bool match(const std::string &text) const override { return !condition || condition(text); }
  std::string description(OutputStyle = Machine) const override { return words; }
  std::unique_ptr<PatternBase> clone() const override { return std::make_unique<Described>(*this); }

private:
  std::string words;
  Condition condition;
};

/// Returns a description of the allowed text, for messages: "a number > 0 and <= 1", "one of a | b
/// | c".
std::string plain_words(const dealii::Patterns::PatternBase &pattern);

/// Returns the finite number (double or long) in @p text, which may have blanks around it, as read
/// by deal.II's patterns; nothing if the text is no number.
template <typename Number>
std::optional<Number> to_number(const std::string &text);

/// Returns the alternatives of a Patterns::Selection; none for other patterns.
std::vector<std::string> alternatives(const dealii::Patterns::PatternBase &pattern);
} // namespace percussion
