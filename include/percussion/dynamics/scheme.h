#pragma once

#include <percussion/algebra/linear_solver.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/formulation.h>
#include <percussion/contact/impact_law.h>

#include <limits>
#include <string>
#include <vector>

namespace percussion {

/// When a candidate takes part in a step: its gap, forecast by one of these, is not positive.
enum class Forecast {
  position,   ///< g(q0): AC24 (64)
  prediction, ///< g(q0 + h v0): AC23 (55)
  leapfrog,   ///< g0 + (g0 − g₋₁)/2: BBDM24 (3.7)
  closing,    ///< g(q0), and with their gaps in the law those that the step would close otherwise
  reach,      ///< none: all whose gap could close in the step, for laws that hold where it does not
  trial       ///< what presses under Signorini's law in the same step (Ayyad & Barboteu 2009)
};

/// A row of the table of forecasts.
struct ForecastEntry {
  const char *name; ///< as users write it
  Forecast forecast;
};
/// The forecasts that users choose from, by name.
const std::vector<ForecastEntry> &forecasts();

/// Where the frames of the contacts, hence H, are taken on what is curved or moves.
enum class Frames {
  start,    ///< at q0: AC24
  midpoint, ///< at q0 + h v0/2: the discrete-gradient schemes
  reached   ///< at q0 + h v_θ/2, by repeating the step: normal percussions have no moment
};

/// A row of the table of frames.
struct FramesEntry {
  const char *name; ///< as users write it
  Frames frames;
};
/// The frames by name.
const std::vector<FramesEntry> &frame_choices();

/// What is not to be negative where a contact presses: û_N as the impact law has it, or a gap d of
/// the step, d1 = d0 + h u_N. The law of friction is for the mean velocity of the step then.
enum class GapLaw {
  rate,     ///< û_N
  middle,   ///< d0 + θ h u_N: Signorini's law at the time of the forces
  end,      ///< d1: Signorini's law at the end of the step
  two_steps ///< d1 + e d₋₁: Paoli & Schatzman
};

/// Whether a contact is a spring of stiffness r that presses where the gap is negative.
enum class Penalty {
  none,
  compliance, ///< p_N = h r (−d)₊ with the gap of GapLaw: normal compliance
  conserving  ///< p_N = −h ΔV/Δd of its energy V = r/2 (−d)₊²: Hauret & Le Tallec 2006
};

/// Treatment of depths of contacts of rigid bodies that a law for velocities has left.
enum class PositionCorrection {
  none,      ///< depths stay
  projection ///< bodies are moved out of each other after each step, see PositionProjection
};

/// How the velocities at the beginning and the end of a step belong to the mean one, and what its
/// inertia and internal force are: see TimeRule.
enum class Integrator {
  theta,             ///< the θ-rule
  newmark,           ///< Newmark's average acceleration
  generalized_alpha, ///< Chung & Hulbert 1993
  half_steps         ///< Paoli & Schatzman's: velocities half a step later than positions
};

/// A named scheme is a set of choices for the one step. The internal force is none of them: it
/// follows from the material, whose energy's discrete gradient it is; for a linear one at θ = ½
/// that is K q_θ.
struct Scheme {
  const char *name; ///< as users write it
  Forecast forecast;
  Frames frames;
  ImpactLawKind law;       ///< impact law of contacts that name none
  ImpactLawKind paper_law; ///< impact law of the paper that the scheme comes from
  ConeMethod method;       ///< unless the user chooses another
  const char *description; ///< for the reference of parameters
  GapLaw gap = GapLaw::rate;
  Penalty penalty = Penalty::none;
  Integrator integrator = Integrator::theta;
  bool redistributes_inertia = false; ///< of the nodes that may touch
  Formulation formulation = Formulation::collocated;
  double symmetry = 1; ///< of Nitsche's method, see ContactPair

  /// Where it has contacts, unless the user chooses another place.
  Places places() const {
    return formulation == Formulation::collocated ? Places::nodes : Places::quadrature;
  }
};

/// What is proved of the energy with a scheme's own law: at θ = ½, with dissipative separating
/// contacts. What is not promised is not so.
struct EnergyPromise {
  bool normal_dissipates;   ///< the normal work of no contact is positive
  bool friction_dissipates; ///< the tangential work of no contact is positive
  bool conserves;           ///< without friction the energy of bodies and springs is constant
};
EnergyPromise promise(const Scheme &scheme);

/// The schemes by name.
const std::vector<Scheme> &schemes();

/// The scheme of that name, which must be in the table.
const Scheme &scheme(const std::string &name);

/// The choices of a run: a scheme with what the user changed in it.
struct StepChoices {
  double h = 0;       ///< step [time]
  double theta = 0.5; ///< θ
  Forecast forecast = Forecast::position;
  Frames frames = Frames::start;
  /// True if Frames::midpoint holds for contacts between elastic bodies too. Their nodes'
  /// velocities at the start of a step alternate about those of the step, and mislead the
  /// prediction.
  bool predicts_faces = false;
  SeparatingContacts separating = SeparatingContacts::dissipative;
  PositionCorrection position_correction = PositionCorrection::none;
  GapLaw gap = GapLaw::rate;
  Penalty penalty = Penalty::none;
  Integrator integrator = Integrator::theta;
  double spectral_radius = 0.8; ///< ρ∞ of the generalized-α rule: Chung & Hulbert's example

  /// Take what a named scheme chooses.
  void use(const Scheme &scheme) {
    forecast = scheme.forecast;
    frames = scheme.frames;
    gap = scheme.gap;
    penalty = scheme.penalty;
    integrator = scheme.integrator;
  }

  /// Largest residual of the momentum balance, relative to its largest term.
  double newton_tolerance = 1e-10;
  unsigned int max_newton_iterations = 40; ///< on the momentum of a part
  /// Of bodies that are linear. The others have Cholesky's factor.
  LinearSolver linear_solver = LinearSolver::automatic;
  /// A step that fails is taken in parts, of at least 2^−max_cuts of it.
  unsigned int max_cuts = 10;
  /// Whether the length of the parts is kept from step to step, and grows back when `grow_after` of
  /// them have succeeded. Else each step begins whole, and those of linear bodies alone are never
  /// cut.
  bool adaptive = false;
  unsigned int grow_after = 8; ///< number of parts
  /// Largest energy error of a part, relative to the largest energy so far: above, it is taken
  /// again in two halves.
  double energy_tolerance = std::numeric_limits<double>::infinity();
};

} // namespace percussion
