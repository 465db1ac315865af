#include <percussion/base/error.h>
#include <percussion/body/polyhedron.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace percussion {
namespace {

using SpacePoint = dealii::Point<3>;
using SpaceVector = dealii::Tensor<1, 3>;
using Face = std::vector<unsigned int>;

/// Relative tolerance, times the extent, for points of one plane.
constexpr double flat = 1e-9;

double extent(const std::vector<SpacePoint> &points) {
  double largest = 0;
  for (const SpacePoint &x : points)
    largest = std::max(largest, x.distance(points[0]));
  return largest;
}

/// Returns twice the area of a polygon times its normal.
SpaceVector twice_area(const std::vector<SpacePoint> &x, const Face &face) {
  SpaceVector sum;
  for (std::size_t i = 2; i < face.size(); ++i)
    sum += cross_product_3d(x[face[i - 1]] - x[face[0]], x[face[i]] - x[face[0]]);
  return sum;
}

/// Convex hull by gift wrapping: a plane is turned about each edge of the known faces until it
/// meets a point; the new face has all points of this plane.
class Hull {
public:
  explicit Hull(const std::vector<SpacePoint> &p) : points(p), tolerance(flat * extent(p)) {}

  std::vector<Face> faces() {
    const auto [a, b] = first_edge();
    std::set<std::pair<unsigned int, unsigned int>> completed;
    std::vector<std::pair<unsigned int, unsigned int>> open{{a, b}};
    std::vector<Face> all;
    while (!open.empty()) {
      const auto edge = open.back();
      open.pop_back();
      if (completed.count(edge) != 0)
        continue;
      Face face = polygon(normal_beside(edge.first, edge.second), edge.first);
      for (std::size_t i = 0; i < face.size(); ++i) {
        const unsigned int begin = face[i], end = face[(i + 1) % face.size()];
        if (!completed.insert({begin, end}).second)
          throw InputError("the vertices are too close to each other, or to planes of other "
                           "vertices, for a convex polyhedron");
        open.emplace_back(end, begin);
      }
      all.push_back(std::move(face));
    }
    return all;
  }

private:
  /// Returns a corner of the polygon in the lowest supporting plane, and the next corner.
  std::pair<unsigned int, unsigned int> first_edge() const {
    const auto lowest = static_cast<unsigned int>(
        std::min_element(points.begin(), points.end(),
                         [](const SpacePoint &x, const SpacePoint &y) {
                           return std::lexicographical_compare(x.begin_raw(), x.end_raw(),
                                                               y.begin_raw(), y.end_raw());
                         }) -
        points.begin());
    for (unsigned int j = 0; j < points.size(); ++j)
      for (unsigned int k = 0; k < points.size(); ++k) {
        const SpaceVector n =
            cross_product_3d(points[j] - points[lowest], points[k] - points[lowest]);
        if (n.norm() <= tolerance * points[j].distance(points[lowest]) ||
            n.norm() <= tolerance * points[k].distance(points[lowest]))
          continue;
        const SpaceVector normal = n / n.norm();
        if (std::all_of(points.begin(), points.end(), [&](const SpacePoint &x) {
              return normal * (x - points[lowest]) <= tolerance;
            })) {
          const Face face = polygon(normal, lowest);
          return {face[0], face[1]};
        }
      }
    throw InputError("the vertices lie on one line");
  }

  /// Returns the normal of the face to the left of an edge.
  SpaceVector normal_beside(unsigned int a, unsigned int b) const {
    const SpaceVector edge_vector = points[b] - points[a];
    SpaceVector normal;
    bool found = false;
    for (const SpacePoint &x : points) {
      const SpaceVector n = cross_product_3d(edge_vector, x - points[a]);
      if (n.norm() <= tolerance * edge_vector.norm() ||
          (found && normal * (x - points[a]) <= tolerance))
        continue;
      normal = n / n.norm();
      found = true;
    }
    return normal;
  }

