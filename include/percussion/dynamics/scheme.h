#pragma once

#include <percussion/algebra/linear_solver.h>
#include <percussion/algebra/precision.h>
#include <percussion/balance/choices.h>
#include <percussion/cone/solver.h>
#include <percussion/contact/formulation.h>
#include <percussion/contact/impact_law.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace percussion {

/// Forecast of the gap: a candidate contact participates in a step if its forecast gap is not
/// positive.
enum class Forecast {
  position,   ///< gap g(q0): AC24 (64)
  prediction, ///< gap g(q0 + h v0): AC23 (55)
  leapfrog,   ///< gap g0 + (g0 − g₋₁)/2: BBDM24 (3.7)
  /// Gap g(q0) ≤ 0, plus contacts that would otherwise penetrate in this step; their law contains
  /// their gap.
  closing,
  reach, ///< all contacts that could close in the step; for laws that remain valid for open
         ///< contacts
  trial  ///< contacts that press under Signorini's law in the same step (Ayyad & Barboteu 2009)
};

/// Row of the table of forecasts.
struct ForecastEntry {
  const char *name; ///< name in parameter files
  Forecast forecast;
};
/// Returns the forecasts that users can choose, by name.
const std::vector<ForecastEntry> &forecasts();

/// Configuration in which the frames of contacts, hence H, are evaluated for curved or moving
/// surfaces.
enum class Frames {
  start,    ///< q0: AC24
  midpoint, ///< q0 + h v0/2: discrete-gradient schemes
  reached   ///< q0 + h v_θ/2, by repetitions of the step: normal percussions have no moment
};

/// Row of the table of frames.
struct FramesEntry {
  const char *name; ///< name in parameter files
  Frames frames;
};
/// Returns the table of the configurations in which contact frames can be evaluated, by name.
const std::vector<FramesEntry> &frame_choices();

/// Rows of normal percussions and velocities of contacts whose gaps are not linear in the
/// displacements.
enum class NormalRows {
  secant, ///< the difference of the gaps at both ends of the step, see GapRows
  frames  ///< the normal velocity in the frames of the scheme
};

/// Quantity that must not be negative and must vanish for an active contact: û_N of the impact law,
/// or a gap d of the step with d1 = d0 + h u_N. With a gap, the law of friction is for the mean
/// velocity of the step.
enum class GapLaw {
  rate,     ///< velocity û_N
  middle,   ///< gap d0 + θ h u_N: Signorini's law at the time of the forces
  end,      ///< gap d1: Signorini's law at the end of the step
  two_steps ///< sum d1 + e d₋₁: Paoli & Schatzman
};

/// Penalty formulation, in which a contact is a spring of stiffness r that presses if the gap is
/// negative.
enum class Penalty {
  none,
  compliance, ///< p_N = h r (−d)₊ with the gap of GapLaw: normal compliance
  conserving  ///< p_N = −h ΔV/Δd with the energy V = r/2 (−d)₊²: Hauret & Le Tallec 2006
};

/// Treatment of penetration of rigid bodies that remains with a law for velocities.
enum class PositionCorrection {
  none,      ///< depths stay
  projection ///< bodies are separated after each step, see PositionProjection
};

/// Velocities that the solution of the contacts eliminates.
enum class ContactElimination {
  automatic, ///< chosen by an estimate of time and memory, see ContactRoute
  condensed, ///< velocities of the bodies: a dense operator of the contacts
  projected  ///< velocities of the contacts' nodes: iterations on the sparse matrix
};

/// Named set of choices for the single step algorithm. The internal force is not a choice: it
/// follows from the material, as the discrete gradient of its energy; for a linear material at θ =
/// ½ it is K q_θ.
struct Scheme {
  const char *name; ///< name in parameter files
  Forecast forecast;
  Frames frames;
  ImpactLawKind law;       ///< impact law of contacts without a law of their own
  ImpactLawKind paper_law; ///< impact law of the paper that the scheme comes from
  ConeMethod method;       ///< default cone method
  const char *description; ///< description for the reference of parameters
  GapLaw gap = GapLaw::rate;
  Penalty penalty = Penalty::none;
  Integrator integrator = Integrator::theta;
  bool redistributes_inertia = false; ///< true if nodes that may touch lose their inertia
  Formulation formulation = Formulation::collocated;
  double symmetry = 1; ///< symmetry factor of Nitsche's method, see PairFormulation

