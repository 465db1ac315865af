#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/balance/interval.h>
#include <percussion/contact/contact_list.h>
#include <percussion/contact/history.h>
#include <percussion/contact/impact_law.h>
#include <percussion/dynamics/compliance.h>
#include <percussion/dynamics/scheme.h>

namespace percussion {

template <int dim>
class ContactFinder;
template <int dim>
struct State;

/// Spring that replaces a contact.
struct Spring {
  double stiffness;           ///< stiffness r [force / length]
  double gap;                 ///< gap at the beginning of the interval [length]
  double symmetry_factor = 1; ///< factor of its energy: PairFormulation::symmetry
};

/// Bond that acts in the rows of a contact in an interval.
template <int dim>
struct PosedBond {
  std::size_t contact; ///< index of the contact in the law
  const BondLaw *law;
  double area;              ///< area [length^(dim−1) × thickness]
  double damage;            ///< damage at the beginning
  BondOpening<dim> opening; ///< opening at the beginning, by the rows of the contact
  double start;             ///< normal opening at the end without a normal velocity [length]
  BondTraction traction;    ///< traction of the step

  bool is_tie() const { return law->is_tie(); }
  /// True for a rigid bond that has not yet opened.
  bool is_rigid() const { return law->is_extrinsic && damage == 0.; }
};

/// Contact whose friction depends on its slip speed in an interval.
struct PosedRate {
  std::size_t contact; ///< index of the contact in the law
  const RateStateLaw *law;
  double state;      ///< ϑ at the beginning [time]
  double slip_speed; ///< slip speed of the last substep [velocity]
};

/// Moment of rolling or spinning friction of a contact (Acary & Bourrier 2021). In the law its rows
/// follow the rows of all contacts, as if it were a further contact: the tangential rows ℓ ω of the
/// relative angular velocity ω have the percussions m/ℓ of the moment m. The normal row has no
/// velocity, but a compliance c and the offset −c p_N, so that its percussion is the normal
/// percussion p_N of the contact. With the coefficient of friction μ_r/ℓ, Coulomb's law of these
/// rows is the law of the moment: ‖m‖ ≤ μ_r p_N, and m = −μ_r p_N ω/‖ω‖ for ω ≠ 0.
struct ContactMoment {
  std::size_t contact; ///< index of the contact in the law
  MomentKind kind;
  double length; ///< ℓ, the radius of the round body, so that rows are velocities [length]
  double compliance = 0; ///< c [velocity / impulse]
};

/// Choice of the tangential restitution e_T of a contact, whose law leaves it to the solution
/// (ImpactLaw::takes_least_e_T).
enum class TangentialRestitution {
  fixed,    ///< the law prescribes it
  least,    ///< zero, unless friction would do positive work
  slipping, ///< (1−θ)/θ as long as the contact goes on slipping, else `least`
  mean      ///< (1−θ)/θ: friction opposes the mean velocity
};

/// Percussions and statuses from which a solution of the law starts.
struct ReactionGuess {
  std::vector<double> p;             ///< percussions, row by row of H [impulse]
  std::vector<ContactStatus> status; ///< status of each contact
};

/// Solutions of the last two substeps, from which a solution of the law may start.
struct LawGuesses {
  /// First solution of the last substep, with the tangential restitutions from which it started.
  ReactionGuess first;
  /// Last solution of the last substep, with the tangential restitutions that it has chosen.
  ReactionGuess last;
  /// Last solution of the substep before: if a tangential restitution of one reverses velocities in
  /// each step, percussions recur in every second step.
  ReactionGuess earlier;
};

/// Laws that act in the rows of contacts beside Coulomb's and Signorini's.
template <int dim>
struct InterfaceLaws {
  std::vector<PosedBond<dim>> bonds; ///< bonds that are not broken, by ascending contacts
  std::vector<PosedRate> rates;      ///< contacts whose friction depends on the rate, ascending
  /// Moments of the active contacts, whose rows follow in all vectors.
  std::vector<ContactMoment> moments;
};

/// Law of the contacts that participate in an interval, constant over it: with the free velocity u
/// of the bodies, the cone problem is posed for u − w + a + C p.
template <int dim>
struct PosedLaw : InterfaceLaws<dim> {
  ContactList<dim> active; ///< contacts with frames and supports as in H
  ContactRows H;           ///< rows of the contacts, dim for each: Hᵀ p is the force
  ContactRows G;           ///< rows of u = G v if they differ from H; else empty
  /// In 2D with the coefficients μ₊ against slip in the direction t and μ₋ against slip in the
  /// direction −t: c = (μ₋ − μ₊)/2 of each contact; empty if they are equal for all contacts. The
  /// cone −μ₊ p_N ≤ p_T ≤ μ₋ p_N is the symmetric cone of (p_N, p_T − c p_N) with the mean
  /// coefficient: the percussions of the rows of H, which are n + c t and t, while G has n and t.
  std::vector<double> friction_shift;
  std::vector<double> offset;  ///< offset a(u0), see LawOffset, or a(d0), see GapLaw [velocity]
  Compliance compliance;       ///< C of the rows
  std::vector<Spring> springs; ///< spring of each contact; empty: none
  std::vector<double> surface; ///< mean velocity w of a moving surface in the frame [velocity]
  std::vector<double> mu;      ///< coefficient of friction of each contact, or its mean
  /// Directions of the rows of each contact, which are orthogonal; empty: local frames. With a
  /// friction ratio k, the rows n, d, k d' along and across the direction of friction make the
  /// elliptic cone the circular cone of these rows: p = p̃_N n + p̃_1 d + p̃_2 k d'.
  std::vector<std::array<dealii::Tensor<1, dim>, dim>> directions;
  /// Velocity that moves no point by more than 1e-9 of its local size in the interval [velocity].
  double negligible_velocity = 0;
  /// Tangential restitution of each contact in the first solution. The tangential offsets are those
  /// of e_T = 0, unless it is fixed; with e_T = (1−θ)/θ they are zero.
  std::vector<TangentialRestitution> restitution;
  LawGuesses guesses; ///< solutions of the last substeps

