#include <percussion/base/error.h>
#include <percussion/contact/friction_formula.h>

#include <algorithm>
#include <memory>

namespace percussion {
namespace {

std::shared_ptr<const FormulaWords> words_of_friction(const FormulaWords &words,
                                                      unsigned int dimension) {
  auto own = std::make_shared<FormulaWords>(words);
  own->variables = FrictionFormula::variables(dimension);
  for (const std::string &name : own->variables)
    own->constants.erase(name); // muParser accepts no constant with the name of a variable
  return own;
}

} // namespace

std::vector<std::string> FrictionFormula::variables(unsigned int dimension) {
  std::vector<std::string> names = {"t", "x", "y", "slip_speed", "pressure", "slip"};
  if (dimension == 3)
    names.insert(names.begin() + 3, "z");
  return names;
}

FrictionFormula::FrictionFormula(const std::string &text, const FormulaWords &words,
                                 unsigned int dim)
    : FrictionFormula(text, words, words_of_friction(words, dim), dim) {}

FrictionFormula::FrictionFormula(const std::string &text, const FormulaWords &words,
                                 const std::shared_ptr<const FormulaWords> &own, unsigned int dim)
    : dimension(dim), formula(text, own) {
  words.tables.insert(own->tables.begin(), own->tables.end());
  for (const std::string &name : variables(dim))
    if (formula.depends_on(name) && words.constants.count(name) > 0)
      throw InputError("'" + name +
                       "' is a variable of this formula and a constant of the file; give the "
                       "constant another name");
}

double FrictionFormula::operator()(const FrictionVariables &at) const {
  std::vector<double> values = {at.t, at.x[0], at.x[1]};
  if (dimension == 3)
    values.push_back(at.x[2]);
  values.insert(values.end(), {at.slip_speed, at.pressure, at.slip});
  return formula(values);
}

} // namespace percussion
