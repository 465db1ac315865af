#pragma once

#include <percussion/base/contact_status.h>
#include <percussion/contact/find.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace percussion {

/// What a contact remembers of the last part of a step.
template <int dim>
struct ContactMemory {
  ContactKey key;
  double gap = 0;                       ///< at the beginning of that part [length]
  std::array<double, dim> percussion{}; ///< in it: the next guess [impulse]
  ContactStatus status = ContactStatus::open;
  std::array<double, dim> earlier{}; ///< percussion in the part before
  ContactStatus earlier_status = ContactStatus::open;
  /// Gap at the end of the substep in which it began to press, while it presses [length].
  double closing_gap = 0;

  /// For an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key &gap &status &earlier_status &closing_gap;
    for (double &p : percussion)
      archive &p;
    for (double &p : earlier)
      archive &p;
  }
};

/// The memories of contacts, looked up by key: what was not near then has none.
template <int dim>
class ContactHistory {
public:
  /// By ascending keys.
  std::vector<ContactMemory<dim>> memories;

  /// What a contact remembers; null where it was not found in that part.
  const ContactMemory<dim> *find(const ContactKey &key) const {
    const auto found = std::lower_bound(
        memories.begin(), memories.end(), key,
        [](const ContactMemory<dim> &memory, const ContactKey &k) { return memory.key < k; });
    return found != memories.end() && found->key == key ? &*found : nullptr;
  }
  /// The same, to change.
  ContactMemory<dim> *find(const ContactKey &key) {
    return const_cast<ContactMemory<dim> *>(std::as_const(*this).find(key));
  }
};

} // namespace percussion