  /// Returns the corners of the polygon in which a plane touches the hull, counter-clockwise
  /// (Andrew's monotone chain).
  Face polygon(const SpaceVector &normal, unsigned int plane_point) const {
    const unsigned int steepest = static_cast<unsigned int>(
        std::max_element(normal.begin_raw(), normal.end_raw(),
                         [](double x, double y) { return std::abs(x) < std::abs(y); }) -
        normal.begin_raw());
    SpaceVector axis;
    axis[(steepest + 1) % 3] = 1;
    const SpaceVector e1 = cross_product_3d(axis, normal) / cross_product_3d(axis, normal).norm();
    const SpaceVector e2 = cross_product_3d(normal, e1);
    struct Placed {
      double x, y;
      unsigned int number;
    };
    std::vector<Placed> members;
    for (unsigned int i = 0; i < points.size(); ++i)
      if (const SpaceVector arm = points[i] - points[plane_point];
          std::abs(normal * arm) <= tolerance)
        members.push_back({e1 * arm, e2 * arm, i});
    std::sort(members.begin(), members.end(), [](const Placed &a, const Placed &b) {
      return std::tie(a.x, a.y) < std::tie(b.x, b.y);
    });
    const auto turns_left = [&](const Placed &a, const Placed &b, const Placed &c) {
      const double cross = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      return cross > tolerance * std::hypot(c.x - a.x, c.y - a.y);
    };
    std::vector<Placed> chain;
    for (const bool upper : {false, true}) {
      const std::size_t begin = chain.size();
      for (const Placed &next : members) {
        while (chain.size() >= begin + 2 &&
               !turns_left(chain[chain.size() - 2], chain.back(), next))
          chain.pop_back();
        chain.push_back(next);
      }
      chain.pop_back();
      if (!upper)
        std::reverse(members.begin(), members.end());
    }
    Face face;
    for (const Placed &corner : chain)
      face.push_back(corner.number);
    return face;
  }

  const std::vector<SpacePoint> &points;
  double tolerance;
};

/// Computes normals, edges and sides.
void complete(ConvexShape &shape) {
  std::map<std::pair<unsigned int, unsigned int>, unsigned int> face_of;
  for (unsigned int f = 0; f < shape.faces.size(); ++f) {
    const Face &face = shape.faces[f];
    const SpaceVector n = twice_area(shape.vertices, face);
    shape.normals.push_back(n / n.norm());
    for (std::size_t i = 0; i < face.size(); ++i)
      face_of[{face[i], face[(i + 1) % face.size()]}] = f;
  }
  shape.sides.resize(shape.faces.size());
  for (unsigned int f = 0; f < shape.faces.size(); ++f)
    shape.sides[f].resize(shape.faces[f].size());
  const auto set_side = [&](unsigned int f, unsigned int begin, unsigned int number) {
    const Face &face = shape.faces[f];
    const auto position = std::find(face.begin(), face.end(), begin) - face.begin();
    shape.sides[f][static_cast<std::size_t>(position)] = number;
  };
  for (const auto &[edge, left_face] : face_of)
    if (edge.first < edge.second) {
      const unsigned int right = face_of.at({edge.second, edge.first});
      const auto number = static_cast<unsigned int>(shape.edges.size());
      shape.edges.push_back({edge.first, edge.second, left_face, right});
      set_side(left_face, edge.first, number);
      set_side(right, edge.second, number);
    }
}

} // namespace

