#pragma once

#include <percussion/dynamics/posed_law.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion {

/// Takes a step whole or in parts. A part that fails is halved, recursively down to 2^−max_cuts of
/// the step; after one that succeeds the next is as long as its place allows or, in adaptive steps,
/// keeps its length and grows back when some have succeeded. Knows nothing of what a part does.
class Substeps {
public:
  /// How steps are cut.
  struct Options {
    bool may_cut = true;
    unsigned int max_cuts = 10;  ///< the smallest part is 2^−max_cuts of a step
    bool adaptive = false;       ///< the length of parts is kept from step to step
    unsigned int grow_after = 8; ///< parts that succeed, before an adaptive one is doubled
  };
  /// What is carried from step to step.
  struct Memory {
    unsigned int width = 0;  ///< of the next part in units of the smallest; 0: a whole step
    unsigned int n_good = 0; ///< parts of this width that have succeeded
  };
  /// What became of a step.
  struct Outcome {
    std::string failure;              ///< why no cut helped; empty: the step is done
    std::vector<std::string> changes; ///< of the length of parts: "cut to 1/4: why", "grown …"
    unsigned int n_cuts = 0;
  };
  /// Takes the part over an interval; whether it is the smallest. Returns why it has failed, and
  /// has changed nothing then.
  using TakePart = std::function<std::string(const Interval &, bool is_smallest)>;

  explicit Substeps(const Options &o) : options(o) {}

  /// A step of length h. `outcome` is complete even where `take` throws.
  void advance(double t0, double t1, double h, const TakePart &take, Outcome &outcome);

  Memory memory; ///< see there

private:
  unsigned int grown(unsigned int width, unsigned int done, Outcome &outcome);
  void cut(unsigned int &width, const std::string &why, Outcome &outcome);

  Options options;
};

} // namespace percussion