  /// Returns the default contact points of the formulation.
  ContactPoints contact_points() const {
    return formulation == Formulation::collocated ? ContactPoints::nodes
                                                  : ContactPoints::quadrature;
  }
};

/// Dependence of gaps on the displacements, see ContactSides::has_linear_gaps(). Rows that follow
/// gaps make d1 = d0 + h u_N for all contacts of elastic bodies.
enum class GapKinematics {
  linear,    ///< nodes of elastic bodies against planes
  nonlinear, ///< nodes against curved surfaces, rigid bodies and faces of elastic bodies
  averaged   ///< mortars: means over covered faces, whose area changes
};

/// Proven properties of the energy with a scheme's own law, at θ = ½ and with dissipative
/// separating contacts. A false entry means that the property does not hold.
struct EnergyPromise {
  bool normal_dissipates;   ///< true if no contact does positive normal work
  bool friction_dissipates; ///< true if no contact does positive tangential work
  bool conserves; ///< true if the energy of bodies and springs is constant without friction
};
EnergyPromise promise(const Scheme &scheme, GapKinematics kinematics);

/// Returns the schemes by name.
const std::vector<Scheme> &schemes();

/// Returns the scheme of a name, which must be in the table.
const Scheme &scheme(std::string_view name);

/// Choices for the corrections of the momentum and for their linear systems.
struct CorrectionChoices {
  /// Limit of corrections of the momentum in a substep, after the last raising of restitutions.
  unsigned int max_newton_iterations = 40;
  /// Solver for linear bodies. Other bodies use a Cholesky factor.
  LinearSolver linear_solver = LinearSolver::automatic;
  /// Precision of iterations without a factor.
  Precision precision = Precision::automatic;
  /// Elimination for contacts of linear elastic bodies.
  ContactElimination contact_elimination = ContactElimination::automatic;
};

/// Choices for substeps, see Substeps.
struct CutChoices {
  /// Maximum number of halvings of a step that fails: a substep is at least 2^−max_cuts of the
  /// step.
  unsigned int max_cuts = 10;
  /// True if the length of substeps is kept from step to step, and doubled after `grow_after`
  /// successful substeps. If false, each step begins undivided, and steps of linear elastic bodies
  /// are never cut.
  bool adaptive = false;
  unsigned int grow_after = 8; ///< number of successful substeps before doubling
  /// Largest energy error of a substep, relative to the largest energy so far. If the error is
  /// larger, the substep is repeated in two halves.
  double energy_tolerance = std::numeric_limits<double>::infinity();
};

/// Choices of a run: a scheme with the user's changes.
struct StepChoices : BalanceChoices, CorrectionChoices, CutChoices {
  Forecast forecast = Forecast::position;
  Frames frames = Frames::start;
  NormalRows normal_rows = NormalRows::secant;
  /// True if Frames::midpoint also applies to contacts between elastic bodies. Velocities of their
  /// nodes at the beginning of a step alternate about the mean velocities, and mislead the
  /// prediction.
  bool predicts_faces = false;
  SeparatingContacts separating = SeparatingContacts::dissipative;
  PositionCorrection position_correction = PositionCorrection::none;
  GapLaw gap = GapLaw::rate;
  Penalty penalty = Penalty::none;

  /// Copies the choices of a named scheme.
  void use(const Scheme &scheme) {
    forecast = scheme.forecast;
    frames = scheme.frames;
    gap = scheme.gap;
    penalty = scheme.penalty;
    integrator = scheme.integrator;
  }
};

} // namespace percussion
