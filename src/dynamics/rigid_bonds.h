// States of rigid bonds in the iterations of a step.

#pragma once

#include <percussion/contact/bond_law.h>
#include <percussion/dynamics/posed_law.h>

#include "joined_contacts.h"
#include <array>
#include <vector>

namespace percussion {

/// State of a bond in the iterations of a step.
enum class BondState {
  holds, ///< a tie: its opening is kept
  bears, ///< a bond with a given traction: others keep its opening, or it opens next
  opens  ///< its traction follows from its opening
};

/// States of the bonds of a law. Rigid bonds keep their openings as ties do, until their tractions
/// reach the strength. Then they bear this, and open if nothing else keeps their openings: where
/// bonds meet, some may be redundant, and the strength of one decides how they share their load.
/// They hold again if an iteration would reverse the opening. Such states may cycle; sweep() finds
/// states in another way.
template <int dim>
class RigidBonds {
public:
  /// Starts with rigid bonds that hold.
  void start(const PosedLaw<dim> &law);

  BondState state(std::size_t bond) const { return states[bond]; }
  /// Returns the traction that a bond bears [stress].
  const std::array<double, dim> &borne_traction(std::size_t bond) const { return borne[bond]; }
  /// Sets the size of the traction of a bond that opens, by the law [stress].
  void set_size(std::size_t bond, double size) { sizes[bond] = size; }
  /// Returns the number of bonds that moved backward.
  unsigned int n_reversed() const { return n_reversals; }

  /// Lets rigid bonds bear their strength whose tractions are above it, opens those that move in
  /// the direction of their strength, and, if it `decides`, holds those that move backward. Once a
  /// bond has moved backward, only the one that is most above its strength changes at a time,
  /// because redundant bonds share their load in another way. Returns true if a state has changed.
  bool change(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
              const std::vector<double> &percussions, double h, bool decides,
              std::vector<double> &next);
  /// True if a bond that holds has a traction above its strength.
  bool is_overloaded(const PosedLaw<dim> &law, const std::vector<double> &percussions,
                     double h) const;

  /// Solves the laws of rigid bonds and their contacts one by one (Gauss and Seidel), with the
  /// other percussions given, and sets their states. Each solution lowers a function that is convex
  /// except for softening, so that sweeps do not cycle. Writes the velocities of all rows to u.
  void sweep(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies, double h,
             Reaction &reaction, std::vector<double> &u);
  /// Lets all rigid bonds bear their tractions.
  void bear_all(const PosedLaw<dim> &law, const std::vector<double> &percussions, double h);
  /// Lets bonds that hold bear their tractions if other bonds keep their openings. The rows of
  /// bonds that meet depend on each other up to the slip of a step: as ties, these bonds would have
  /// any tractions.
  void release_redundant(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
                         const std::vector<double> &percussions, double h);
  /// Opens the bonds that bear their tractions and move. Returns true if there are any.
  bool open_moving(const PosedLaw<dim> &law, const JoinedContacts<dim> &bodies,
                   const std::vector<double> &u, double h);

private:
  static std::array<double, dim> traction_of(const PosedBond<dim> &bond,
                                             const std::vector<double> &percussions, double h);
  static double load_of(const PosedBond<dim> &bond, const std::vector<double> &percussions,
                        double h);
  static double opening_by_strength(const PosedBond<dim> &bond, const JoinedContacts<dim> &bodies,
                                    double h);
  static bool moves(const BondOpening<dim> &opening, const PosedBond<dim> &bond,
                    const JoinedContacts<dim> &bodies, double h);
  void bear(std::size_t i, const PosedBond<dim> &bond, std::array<double, dim> traction);
  bool change_opening(std::size_t i, const PosedBond<dim> &bond, const JoinedContacts<dim> &bodies,
                      const std::vector<double> &percussions, double h, bool decides,
                      std::vector<double> &next);
  double sweep_bond(std::size_t i, const PosedBond<dim> &bond, const JoinedContacts<dim> &bodies,
                    double h, Reaction &reaction, std::vector<double> &u);

  std::vector<BondState> states;              ///< states of all bonds
  std::vector<std::array<double, dim>> borne; ///< tractions of bonds that bear them [stress]
  std::vector<double> sizes;    ///< sizes of the tractions of rigid bonds by the law [stress]
  unsigned int n_reversals = 0; ///< number of bonds that moved backward
};

} // namespace percussion
