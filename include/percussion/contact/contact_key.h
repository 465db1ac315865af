#pragma once

#include <algorithm>
#include <tuple>

namespace percussion {

/// Key that identifies a contact from step to step, independently of other contacts. It holds the
/// index of the pair and, for a point on a surface, the index of the point; for a point on a rigid
/// body, the indices of point and body; for two rigid bodies, the smaller and the larger index of
/// the bodies and the feature (vertices of the first body, then of the second; in 3D also pairs of
/// edges); for a point on faces, the indices of the point and of the line or surface of facets, on
/// which it may slide from facet to facet.
struct ContactKey {
  unsigned int pair = 0, first = 0, second = 0, feature = 0;

  std::tuple<unsigned int, unsigned int, unsigned int, unsigned int> tied() const {
    return {pair, first, second, feature};
  }
  bool operator<(const ContactKey &key) const { return tied() < key.tied(); }
  bool operator==(const ContactKey &key) const { return tied() == key.tied(); }

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &pair &first &second &feature;
  }
};

/// Returns an iterator to the first entry whose key is not less than this one, in a list with
/// ascending keys.
template <typename List>
auto first_from(List &list, const ContactKey &key) {
  return std::lower_bound(list.begin(), list.end(), key,
                          [](const auto &entry, const ContactKey &k) { return entry.key < k; });
}

/// Returns the entry with this key of a list with ascending keys; null if there is none.
template <typename List>
auto *find_key(List &list, const ContactKey &key) {
  const auto found = first_from(list, key);
  return found != list.end() && found->key == key ? &*found : nullptr;
}

} // namespace percussion
