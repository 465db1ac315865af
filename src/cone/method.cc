#include <percussion/cone/method.h>

#include <algorithm>

namespace percussion {

const std::vector<ConeMethodEntry> &cone_methods() {
  static const std::vector<ConeMethodEntry> table = {
      {"auto", ConeMethod::automatic,
       "chooses the method by the problem, and another method if it fails"},
      {"nsgs", ConeMethod::nsgs, "block Gauss-Seidel with an exact solution of each contact"},
      {"newton", ConeMethod::newton, "active-set Newton method for the Alart-Curnier equations"},
      {"natural-map", ConeMethod::natural_map,
       "semi-smooth Newton method for the natural map, with line search"},
      {"hybrid", ConeMethod::hybrid, "sweeps that guess the statuses, then Newton's method"},
      {"proximal", ConeMethod::proximal, "proximal points, by Newton's method: for W of low rank"},
      {"interior", ConeMethod::interior,
       "interior points, then proximal points: for W of any kind, without a good guess"},
      {"admm", ConeMethod::admm, "alternating directions with a few factorisations of W"},
      {"lemke", ConeMethod::lemke, "Lemke's pivots, for 2D problems"},
      {"pdas", ConeMethod::pdas,
       "active sets of the global problem, if it has full rank; the same as auto for a reduced "
       "problem"},
  };
  return table;
}

const ConeMethodEntry *find_cone_method(std::string_view name) {
  const auto &table = cone_methods();
  const auto found = std::find_if(table.begin(), table.end(),
                                  [name](const ConeMethodEntry &row) { return row.name == name; });
  return found == table.end() ? nullptr : &*found;
}

} // namespace percussion
