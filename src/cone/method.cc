#include <percussion/cone/method.h>

#include <algorithm>

namespace percussion {

const std::vector<ConeMethodEntry> &cone_methods() {
  static const std::vector<ConeMethodEntry> table = {
      {"auto", ConeMethod::automatic, "picks by the problem, and another method where one fails"},
      {"nsgs", ConeMethod::nsgs, "block Gauss-Seidel, each contact solved exactly"},
      {"newton", ConeMethod::newton, "active-set Newton on the Alart-Curnier equations"},
      {"natural-map", ConeMethod::natural_map,
       "semi-smooth Newton on the natural map, with line search"},
      {"hybrid", ConeMethod::hybrid, "some sweeps guess the statuses, then Newton"},
      {"proximal", ConeMethod::proximal, "proximal points, each by Newton: for W of low rank"},
      {"interior", ConeMethod::interior,
       "interior points, then proximal points: for W of any kind, without a good guess"},
      {"admm", ConeMethod::admm, "alternating directions with W factorised a few times"},
      {"lemke", ConeMethod::lemke, "Lemke's pivots, for plane problems"},
      {"pdas", ConeMethod::pdas,
       "active sets on the global problem, of full rank; on a reduced problem the same as auto"},
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
