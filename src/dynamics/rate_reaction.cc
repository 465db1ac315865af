#include <percussion/algebra/contact_system.h>
#include <percussion/base/instantiate.h>
#include <percussion/dynamics/rates.h>
#include <percussion/dynamics/reaction.h>

#include "joined_contacts.h"
#include "reaction_decorator.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {
namespace {

/// Solves Coulomb's law with a coefficient that depends on the slip speed of the step. A tangent of
/// μ(V) is Coulomb's law with its intercept and a viscous resistance of the size slope × p_N. As μ
/// is concave, a tangent overestimates friction: slip speeds below the solution rise towards it,
/// and a speed that is too large leads to one below.
template <int dim>
class RateReaction final : public ReactionDecorator<dim> {
public:
  RateReaction(std::unique_ptr<ReactionSolver<dim>> solver, double factor)
      : ReactionDecorator<dim>(std::move(solver)), bodies(factor) {}

  void start_interval(const Interval &interval) override {
    h = interval.h;
    contacts->start_interval(interval);
  }
  std::optional<Failure> solve(const PosedLaw<dim> &law, const std::vector<double> &u,
                               ContactSystem &system, CorrectionStage stage,
                               Reaction &reaction) override {
    if (law.rates.empty())
      return contacts->solve(law, u, system, stage, reaction);
    if (!stage.repeats) {
      if (auto failure = bodies.start(law, u, system, reaction))
        return failure;
      if (stage.is_first)
        start(law);
    }
    stage.repeats = stage.may_be_rough = false;
    return iterate(law, system, stage, reaction);
  }

private:
  using ReactionDecorator<dim>::contacts;

  /// Starts from the slip speeds and the normal percussions of the last substep.
  void start(const PosedLaw<dim> &law) {
    speed.clear();
    normal.clear();
    for (const PosedRate &rate : law.rates) {
      speed.push_back(rate.slip_speed);
      normal.push_back(std::max(0., law.guesses.last.p[dim * rate.contact]));
    }
  }

  std::optional<Failure> iterate(const PosedLaw<dim> &law, ContactSystem &system,
                                 CorrectionStage stage, Reaction &reaction) {
    constexpr unsigned int max_iterations = 200;
    constexpr double tolerance = 1e-13;
    std::vector<double> coulomb = reaction.p; // without the viscous resistance
    for (unsigned int k = 1; k <= max_iterations; ++k) {
      PosedLaw<dim> tangent_law = law;
      const JointEquations resistance = linearise(law, tangent_law);
      std::vector<double> u, ties(coulomb.size(), 0.);
      reaction.p = coulomb;
      if (auto failure =
              bodies.solve(*contacts, tangent_law, resistance, system, stage, reaction, u, ties))
        return failure;
      coulomb = reaction.p;
      stage.is_first = false;
      const double missing = take_friction(law, resistance, tangent_law.mu, u, reaction);
      bodies.correct_normal(reaction.p, u);
      if (missing <= tolerance && reaction.converged)
        return {};
    }
    if (reaction.converged)
      return Failure{"friction that depends on the slip speed does not converge; take a smaller "
                     "Time/Step"};
    return {};
  }

  /// Returns the friction at a slip speed, with the state in the middle of the step, and its slope
  /// including the evolution of the state, if it is not negative.
  RateFriction friction_at(const PosedRate &rate, double slip) const {
    constexpr double small_change = 1e-6;
    const auto state = [&](double constant_slip) {
      return state_after(*rate.law, rate.state, constant_slip, 0.5 * h);
    };
    RateFriction friction = rate_friction(*rate.law, slip, state(slip));
    const double evolved =
        rate_friction(*rate.law, slip, state(slip * (1. + small_change))).friction;
    if (slip > 0.)
      friction.slope =
          std::max(0., friction.slope + (evolved - friction.friction) / (small_change * slip));
    return friction;
  }

