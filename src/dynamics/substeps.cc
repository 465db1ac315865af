#include <percussion/dynamics/substeps.h>

namespace percussion {

/// Advances over a step, in which the positions of substeps are counted in units of the smallest.
void Substeps::advance(double t0, double t1, double h, const AdvanceSubstep &take,
                       Outcome &outcome) {
  const unsigned int n_units = 1u << options.max_cuts;
  unsigned int width = options.adaptive && memory.width > 0 ? memory.width : n_units;
  if (width == n_units) {
    const std::optional<Failure> failure =
        take({t0, t1, h}, !options.may_cut || options.max_cuts == 0);
    if (!failure) {
      memory.width = width;
      return;
    }
    if (!options.may_cut || options.max_cuts == 0) {
      outcome.failure = failure;
      return;
    }
    cut(width, failure->reason, outcome);
  }
  double begin = t0;
  for (unsigned int n_done = 0; n_done < n_units;) {
    const double end = n_done + width == n_units ? t1 : t0 + h * (n_done + width) / n_units;
    const std::optional<Failure> failure = take({begin, end, h * width / n_units}, width == 1);
    if (!failure) {
      begin = end;
      n_done += width;
      width = grown(width, n_done, outcome);
    } else if (width > 1)
      cut(width, failure->reason, outcome);
    else {
      outcome.failure = failure;
      return;
    }
  }
  memory.width = width;
}

void Substeps::cut(unsigned int &width, const std::string &reason, Outcome &outcome) {
  width /= 2;
  memory.n_good = 0;
  ++outcome.n_cuts;
  outcome.changes.push_back("cut to 1/" + std::to_string((1u << options.max_cuts) / width) + ": " +
                            reason);
}

/// Returns the length of the next substep, after one that has succeeded.
unsigned int Substeps::grown(unsigned int width, unsigned int n_done, Outcome &outcome) {
  const unsigned int n_units = 1u << options.max_cuts;
  const auto fits = [&](unsigned int w) { return w <= n_units && n_done % w == 0; };
  if (!options.adaptive) {
    while (n_done < n_units && fits(2 * width))
      width *= 2;
    return width;
  }
  if (++memory.n_good < options.grow_after || !fits(2 * width))
    return width;
  memory.n_good = 0;
  outcome.changes.push_back("grown to 1/" + std::to_string(n_units / (2 * width)));
  return 2 * width;
}

} // namespace percussion
