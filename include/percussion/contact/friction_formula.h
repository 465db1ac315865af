#pragma once

#include <percussion/base/expression.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Variables of a coefficient of friction, with values at the beginning of a substep.
struct FrictionVariables {
  double t = 0;              ///< time [time]
  std::array<double, 3> x{}; ///< position of the contact [length]
  double slip_speed = 0;     ///< tangential speed relative to the opposite side [velocity]
  double pressure = 0;       ///< normal pressure in the last substep [stress]
  double slip = 0;           ///< distance slipped while pressing, see ContactSlip [length]
};

/// Coefficient of friction as a formula of FrictionVariables: t, x, y, in 3D z, slip_speed,
/// pressure, slip.
class FrictionFormula {
public:
  /// Reads a formula with these constants and tables. Throws InputError if it is wrong, or if a
  /// constant has the name of one of its variables. Tables are added to those of the words.
  FrictionFormula(const std::string &formula, const FormulaWords &words, unsigned int dimension);

  /// Returns the names of the variables.
  static std::vector<std::string> variables(unsigned int dimension);

  /// Returns the value, which may be negative or not finite. Throws RunError if a table has none.
  double operator()(const FrictionVariables &variables) const;

  /// Returns the formula as written by the user.
  const std::string &text() const { return formula.formula(); }
  /// Returns true if the formula contains this variable.
  bool depends_on(const std::string &variable) const { return formula.depends_on(variable); }

private:
  FrictionFormula(const std::string &formula, const FormulaWords &words,
                  const std::shared_ptr<const FormulaWords> &friction_words,
                  unsigned int dimension);

  unsigned int dimension;
  Expression formula;
};

} // namespace percussion
