#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

struct Table;

/// Names that formulas of a case may contain, besides pi and e.
struct FormulaWords {
  std::map<std::string, double> constants;
  /// Values that a program may change between steps; formulas with them depend on time.
  std::map<std::string, std::shared_ptr<double>> signals;
  std::vector<std::string> variables; ///< names used instead of t, x, y; they may contain full
                                      ///< stops
  std::string folder;                 ///< folder of tables with relative names; "": the current
                                      ///< folder
  /// Tables used by the formulas so far, by their names in the formulas.
  mutable std::map<std::string, std::shared_ptr<const Table>> tables;
};

/// Formula of time and position written by the user, e.g. `2*sign(sin(4*pi*t))`.
///
/// Variables t, x, y, z; constants pi and e; operators and functions of muParser except
/// assignments; if(condition, a, b), floor, ceil, mod(a, b), and table("file.csv", t), see Table.
class Expression {
public:
  /// Throws InputError that states the error and the position of its character, without repeating
  /// the formula.
  explicit Expression(const std::string &formula,
                      std::shared_ptr<const FormulaWords> words = nullptr);
  Expression(const Expression &original);
  Expression(Expression &&) noexcept;
  Expression &operator=(Expression &&) noexcept;
  ~Expression();

  /// Returns the value at time t and position x. Throws FormulaError if it is not a finite number.
  double operator()(double t, const std::array<double, 3> &x) const;
  /// Returns the value at a point in 2D or 3D.
  template <typename Point>
  double operator()(double t, const Point &x) const {
    std::array<double, 3> coordinates{};
    for (unsigned int d = 0; d < Point::dimension; ++d)
      coordinates[d] = x[d];
    return (*this)(t, coordinates);
  }
  /// Returns the value at time t of a formula that does not depend on the position.
  double operator()(double t) const { return (*this)(t, std::array<double, 3>{}); }
  /// Returns the value for these values of the variables of FormulaWords, finite or not.
  double operator()(const std::vector<double> &values) const;

  /// Returns the formula as written by the user.
  const std::string &formula() const;
  /// Returns true if the formula contains t.
  bool depends_on_time() const;
  /// Returns true if the formula contains x, y or z.
  bool depends_on_position() const;
  /// Returns true if the formula contains z, which is zero in 2D.
  bool depends_on_z() const;
  /// Returns true if the formula contains this variable.
  bool depends_on(const std::string &variable) const;

private:
  struct Parser;
  std::unique_ptr<Parser> parser;
};

/// Returns an empty text if a constant may have this name, otherwise the reason against it.
std::string problem_of_constant(const std::string &name);

} // namespace percussion