  /// Returns the slip speed below which friction is its tangent at this speed: resistances of
  /// smaller speeds would be so stiff that round-off decides how contacts of a body share them.
  double least_tangent_speed(std::size_t k, const PosedRate &rate) const {
    constexpr double stiffest = 1e9; // times the inverse of the contact's response
    double response = 0;
    for (std::size_t row = dim * rate.contact + 1; row < dim * (rate.contact + 1); ++row)
      response = std::max(response, bodies.response(row, row));
    return std::max(least_speed * rate.law->speed,
                    rate.law->direct * normal[k] * response / stiffest);
  }

  /// Returns friction_at(), or its tangent for speeds below the least one.
  RateFriction regular_friction(std::size_t k, const PosedRate &rate, double slip) const {
    const double least = least_tangent_speed(k, rate);
    RateFriction friction = friction_at(rate, std::max(slip, least));
    friction.friction -= friction.slope * std::max(0., least - slip);
    return friction;
  }

  /// Replaces the friction of the law by intercepts of tangents. Returns the viscous resistances.
  JointEquations linearise(const PosedLaw<dim> &law, PosedLaw<dim> &tangent_law) const {
    JointEquations resistance(law.H.n_rows());
    for (std::size_t k = 0; k < law.rates.size(); ++k) {
      const PosedRate &rate = law.rates[k];
      const RateFriction friction = regular_friction(k, rate, speed[k]);
      tangent_law.mu[rate.contact] = std::max(0., friction.friction - friction.slope * speed[k]);
      std::vector<double> S(dim * dim, 0.);
      for (unsigned int t = 1; t < dim; ++t)
        S[dim * t + t] = friction.slope * normal[k];
      resistance.joints.push_back({dim * rate.contact, false, std::move(S)});
    }
    return resistance;
  }

  /// Adds the viscous resistances to the percussions, and takes the slip speeds of the next
  /// tangents. Returns the largest deviation from the law relative to the largest percussion.
  double take_friction(const PosedLaw<dim> &law, const JointEquations &resistance,
                       const std::vector<double> &mu, const std::vector<double> &u,
                       Reaction &reaction) {
    constexpr double fall = 1e-3;
    double missing = 0;
    reaction.friction = mu;
    for (std::size_t k = 0; k < law.rates.size(); ++k) {
      const PosedRate &rate = law.rates[k];
      const std::size_t first = dim * rate.contact;
      double square = 0;
      for (unsigned int t = 1; t < dim; ++t) {
        reaction.p[first + t] -= resistance.joints[k].S[dim * t + t] * u[first + t];
        square += reaction.p[first + t] * reaction.p[first + t];
      }
      const double p = reaction.p[first], tangential = std::sqrt(square);
      if (reaction.status[rate.contact] == ContactStatus::stick) {
        const double least = least_tangent_speed(k, rate);
        reaction.friction[rate.contact] = regular_friction(k, rate, speed[k]).friction;
        if (speed[k] > least)
          missing = std::max(missing, p);
        speed[k] = std::max(fall * speed[k], 0.5 * least);
      } else {
        const double slip = slip_speed<dim>(u, rate.contact);
        const double friction = regular_friction(k, rate, slip).friction;
        missing = std::max(missing, std::abs(tangential - friction * p));
        reaction.friction[rate.contact] = p > 0. ? tangential / p : friction;
        speed[k] = slip > 0. ? slip : rate.law->speed;
      }
      normal[k] = std::max(0., p);
    }
    const double largest = largest_of(reaction.p);
    return largest > 0. ? missing / largest : 0.;
  }

  /// Fraction of the law's speed below which a contact sticks: it would creep by less than
  /// round-off of any step.
  static constexpr double least_speed = 1e-12;

  JoinedContacts<dim> bodies;
  double h = 0;
  std::vector<double> speed, normal; ///< slip speeds and normal percussions of the tangents
};

} // namespace

template <int dim>
std::unique_ptr<ReactionSolver<dim>>
make_rate_reaction(std::unique_ptr<ReactionSolver<dim>> contact_reaction,
                   double percussion_factor) {
  return std::make_unique<RateReaction<dim>>(std::move(contact_reaction), percussion_factor);
}

PERCUSSION_INSTANTIATE(make_rate_reaction);

} // namespace percussion
