#pragma once

#include <percussion/base/contact_status.h>
#include <percussion/contact/contact_key.h>

#include <deal.II/base/tensor.h>

#include <array>
#include <vector>

namespace percussion {

/// Memory of a contact from the last substep.
template <int dim>
struct ContactMemory {
  ContactKey key;
  double gap = 0;                       ///< gap at the beginning of the substep [length]
  std::array<double, dim> percussion{}; ///< percussion in the substep [impulse]
  /// Percussion in the substep's first solution, before tangential restitutions were raised: the
  /// initial guess of the next first solution.
  std::array<double, dim> first_percussion{};
  std::array<double, dim> previous_percussion{}; ///< percussion in the substep before
  /// Gap at the end of the substep in which the contact began to press; it is kept while the
  /// contact presses [length].
  double closing_gap = 0;
  /// Depth at which sliding has covered the point, as far as further sliding is to give it back
  /// [length].
  double covered_depth = 0;
  double return_speed = 0; ///< speed at which it is given back; zero before any part [velocity]
  /// True if the contact has pressed and its gap has stayed small since: to press again is no
  /// impact.
  bool is_lasting = false;
  /// Gap that round-off of the substep's velocities and positions may have opened; zero unless the
  /// contact participated in the substep [length].
  double rounding = 0;
  /// Number of successive substeps in which the contact stuck and its tangential velocity at the
  /// end was the one of the substep before in the opposite direction.
  unsigned int n_reversals = 0;
  std::array<double, dim - 1> end_velocity{}; ///< this velocity; zero unless it stuck [velocity]
  ContactStatus status = ContactStatus::open; ///< status in the substep
  ContactStatus first_status = ContactStatus::open;   ///< status in its first solution
  ContactStatus earlier_status = ContactStatus::open; ///< status in the substep before

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key &gap &status &first_status &earlier_status &closing_gap &covered_depth
        &return_speed &is_lasting &rounding &n_reversals;
    for (double &p : percussion)
      archive &p;
    for (double &p : first_percussion)
      archive &p;
    for (double &p : previous_percussion)
      archive &p;
    for (double &u : end_velocity)
      archive &u;
  }
};

/// Distance that a contact has slipped while it pressed, since the beginning of the run [length].
struct ContactSlip {
  ContactKey key;
  double slip = 0;

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key &slip;
  }
};

/// State of a contact whose friction depends on the rate (RateStateLaw).
struct ContactState {
  ContactKey key;
  double state = 0;      ///< ϑ [time]
  double slip_speed = 0; ///< slip speed of the last substep [velocity]

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key &state &slip_speed;
  }
};

/// Bond of a contact: openings are relative to the configuration in which it was made.
template <int dim>
struct ContactBond {
  ContactKey key;
  double area = 0;             ///< area, constant [length^(dim−1) × thickness]
  double damage = 0;           ///< 0 intact, 1 broken
  double opening = 0;          ///< normal opening [length]
  dealii::Tensor<1, dim> slip; ///< tangential opening, normal to the normal of the contact [length]

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key &area &damage &opening;
    for (unsigned int d = 0; d < dim; ++d)
      archive &slip[d];
  }
};

/// Motion against which the moment of a contact acts.
enum class MomentKind {
  rolling, ///< rotation about an axis in the tangential plane
  spinning ///< in 3D, rotation about the normal
};
constexpr std::size_t n_moment_kinds = 2;

/// Memories of contacts, found by key. A contact that was not near in the last substep has none,
/// nor has a contact of rigid bodies that did not press in the last two, unless the scheme uses its
/// gap.
template <int dim>
class ContactHistory {
public:
  /// Memories by ascending keys.
  std::vector<ContactMemory<dim>> memories;
  /// Slips by ascending keys, also of contacts that were not found in the last substep. Only of
  /// pairs whose friction depends on the slip.
  std::vector<ContactSlip> slips;
  /// Bonds by ascending keys, also of broken ones.
  std::vector<ContactBond<dim>> bonds;
  /// States by ascending keys, also of contacts that were not found in the last substep.
  std::vector<ContactState> states;
  /// Memories of the moments of each kind, by ascending keys of their contacts, with percussions in
  /// the rows of ContactMoment and without gaps.
  std::array<std::vector<ContactMemory<dim>>, n_moment_kinds> moments;

  /// Returns the memory of a contact; null if there is none.
  const ContactMemory<dim> *find(const ContactKey &key) const { return find_key(memories, key); }
  /// Returns the memory of a contact for modification; null if there is none.
  ContactMemory<dim> *find(const ContactKey &key) { return find_key(memories, key); }
};

} // namespace percussion