  /// True if the solution chooses the tangential restitution of a contact.
  bool chooses_restitutions() const {
    return std::any_of(restitution.begin(), restitution.end(),
                       [](TangentialRestitution r) { return r != TangentialRestitution::fixed; });
  }
  /// Returns the rows of u = G v.
  const ContactRows &rows() const { return G.n_rows() > 0 ? G : H; }
  /// Returns the directions of the rows of a contact.
  std::array<dealii::Tensor<1, dim>, dim> directions_of(std::size_t contact) const {
    return directions.empty() ? local_frame<dim>(active.contacts[contact].normal)
                              : directions[contact];
  }
  /// Returns the directions in which the percussions of a contact act.
  std::array<dealii::Tensor<1, dim>, dim> force_directions_of(std::size_t contact) const {
    auto force_directions = directions_of(contact);
    if (!friction_shift.empty())
      force_directions[0] += friction_shift[contact] * force_directions[1];
    return force_directions;
  }
  /// Returns a component of the percussion of a contact in directions_of(), of percussions p by the
  /// rows of H.
  double percussion(const std::vector<double> &p, std::size_t contact, unsigned int row) const {
    const double row_percussion = p[dim * contact + row];
    return friction_shift.empty() || row == 0
               ? row_percussion
               : row_percussion + friction_shift[contact] * p[dim * contact];
  }
  /// Returns the coefficient against slip opposite to this tangential percussion.
  double friction(std::size_t contact, double tangential) const {
    if (friction_shift.empty())
      return mu[contact];
    return tangential > 0. ? mu[contact] + friction_shift[contact]
                           : mu[contact] - friction_shift[contact];
  }
};

/// True if the forecast or the law uses gaps of open contacts in the last substep.
bool uses_previous_gaps(const StepChoices &choices);

/// State at the beginning of an interval, and everything else on which the law of its contacts
/// depends.
template <int dim>
struct ContactSetting {
  const State<dim> &state;
  const Interval &interval;
  const ContactFinder<dim> &finder;
  const Boundary<dim> &boundary;
  const StepChoices &choices;
};

/// Returns the contacts of the state whose gaps, by the scheme's forecast, close in the interval.
template <int dim>
ContactList<dim> forecast(const ContactSetting<dim> &setting);

/// Adds to `active` the other contacts of the state that would penetrate at the end of an interval
/// with this mean velocity: all with Forecast::closing, otherwise lasting ones. Returns true if
/// there are any.
template <int dim>
bool add_closing(ContactList<dim> &active, const TraceField &v_theta,
                 const ContactSetting<dim> &setting);

/// Returns the law of contacts with the frames of the scheme's configuration: at q0, or in the
/// middle of the interval with the mean velocity `reached`, or v0 if it is null. Contacts that no
/// percussion can change, because the motion is prescribed, are left out. Surfaces must have been
/// prepared for the interval.
template <int dim>
PosedLaw<dim> pose_law(ContactList<dim> active, const TraceField *reached,
                       const ContactSetting<dim> &setting);

/// Contacts with given frames and supports.
template <int dim>
struct FramedContacts {
  ContactList<dim> contacts;
  /// Normal offset of the law of each contact [velocity]; none: by the law of the pair. Empty: all
  /// by the law of their pair.
  std::vector<std::optional<double>> offset;
};

/// Returns the law of contacts with these frames and supports.
template <int dim>
PosedLaw<dim> pose_framed_law(FramedContacts<dim> framed, const ContactSetting<dim> &setting);

/// Returns u0 of a contact in `list` relative to the opposite side, in the frame of the contact,
/// with the velocity v0 and the velocity of a surface at the beginning of the interval.
template <int dim>
std::array<double, dim> start_velocity(const Contact<dim> &contact, const ContactList<dim> &list,
                                       const TraceField &v0, const State<dim> &state);

} // namespace percussion
