#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

struct Table;

/// What the formulas of a case may speak of besides pi and e.
struct FormulaWords {
  std::map<std::string, double> constants;
  std::vector<std::string> variables; ///< instead of t, x, y; their names may contain full stops
  std::string folder;                 ///< where relative names of tables begin; "": the current one
  /// Those that formulas have asked for, by the names that they are called by.
  mutable std::map<std::string, std::shared_ptr<const Table>> tables;
};

/// A formula of time and position written by the user, e.g. `2*sign(sin(4*pi*t))`.
///
/// Variables t, x, y, z; constants pi and e; operators and functions of muParser except
/// assignments; if(condition, a, b), floor, ceil, mod(a, b), and table("file.csv", t), see Table.
class Expression {
public:
  /// Throws InputError that states the error and its character, without repeating the formula.
  explicit Expression(const std::string &formula,
                      std::shared_ptr<const FormulaWords> words = nullptr);
  Expression(const Expression &other);
  Expression(Expression &&) noexcept;
  Expression &operator=(Expression &&) noexcept;
  ~Expression();

  /// Throws RunError if the value is not a finite number.
  double operator()(double t, const std::array<double, 3> &x) const;
  /// The same at a point in the plane or in space.
  template <typename Point>
  double operator()(double t, const Point &x) const {
    std::array<double, 3> coordinates{};
    for (unsigned int d = 0; d < Point::dimension; ++d)
      coordinates[d] = x[d];
    return (*this)(t, coordinates);
  }
  /// The value at time t of a formula that does not depend on the position.
  double operator()(double t) const { return (*this)(t, std::array<double, 3>{}); }
  /// The value for these values of the words' own variables, finite or not.
  double operator()(const std::vector<double> &values) const;

  /// As the user wrote it.
  const std::string &formula() const;
  /// Whether the formula contains t.
  bool depends_on_time() const;
  /// Whether the formula contains x, y or z.
  bool depends_on_position() const;
  /// Whether the formula contains z, which is zero in the plane.
  bool depends_on_z() const;

private:
  struct Parser;
  std::unique_ptr<Parser> parser;
};

/// Whether a constant may have this name; else why not.
std::string problem_of_constant(const std::string &name);

} // namespace percussion
