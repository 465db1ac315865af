#include "flush_pieces.h"

#include "search.h"
#include <algorithm>
#include <limits>

namespace percussion {
namespace {

/// Fraction of the smaller body's size up to which faces count as flush and points as covered [1].
constexpr double flush_tolerance = 1e-6;
/// Angle up to which a contact has the normal of the continued face [rad].
constexpr double flush_normal = 1e-6;

/// Returns the height of the lowest of these points above a plane.
template <int dim>
double lowest_height(const FacePlane<dim> &plane, const std::vector<dealii::Point<dim>> &points) {
  double lowest = std::numeric_limits<double>::max();
  for (const dealii::Point<dim> &x : points)
    lowest = std::min(lowest, plane.normal * (x - plane.x));
  return lowest;
}

template <int dim>
double tolerance_of(const Search<dim> &search, unsigned int a, unsigned int b) {
  return flush_tolerance * std::min(search.boundary.sizes[a], search.boundary.sizes[b]);
}

} // namespace

template <int dim>
void FlushPieces<dim>::find(const Search<dim> &search) {
  const std::size_t n = search.bodies->poses.size();
  if (own_pieces.size() != n) {
    own_pieces.resize(n);
    neighbour_lists.resize(n);
    for (unsigned int b = 0; b < n; ++b) {
      for (unsigned int i = 0; i < n_pieces(search, b); ++i)
        for (unsigned int k = i + 1; k < n_pieces(search, b); ++k)
          add(search, {b, i}, {b, k}, tolerance_of(search, b, b));
      own_pieces[b].swap(neighbour_lists[b]);
    }
    filled.clear();
  }
  for (const unsigned int b : filled)
    neighbour_lists[b].clear();
  filled.clear();
  for (unsigned int b = 0; b < n; ++b)
    if (!own_pieces[b].empty() && search.is_present(b))
      add_own_pieces(search, b);
  for (const auto &[a, b] : search.memory.near_pairs)
    compare(search, a, b);
}

template <int dim>
void FlushPieces<dim>::add_own_pieces(const Search<dim> &search, unsigned int body) {
  filled.push_back(body);
  for (FlushNeighbour<dim> flush : own_pieces[body]) {
    flush.normal = face_planes(piece(search, body, flush.piece))[flush.face].normal;
    neighbour_lists[body].push_back(flush);
  }
}

/// Compares two bodies, if their boxes without margins touch.
template <int dim>
void FlushPieces<dim>::compare(const Search<dim> &search, unsigned int a, unsigned int b) {
  const double tolerance = tolerance_of(search, a, b);
  const auto &box_a = search.memory.boxes[a], &box_b = search.memory.boxes[b];
  const double margins = search.limits.margins[a] + search.limits.margins[b];
  for (unsigned int d = 0; d < dim; ++d)
    if (std::max(box_a.low[d] - box_b.high[d], box_b.low[d] - box_a.high[d]) + margins > tolerance)
      return;
  for (unsigned int i = 0; i < n_pieces(search, a); ++i)
    for (unsigned int k = 0; k < n_pieces(search, b); ++k)
      add(search, {a, i}, {b, k}, tolerance);
}

/// Adds each of two pieces to the neighbours of the other, for each pair of flush faces.
template <int dim>
void FlushPieces<dim>::add(const Search<dim> &search, PieceIndex a, PieceIndex b,
                           double tolerance) {
  const auto &first = piece(search, a.body, a.piece), &second = piece(search, b.body, b.piece);
  const FacePairs faces = flush_faces(first, second, tolerance);
  if (faces.empty())
    return;
  const FacePlanes<dim> first_planes = face_planes(first), second_planes = face_planes(second);
  for (const auto &[face, opposite_face] : faces) {
    neighbour_lists[a.body].push_back({a.piece, face, first_planes[face].normal, b});
    neighbour_lists[b.body].push_back(
        {b.piece, opposite_face, second_planes[opposite_face].normal, a});
  }
  filled.push_back(a.body);
  filled.push_back(b.body);
}

template <int dim>
void SeamsOfPair<dim>::add_continued_faces(bool is_first, const dealii::Point<dim> &foot,
                                           const dealii::Tensor<1, dim> &outward,
                                           FaceIndices &faces) const {
  if (is_first && node != nullptr)
    return;
  const PieceIndex piece_index = pieces[is_first ? 0 : 1],
                   opposite_piece = pieces[is_first ? 1 : 0];
  for (const FlushNeighbour<dim> &flush : search.memory.flush.neighbours(piece_index.body)) {
    if (flush.piece != piece_index.piece || outward * flush.normal < -flush_normal ||
        (outward - flush.normal).norm_square() <= flush_normal * flush_normal)
      continue;
    const double tolerance = tolerance_of(search, piece_index.body, flush.neighbour.body);
    const bool may_cover =
        node != nullptr ? may_touch(flush.neighbour.body)
                        : flush.neighbour.body != opposite_piece.body &&
                              (flush.neighbour.body == piece_index.body ||
                               search.admits_contact(opposite_piece.body, flush.neighbour.body));
    if (!may_cover || std::find(faces.begin(), faces.end(), flush.face) != faces.end())
      continue;
    const auto &vertices =
        node ? *node : vertices_of(search, opposite_piece.body, opposite_piece.piece);
    if (is_covered(flush, vertices, foot, outward, tolerance))
      faces.push_back(flush.face);
  }
}

/// True if the node may touch a body.
template <int dim>
bool SeamsOfPair<dim>::may_touch(unsigned int body) const {
  const auto &bodies = search.boundary.pairs[contact_pair].bodies_opposite_to_nodes();
  return std::binary_search(bodies.begin(), bodies.end(), body);
}

/// True if a neighbour covers the foot of a contact, and the opposite piece stands on the continued
/// face of the neighbour: of all faces of the neighbour, except faces against the contact's normal,
/// this one separates both most. A body that stands beside the neighbour and touches it at the
/// foot only does not.
template <int dim>
bool SeamsOfPair<dim>::is_covered(const FlushNeighbour<dim> &flush,
                                  const std::vector<dealii::Point<dim>> &opposite_vertices,
                                  const dealii::Point<dim> &foot,
                                  const dealii::Tensor<1, dim> &outward, double tolerance) const {
  constexpr double against = -0.5; // cosine
  const FacePlanes<dim> planes =
      face_planes(piece(search, flush.neighbour.body, flush.neighbour.piece));
  const FacePlane<dim> *continued = nullptr;
  for (const FacePlane<dim> &plane : planes) {
    if (plane.normal * (foot - plane.x) > tolerance)
      return false;
    if ((plane.normal - flush.normal).norm_square() <= 4. * flush_normal * flush_normal)
      continued = &plane;
  }
  if (continued == nullptr)
    return false;
  const double height = lowest_height(*continued, opposite_vertices);
  return std::none_of(planes.begin(), planes.end(), [&](const FacePlane<dim> &plane) {
    return &plane != continued && plane.normal * outward > against &&
           lowest_height(plane, opposite_vertices) > height;
  });
}

template class FlushPieces<2>;
template class FlushPieces<3>;
template class SeamsOfPair<2>;
template class SeamsOfPair<3>;

} // namespace percussion
