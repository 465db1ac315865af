#pragma once

#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <string>
#include <vector>

namespace percussion {

/// Watch for elastic bodies that slide with friction and hop, although nothing has thrown them:
/// friction feeds vibrations of a body without damping until the whole contact opens and closes
/// again and again.
template <int dim>
class HoppingWatch {
public:
  /// Prepares the watch. The case must outlive it.
  explicit HoppingWatch(const Case<dim> &the_case);

  /// Returns a sentence on a contact pair that hops after this step; empty if none does.
  std::string look(const State<dim> &state, const StepRecord<dim> &record);

private:
  /// History of a contact pair.
  struct Hops {
    bool is_relevant = false;        ///< true for pairs of elastic regions with friction
    double size = 0;                 ///< smallest local size of its points [length]
    unsigned int steps_closed = 0;   ///< closed steps before the first hop
    double fall = 0;                 ///< largest gap before the pair rested [length]
    unsigned int n = 0;              ///< number of hops
    unsigned int n_rising = 0;       ///< length of the series of hops, each higher than the last
    double last = 0;                 ///< height of the last hop [length]
    unsigned int steps_open = 0;     ///< steps of all hops
    unsigned int steps = 0;          ///< steps since the first hop began
    double gap = 0;                  ///< largest gap of the present hop [length]
    double highest = 0;              ///< largest gap of all hops [length]
    unsigned int steps_slipping = 0; ///< closed steps in which all contacts slip
  };
  void add(bool is_closed, bool slips, double gap, Hops &hops) const;
  bool is_fed(const Hops &hops) const;
  std::string sentence(const State<dim> &state, unsigned int pair) const;

  const Case<dim> &c;
  std::vector<Hops> pairs;
};

} // namespace percussion
