#pragma once

#include <string>
#include <vector>

namespace percussion {

/// The impact laws; they differ in two numbers, the second of which two laws choose contact by
/// contact.
enum class ImpactLawKind {
  newton_coulomb,
  fremond,
  moreau,
  dissipation_index,
  persistent,
  dissipative,
  persistent_dissipative
};

/// The law's velocity û_N = u1_N + e u0_N, û_T = u1_T + e_T u0_T, for which the De Saxcé inclusion
/// 0 ∈ û + μ‖û_T‖ n + N_K(p) is posed.
struct ImpactLaw {
  double e = 0;   ///< normal restitution
  double e_T = 0; ///< tangential restitution
  /// True if e_T becomes (1−θ)/θ in a step in which the percussion would do positive work with
  /// e_T = 0.
  bool takes_least_e_T = false;
};

/// A row of the table of laws.
struct ImpactLawEntry {
  const char *name;        ///< as users write it
  ImpactLawKind kind;      ///< what it stands for
  const char *description; ///< for the reference of parameters
};

/// All laws with their names and sources.
const std::vector<ImpactLawEntry> &impact_laws();

/// What the user gives; each law takes what it needs.
struct Restitution {
  double normal = 0;            ///< e
  double tangential = 0;        ///< e_T, for `moreau`
  double dissipation_index = 1; ///< δ, for `dissipation_index`
};

/// The two numbers of a law:
///
///     newton-coulomb     e, 0                              AC24 (61)–(62)
///     fremond            e, (1−θ)/θ                        AC24 (72)–(73)
///     moreau             e, e_T                            AC24 (58)
///     dissipation-index  (1−δ)/(1+δ) for both              JM91 (6.3)
///     persistent         (1−θ)/θ for both: û ∝ u_θ         BBDM24 (3.7), where θ = ½
///     dissipative        e, the least of 0 and (1−θ)/θ for which friction does no positive work
///     persistent-dissipative   (1−θ)/θ, likewise
ImpactLaw impact_law(ImpactLawKind kind, const Restitution &restitution, double theta);

/// True if the normal condition is on u_θ: contacts without friction conserve the energy at θ = ½.
inline bool is_persistent(ImpactLawKind kind) {
  return kind == ImpactLawKind::persistent || kind == ImpactLawKind::persistent_dissipative;
}

/// True if the friction of no contact does positive work with the law, whatever the others do.
inline bool makes_friction_dissipate(ImpactLawKind kind) {
  return is_persistent(kind) || kind == ImpactLawKind::fremond ||
         kind == ImpactLawKind::dissipative;
}

/// Largest θ for which the energy theorem holds, 1/(1 + e): AC24 (87).
inline double theta_bound(double e) { return 1. / (1. + e); }

/// What a contact does that separates (u0_N > 0) although its gap is closed. AC24's index set (64)
/// leaves it out; dropping it lets resting contacts go on noise, keeping it can do positive work.
enum class SeparatingContacts {
  as_in_paper, ///< û_N = u1_N + e u0_N for all
  dissipative  ///< u0_N is replaced by min(u0_N, 0), which makes W_N ≤ 0 for every contact
};

/// Offsets a such that θ û = u_θ + a, for the step's u_θ = (1−θ) u0 + θ u1: a = (θ(1+e) − 1) u0 in
/// the normal direction and likewise with e_T in the tangential ones. (A positive scaling of û does
/// not change the inclusion.)
struct LawOffset {
  double normal;                 ///< θ(1+e) − 1
  double tangential;             ///< θ(1+e_T) − 1
  SeparatingContacts separating; ///< what becomes of u0_N > 0

  /// The offsets of a law at θ.
  LawOffset(const ImpactLaw &law, double theta, SeparatingContacts s)
      : normal(theta * (1. + law.e) - 1.), tangential(theta * (1. + law.e_T) - 1.), separating(s) {}

  /// a_N for the normal velocity u0 at the beginning of the step [velocity].
  double of_normal(double u0) const {
    return normal * (separating == SeparatingContacts::dissipative && u0 > 0. ? 0. : u0);
  }
  /// a_T for a tangential component of it [velocity].
  double of_tangential(double u0) const { return tangential * u0; }
};

} // namespace percussion
