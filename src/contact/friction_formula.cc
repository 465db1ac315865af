#include <percussion/base/error.h>
#include <percussion/contact/friction_formula.h>

#include <algorithm>
#include <memory>

namespace percussion {
namespace {

std::shared_ptr<const FormulaWords> words_of_friction(const FormulaWords &words,
                                                      unsigned int dimension) {
  auto friction_words = std::make_shared<FormulaWords>(words);
  friction_words->variables = FrictionFormula::variables(dimension);
  for (const std::string &name : friction_words->variables) {
    friction_words->constants.erase(
        name); // muParser accepts no constant with the name of a variable
    friction_words->signals.erase(name);
  }
  return friction_words;
}

} // namespace

std::vector<std::string> FrictionFormula::variables(unsigned int dimension) {
  if (dimension == 3)
    return {"t", "x", "y", "z", "slip_speed", "pressure", "slip"};
  return {"t", "x", "y", "slip_speed", "pressure", "slip"};
}

FrictionFormula::FrictionFormula(const std::string &text, const FormulaWords &words,
                                 unsigned int dim)
    : FrictionFormula(text, words, words_of_friction(words, dim), dim) {}

FrictionFormula::FrictionFormula(const std::string &text, const FormulaWords &words,
                                 const std::shared_ptr<const FormulaWords> &friction_words,
                                 unsigned int dim)
    : dimension(dim), formula(text, friction_words) {
  words.tables.insert(friction_words->tables.begin(), friction_words->tables.end());
  for (const std::string &name : variables(dim))
    if (formula.depends_on(name) && words.constants.count(name) + words.signals.count(name) > 0)
      throw InputError(
          "'" + name +
          "' is a variable of this formula and a constant of the file, or a signal; give the "
          "other one another name");
}

double FrictionFormula::operator()(const FrictionVariables &values) const {
  std::vector<double> arguments = {values.t, values.x[0], values.x[1]};
  if (dimension == 3)
    arguments.push_back(values.x[2]);
  arguments.insert(arguments.end(), {values.slip_speed, values.pressure, values.slip});
  return formula(arguments);
}

} // namespace percussion
