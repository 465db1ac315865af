#pragma once

#include <tuple>

namespace percussion {

/// Names a contact from step to step, whatever else is near: a point on a surface (its number), a
/// point on a rigid body (both numbers), a vertex of one of two rigid bodies on the other (the
/// smaller and the larger number, and the vertex, the smaller body's first), a point on faces (its
/// number and that of their line or surface, whichever of the facets it slides to).
struct ContactKey {
  unsigned int pair = 0, first = 0, second = 0, feature = 0;

  std::tuple<unsigned int, unsigned int, unsigned int, unsigned int> tied() const {
    return {pair, first, second, feature};
  }
  bool operator<(const ContactKey &other) const { return tied() < other.tied(); }
  bool operator==(const ContactKey &other) const { return tied() == other.tied(); }

  /// For an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &pair &first &second &feature;
  }
};

} // namespace percussion
