#pragma once

#include <percussion/contact/find.h>
#include <percussion/contact/history.h>
#include <percussion/contact/impact_law.h>
#include <percussion/contact/surface_motion.h>
#include <percussion/dynamics/scheme.h>
#include <percussion/dynamics/state.h>

namespace percussion {

/// The interval that a step, or a part of one, takes the state over.
struct Interval {
  double t0, t1; ///< [time]
  double h;      ///< its length, to the last digit that of every other step
};

/// The sparse matrix H of local velocities u = H v: for each contact its rows n, t[, t'].
struct ContactRows {
  std::vector<unsigned int> start{0}; ///< first entry of each row, and the end
  std::vector<unsigned int> column;   ///< of each entry: its place in `dofs`
  std::vector<double> value;          ///< 1, or a length where the column is a rotation
  std::vector<unsigned int> dofs;     ///< the degrees of freedom that it acts on, ascending

  unsigned int n_rows() const { return static_cast<unsigned int>(start.size()) - 1; }

  /// One entry of H v, with v over all degrees of freedom.
  double row_times(unsigned int row, const double *v) const {
    double sum = 0;
    for (unsigned int k = start[row]; k < start[row + 1]; ++k)
      sum += value[k] * v[dofs[column[k]]];
    return sum;
  }
  /// factor × Hᵀ p on `dofs`.
  void transpose_times(double factor, const std::vector<double> &p,
                       std::vector<double> &force) const;

  /// Whether all entries differ by no more than a share of the largest.
  bool is_near(const ContactRows &other, double share) const;
  bool operator==(const ContactRows &other) const {
    return start == other.start && dofs == other.dofs && column == other.column &&
           value == other.value;
  }
};

/// A spring in place of a contact.
struct Spring {
  double stiffness; ///< r [force / length]
  double gap;       ///< at the beginning of the interval [length]
  double share = 1; ///< of its energy that counts: ContactPair::symmetry
};

/// The law of the contacts that take part in an interval, constant over it: with the free velocity
/// u of the bodies, the cone problem is posed for u − w + a + c∘p.
template <int dim>
struct PosedLaw {
  ContactList<dim> active;        ///< frames and supports as in H
  ContactRows H;                  ///< dim rows for each contact: Hᵀ p is the force
  ContactRows G;                  ///< u = G v where H is not symmetric in that sense; else empty
  std::vector<double> offset;     ///< a(u0), see LawOffset, or a(d0), see GapLaw [velocity]
  std::vector<double> compliance; ///< c of each row [velocity / impulse], or, with the square
                                  ///< of their number, a matrix in its place; empty: none
  std::vector<Spring> springs;    ///< of each contact, where there are any
  std::vector<double> surface;    ///< w: mean velocity of a moving surface in the frame [velocity]
  std::vector<double> mu;         ///< friction of each contact
  /// Velocity that moves no point by more than 1e-9 of its local size in the interval [velocity]
  double negligible_velocity = 0;
  /// True for each contact whose tangential restitution is the least that dissipates; the law's
  /// tangential offset is then the one of e_T = 0, and zero if e_T = (1−θ)/θ.
  std::vector<bool> takes_least_e_T;
  /// Percussions and statuses to begin with: those of the last part.
  std::vector<double> guess;
  std::vector<ContactStatus> status;
  /// Those of the part before: where a tangential restitution of one turns velocities round in each
  /// step, percussions come back in the second.
  std::vector<double> earlier_guess;
  std::vector<ContactStatus> earlier_status;

  /// The rows of u = G v.
  const ContactRows &rows() const { return G.n_rows() > 0 ? G : H; }
};

/// The contacts of a state whose gaps, by the scheme's forecast, close in the interval. Those that
/// no percussion can change, because the motion is prescribed, are left out.
template <int dim>
ContactList<dim> forecast(const State<dim> &state, const Interval &interval,
                          const ContactFinder<dim> &finder, const Boundary<dim> &boundary,
                          const StepChoices &choices);

/// Adds to `active` the other contacts of the state that would be closed at the end of an interval
/// with this mean velocity. Returns true if there are any.
template <int dim>
bool add_closing(ContactList<dim> &active, const State<dim> &state, const Vector &v_theta,
                 const Interval &interval, const ContactFinder<dim> &finder,
                 const Boundary<dim> &boundary);

/// Their law, with the frames of the scheme's configuration: at q0, or with this mean velocity in
/// the middle of the interval. Surfaces must have been prepared for the interval.
template <int dim>
PosedLaw<dim> pose_law(ContactList<dim> active, const State<dim> &state, const Vector &velocity,
                       const Interval &interval, const ContactFinder<dim> &finder,
                       const Boundary<dim> &boundary, const StepChoices &choices);

/// u0 of a contact relative to what it touches, in its frame, with the velocity of a surface at the
/// beginning of the interval.
template <int dim>
std::array<double, dim> start_velocity(const Contact<dim> &contact, const ContactList<dim> &list,
                                       const State<dim> &state);

} // namespace percussion
