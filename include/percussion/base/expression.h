#pragma once

#include <array>
#include <memory>
#include <string>

namespace percussion {

/// A formula of time and position written by the user, e.g. `2*sign(sin(4*pi*t))`.
///
/// Variables t, x, y, z; constants pi and e; operators and functions of muParser except
/// assignments.
class Expression {
public:
  /// Throws InputError that states the error and its character, without repeating the formula.
  explicit Expression(const std::string &formula);
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

} // namespace percussion
