#pragma once

#include <percussion/balance/failure.h>
#include <percussion/balance/interval.h>

#include <functional>
#include <string>
#include <vector>

namespace percussion {

/// Division of a step into substeps. A substep that fails is halved, recursively down to
/// 2^−max_cuts of the step. After a successful substep, the next one is as long as its position
/// permits or, in adaptive steps, keeps its length and is doubled after a number of successes. The
/// class does not depend on the contents of a substep.
class Substeps {
public:
  /// Options for the division of steps.
  struct Options {
    bool may_cut = true;
    unsigned int max_cuts = 10; ///< exponent of the smallest substep, 2^−max_cuts of a step
    bool adaptive = false;      ///< true if the length of substeps is kept from step to step
    /// Number of successful substeps before an adaptive substep is doubled.
    unsigned int grow_after = 8;
  };
  /// Data carried from step to step.
  struct Memory {
    unsigned int width = 0;  ///< length of the next substep in units of the smallest; 0: full step
    unsigned int n_good = 0; ///< number of successful substeps of this length
  };
  /// Outcome of a step.
  struct Outcome {
    std::optional<Failure> failure; ///< last failure if no cut helped; else the step is complete
    /// Changes of the substep length: "cut to 1/4: why", "grown …".
    std::vector<std::string> changes;
    unsigned int n_cuts = 0;
  };
  /// Function that advances over an interval, which may be the smallest. If it fails, it has
  /// changed nothing.
  using AdvanceSubstep = std::function<std::optional<Failure>(const Interval &, bool is_smallest)>;

  explicit Substeps(const Options &o) : options(o) {}

  /// Advances over a step of length h. `outcome` is complete even if `take` throws.
  void advance(double t0, double t1, double h, const AdvanceSubstep &take, Outcome &outcome);

  Memory memory; ///< data for the next step

private:
  unsigned int grown(unsigned int width, unsigned int n_done, Outcome &outcome);
  void cut(unsigned int &width, const std::string &reason, Outcome &outcome);

  Options options;
};

} // namespace percussion