ConvexShape convex_hull(const std::vector<SpacePoint> &points) {
  if (points.size() < 4)
    throw InputError("a polyhedron needs at least four vertices, not " +
                     std::to_string(points.size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    if (!std::isfinite(points[i].norm_square()))
      throw InputError("the coordinates of vertex " + std::to_string(i + 1) + " are not finite");
  ConvexShape shape;
  shape.faces = Hull(points).faces();
  std::vector<int> number(points.size(), -1);
  for (const Face &face : shape.faces)
    for (const unsigned int v : face)
      number[v] = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (number[i] == 0) {
      number[i] = static_cast<int>(shape.vertices.size());
      shape.vertices.push_back(points[i]);
    }
  for (Face &face : shape.faces)
    for (unsigned int &v : face)
      v = static_cast<unsigned int>(number[v]);
  if (shape.faces.size() < 4)
    throw InputError("the vertices lie in one plane");
  complete(shape);
  return shape;
}

ConvexShape make_box(const SpacePoint &centre, const SpaceVector &lengths) {
  std::vector<SpacePoint> corners;
  for (unsigned int i = 0; i < 8; ++i) {
    SpaceVector arm;
    for (unsigned int d = 0; d < 3; ++d)
      arm[d] = ((i >> d & 1) != 0 ? 0.5 : -0.5) * lengths[d];
    corners.push_back(centre + arm);
  }
  return convex_hull(corners);
}

ConvexShape make_sphere(const SpacePoint &centre, double radius) {
  ConvexShape shape;
  shape.vertices = {centre};
  shape.radius = radius;
  return shape;
}

ConvexShape make_capsule(const SpacePoint &begin, const SpacePoint &end, double radius) {
  ConvexShape shape;
  shape.vertices = {begin, end};
  shape.radius = radius;
  return shape;
}

ConvexShape make_cylinder(const SpacePoint &begin, const SpacePoint &end, double radius) {
  ConvexShape shape = make_capsule(begin, end, radius);
  shape.has_flat_ends = true;
  return shape;
}

std::string surface_problem(const ClosedSurface &surface) {
  std::map<std::pair<unsigned int, unsigned int>, int> edges;
  for (const Face &face : surface.faces)
    for (std::size_t i = 0; i < face.size(); ++i)
      ++edges[{face[i], face[(i + 1) % face.size()]}];
  for (const auto &[edge, times] : edges) {
    const auto reverse = edges.find({edge.second, edge.first});
    if (times != 1 || reverse == edges.end())
      return "the edge between the vertices " + std::to_string(edge.first + 1) + " and " +
             std::to_string(edge.second + 1) +
             " does not belong to two faces with opposite directions";
  }
  const double size = surface.vertices.empty() ? 0. : extent(surface.vertices);
  if (!(std::abs(solid_properties(surface).volume) > flat * size * size * size))
    return "it has no volume";
  return {};
}

bool is_convex(const ClosedSurface &surface) {
  const double tolerance = flat * extent(surface.vertices);
  return std::all_of(surface.faces.begin(), surface.faces.end(), [&](const Face &face) {
    const SpaceVector twice = twice_area(surface.vertices, face);
    const SpaceVector normal = twice / twice.norm();
    return std::all_of(surface.vertices.begin(), surface.vertices.end(), [&](const SpacePoint &x) {
      return normal * (x - surface.vertices[face[0]]) <= tolerance;
    });
  });
}

SolidProperties &SolidProperties::operator+=(const SolidProperties &axis) {
  if (volume == 0)
    return *this = axis;
  const SpaceVector apart = axis.centre - centre;
  const double total_volume = volume + axis.volume;
  second_moment += axis.second_moment +
                   volume * axis.volume / total_volume * symmetrize(outer_product(apart, apart));
  centre += axis.volume / total_volume * apart;
  volume = total_volume;
  return *this;
}

/// Sums over the tetrahedra formed by the first vertex and the triangles of the faces.
SolidProperties solid_properties(const ClosedSurface &surface) {
  SolidProperties sum;
  if (surface.vertices.empty())
    return sum;
  const SpacePoint &origin = surface.vertices[0];
  SpaceVector first_moment;
  for (const Face &face : surface.faces)
    for (std::size_t i = 2; i < face.size(); ++i) {
      const SpaceVector a = surface.vertices[face[0]] - origin,
                        b = surface.vertices[face[i - 1]] - origin,
                        c = surface.vertices[face[i]] - origin, s = a + b + c;
      const double volume = a * cross_product_3d(b, c) / 6;
      sum.volume += volume;
      first_moment += volume / 4 * s;
      for (const SpaceVector &x : {a, b, c, s})
        sum.second_moment += volume / 20 * symmetrize(outer_product(x, x));
    }
  const SpaceVector centre = first_moment / sum.volume;
  sum.second_moment -= sum.volume * symmetrize(outer_product(centre, centre));
  sum.centre = origin + centre;
  return sum;
}

namespace {

/// Returns the properties of a cylinder and of the hemispheres of a capsule. A hemisphere of volume
/// V has the first moment 3/8 V r and the second moments V r²/5 about the plane of its circle.
SolidProperties round_properties(const ConvexShape &shape) {
  const SpacePoint &begin = shape.vertices.front(), &end = shape.vertices.back();
  const SpaceVector segment = end - begin;
  const double r = shape.radius, pi = std::acos(-1.), length = segment.norm();
  const double cylinder = pi * r * r * length,
               ball = shape.has_flat_ends ? 0. : 4. / 3 * pi * r * r * r;
  const double radial_moment = cylinder * r * r / 4 + ball * r * r / 5;
  const double axial_moment = cylinder * length * length / 12 +
                              ball * (r * r / 5 + 3. / 8 * r * length + length * length / 4);
  SolidProperties solid;
  solid.volume = cylinder + ball;
  solid.centre = begin + 0.5 * segment;
  solid.second_moment = radial_moment * dealii::unit_symmetric_tensor<3>();
  if (length > 0.)
    solid.second_moment += (axial_moment - radial_moment) / (length * length) *
                           symmetrize(outer_product(segment, segment));
  return solid;
}

} // namespace

SolidProperties solid_properties(const ConvexShape &shape) {
  return shape.is_round() ? round_properties(shape)
                          : solid_properties(static_cast<const ClosedSurface &>(shape));
}

} // namespace percussion
