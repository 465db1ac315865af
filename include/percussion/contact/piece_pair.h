#pragma once

#include <percussion/contact/contact_key.h>

#include <deal.II/base/point.h>

#include <boost/container/small_vector.hpp>
#include <utility>

namespace percussion {

/// Indices of faces of a convex piece; in 2D, of edges.
using FaceIndices = boost::container::small_vector<unsigned int, 4>;

/// Plane of a face of a convex piece; in 2D, line of an edge.
template <int dim>
struct FacePlane {
  dealii::Tensor<1, dim> normal; ///< outward unit normal
  dealii::Point<dim> x;          ///< point on the plane
};
/// Planes of all faces of a piece.
template <int dim>
using FacePlanes = boost::container::small_vector<FacePlane<dim>, 8>;

/// Pairs of faces of two pieces.
using FacePairs = boost::container::small_vector<std::pair<unsigned int, unsigned int>, 4>;

/// Direction in which two convex pieces, or a node and a body, were apart or overlapped in one
/// configuration. If they overlap in the next one, they are separated on this side: contacts are
/// kept by the side on which pieces entered each other.
template <int dim>
struct EntryDirection {
  ContactKey key;                   ///< key of the first contact of both that may exist
  dealii::Tensor<1, dim> direction; ///< unit vector from the second to the first
  bool overlapping = false;         ///< true if they overlapped

  /// Reads or writes an archive of Boost.Serialization.
  template <class Archive>
  void serialize(Archive &archive, unsigned int) {
    archive &key;
    for (unsigned int d = 0; d < dim; ++d)
      archive &direction[d];
    archive &overlapping;
  }
};

/// Test if contacts of two convex pieces are at a seam: at a point of one piece that a flush
/// neighbour covers, in a direction in which the surface of both is not convex there. A flush
/// neighbour is another piece, of any body, that touches the piece and continues one of its faces
/// in the same plane.
template <int dim>
class SeamTest {
public:
  virtual ~SeamTest() = default;

  /// Adds the faces of the first or second piece that flush neighbours continue and that replace
  /// the face at a contact, whose foot is `foot` and whose normal points out of this piece. Adds no
  /// face if the contact is not at a seam.
  virtual void add_continued_faces(bool is_first, const dealii::Point<dim> &foot,
                                   const dealii::Tensor<1, dim> &outward,
                                   FaceIndices &faces) const = 0;
};

/// Data on two convex pieces beyond their positions. Both pointers may be null.
template <int dim>
struct PairGuide {
  /// Direction from the second to the first piece in the configuration before.
  const EntryDirection<dim> *entry = nullptr;
  const SeamTest<dim> *seams = nullptr;

  /// True if the pieces overlapped in the configuration before. If all axes that separate them now
  /// point to the far side, they have gone through each other and count as overlapping still.
  bool was_overlapping() const { return entry != nullptr && entry->overlapping; }

  /// True if overlapping pieces may be separated along this unit vector: it does not point to the
  /// far side of the one on which they entered each other. Perpendicular directions are admitted,
  /// so that a piece beside a slightly lower one may come to lie on it.
  bool admits(const dealii::Tensor<1, dim> &normal) const {
    constexpr double least_cosine = -0.1;
    return entry == nullptr || entry->direction * normal > least_cosine;
  }
};

} // namespace percussion
