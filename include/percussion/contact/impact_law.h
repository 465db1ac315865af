#pragma once

#include <string>
#include <vector>

namespace percussion {

/// Impact laws. They differ in two numbers; two laws choose the second number for each contact.
enum class ImpactLawKind {
  newton_coulomb,
  fremond,
  moreau,
  dissipation_index,
  persistent,
  dissipative,
  persistent_dissipative
};

/// Impact law with the velocity û_N = u1_N + e u0_N, û_T = u1_T + e_T u0_T, for which the De Saxcé
/// inclusion 0 ∈ û + μ‖û_T‖ n + N_K(p) is posed.
struct ImpactLaw {
  double e = 0;   ///< normal restitution
  double e_T = 0; ///< tangential restitution
  /// True if e_T becomes (1−θ)/θ in a step in which the percussion would do positive work with
  /// e_T = 0.
  bool takes_least_e_T = false;
};

/// Row of the table of laws.
struct ImpactLawEntry {
  const char *name;        ///< name in parameter files
  ImpactLawKind kind;      ///< law of this name
  const char *description; ///< description for the reference of parameters
};

/// Returns all laws with their names and descriptions.
const std::vector<ImpactLawEntry> &impact_laws();

/// Restitution parameters given by the user; each law uses the parameters that it needs.
struct Restitution {
  double normal = 0;            ///< e
  double tangential = 0;        ///< e_T, for `moreau`
  double dissipation_index = 1; ///< δ, for `dissipation_index`
};

/// Returns the two numbers of a law:
///
///     newton-coulomb     e, 0                              AC24 (61)–(62)
///     fremond            e, (1−θ)/θ                        AC24 (72)–(73)
///     moreau             e, e_T                            AC24 (58)
///     dissipation-index  (1−δ)/(1+δ) for both              JM91 (6.3)
///     persistent         (1−θ)/θ for both: û ∝ u_θ         BBDM24 (3.7) at θ = ½
///     dissipative        e, the smaller of 0 and (1−θ)/θ for which friction does no positive work;
///                        in 3D (1−θ)/θ while a contact of rigid bodies goes on slipping
///     persistent-dissipative   (1−θ)/θ, likewise
ImpactLaw impact_law(ImpactLawKind kind, const Restitution &restitution, double theta);

/// True if the normal condition is on u_θ: contacts without friction conserve energy at θ = ½.
inline bool is_persistent(ImpactLawKind kind) {
  return kind == ImpactLawKind::persistent || kind == ImpactLawKind::persistent_dissipative;
}

/// True if the law prevents positive work of friction at every contact, independently of the other
/// contacts.
inline bool makes_friction_dissipate(ImpactLawKind kind) {
  return is_persistent(kind) || kind == ImpactLawKind::fremond ||
         kind == ImpactLawKind::dissipative;
}

/// Returns the largest θ for which the energy theorem holds, 1/(1 + e): AC24 (87).
inline double theta_bound(double e) { return 1. / (1. + e); }

/// Treatment of a contact that separates (u0_N > 0) although its gap is closed. The index set (64)
/// of AC24 excludes it. If it is excluded, noise opens resting contacts; if it is included, it can
/// do positive work.
enum class SeparatingContacts {
  as_in_paper, ///< û_N = u1_N + e u0_N for all contacts with g ≤ 0, as in the authors' program
  dissipative, ///< u0_N is replaced by min(u0_N, 0), so that W_N ≤ 0 for every contact
  inactive     ///< the contact has no law in the step: AC24 (64) and AC23 (55), to the letter
};

/// Offsets a such that θ û = u_θ + a, with the velocity u_θ = (1−θ) u0 + θ u1 of the step: a =
/// (θ(1+e) − 1) u0 in the normal direction, and likewise with e_T in the tangential directions. (A
/// positive scaling of û does not change the inclusion.)
struct LawOffset {
  double normal;                 ///< θ(1+e) − 1
  double tangential;             ///< θ(1+e_T) − 1
  SeparatingContacts separating; ///< treatment of u0_N > 0

  /// Computes the offsets of a law at θ.
  LawOffset(const ImpactLaw &law, double theta, SeparatingContacts s)
      : normal(theta * (1. + law.e) - 1.), tangential(theta * (1. + law.e_T) - 1.), separating(s) {}

  /// Returns a_N for the normal velocity u0 at the beginning of the step [velocity].
  double normal_term(double u0) const {
    return normal * (separating != SeparatingContacts::as_in_paper && u0 > 0. ? 0. : u0);
  }
  /// Returns a_T for a tangential component of the velocity u0 [velocity].
  double tangential_term(double u0) const { return tangential * u0; }
};

} // namespace percussion
