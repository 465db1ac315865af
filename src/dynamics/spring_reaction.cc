#include <percussion/algebra/contact_system.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/reaction.h>
#include <percussion/dynamics/springs.h>

#include <algorithm>
#include <cmath>

namespace percussion {
namespace {

template <int dim>
class SpringReaction final : public ReactionSolver<dim> {
public:
  explicit SpringReaction(std::unique_ptr<ReactionSolver<dim>> tangent_reaction)
      : cone(std::move(tangent_reaction)) {}

  void start_interval(const Interval &interval) override {
    h = interval.h;
    cone->start_interval(interval);
  }

  /// Solves by Newton's method for the percussions; u are the velocities under the last applied
  /// percussions.
  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    PosedLaw<dim> tangents = law;
    const std::vector<double> posed_offset = reaction.offset;
    for (unsigned int i = 0; i < law.springs.size(); ++i)
      linearise(law.springs[i], u[dim * i], reaction.offset[dim * i],
                tangents.compliance.diagonal[dim * i]);
    if (!stage.repeats)
      applied = reaction.p;
    std::optional<Failure> failure = cone->solve(tangents, u, system, stage, reaction);
    reaction.offset = posed_offset;
    double change = 0, size = 0;
    for (std::size_t r = 0; !failure && r < applied.size(); ++r) {
      change = std::max(change, std::abs(reaction.p[r] - applied[r]));
      size = std::max(size, std::abs(reaction.p[r]));
    }
    // If bodies separate, spring forces are so small that the tolerance must be relative to the
    // unit of percussion, which limits the accuracy of percussions.
    if (const PosedProblem *const problem = cone->posed_problem())
      size = std::max(size, problem->percussion_unit);
    constexpr double tolerance = 1e-12;
    reaction.converged = reaction.converged && change <= tolerance * size;
    return failure;
  }

  const PosedProblem *posed_problem() const override { return cone->posed_problem(); }
  ReactionMemory memory(const ContactSystem &system) const override { return cone->memory(system); }
  void restore(const ReactionMemory &memory, ContactSystem &system) override {
    cone->restore(memory, system);
  }

private:
  /// Linearises a spring: u + a + c p = 0 is the tangent of p = −h f at u. A spring that does not
  /// press gets a tangent that overestimates its force.
  void linearise(const Spring &spring, double u, double &a, double &c) const {
    constexpr double smallest_slope =
        1e-3; // fraction of the largest slope, r/2: keeps W well scaled
    double d = spring.gap + h * u;
    auto [force, slope] = discrete_gradient(spring, d);
    if (force == 0.) {
      slope = 0.5 * spring.stiffness;
      d = 0.;
    }
    slope = std::max(slope, smallest_slope * 0.5 * spring.stiffness);
    a = (force / slope + spring.gap - d) / h;
    c = 1. / (h * h * slope);
  }

  std::unique_ptr<ReactionSolver<dim>> cone;
  std::vector<double> applied; ///< percussions that have been applied
  double h = 0;
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_spring_reaction(std::unique_ptr<ReactionSolver<dim>> tangent_reaction) {
  return std::make_unique<SpringReaction<dim>>(std::move(tangent_reaction));
}

PERCUSSION_INSTANTIATE(make_spring_reaction);

} // namespace percussion
