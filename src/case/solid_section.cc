#include <percussion/base/format.h>
#include <percussion/body/attitude.h>
#include <percussion/input/read_surface.h>

#include "body_entries.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace percussion {

namespace {

/// Returns a box in place of a wrong shape, so that reading continues to report further errors.
ConvexShape unit_box() { return make_box({}, dealii::Tensor<1, 3>({1., 1., 1.})); }

/// Returns the polyhedron in a file; a unit box if the file is unfit, which is reported.
ConvexShape read_surface_mesh(const CaseInput &section, const std::string &entry) {
  try {
    ClosedSurface surface = read_surface(path_of_mesh(section.get(entry), section.file));
    if (const std::string reason = surface_problem(surface); !reason.empty())
      throw InputError("the surface bounds no solid: " + reason);
    if (solid_properties(surface).volume < 0)
      for (auto &face : surface.faces)
        std::reverse(face.begin(), face.end());
    if (!is_convex(surface))
      throw InputError("the surface is not convex: compose the body of convex pieces (Part of)");
    return convex_hull(surface.vertices);
  } catch (const InputError &error) {
    section.report(entry, error.what());
    return unit_box();
  }
}

/// Returns the length of the segment of a capsule, or the height of a cylinder.
double length_along_axis(const BodyEntries &entries, const std::string &kind) {
  return kind == "capsule" ? entries.positive("length", "Length")
                           : entries.positive("height", "Height");
}

/// Returns the box; a unit box if its corners lie on a line or in a plane, as far as their digits
/// say, which is reported.
ConvexShape read_box(const BodyEntries &entries) {
  const auto size = size_of_box(entries);
  try {
    return make_box({}, dealii::Tensor<1, 3>({size[0], size[1], size[2]}));
  } catch (const InputError &error) {
    const std::string reason =
        std::string("the lengths differ by too many digits: ") + error.what();
    if (entries.has(size_columns("box").front()))
      entries.refuse(reason);
    else
      entries.section.report("Size", reason);
    return unit_box();
  }
}

/// Returns the shape in its own coordinates, before rotation and placement.
ConvexShape read_solid_shape(const BodyEntries &entries, const std::string &kind) {
  if (kind == "sphere")
    return make_sphere({}, entries.positive("radius", "Radius"));
  if (kind == "capsule" || kind == "cylinder") {
    const double radius = entries.positive("radius", "Radius");
    const dealii::Point<3> end(0, 0, 0.5 * length_along_axis(entries, kind));
    return kind == "capsule" ? make_capsule(-end, end, radius) : make_cylinder(-end, end, radius);
  }
  if (kind == "box")
    return read_box(entries);
  const CaseInput &section = entries.section;
  const std::string entry = "Vertices", mesh = "Surface mesh";
  if (section.has(mesh)) {
    section.refuse_unused(entry, false, "with a Surface mesh");
    return read_surface_mesh(section, mesh);
  }
  const auto vertices = *to_points<3>(section.get(entry));
  try {
    const ConvexShape hull = convex_hull(vertices);
    if (hull.vertices.size() < vertices.size())
      throw InputError(std::to_string(vertices.size() - hull.vertices.size()) + " of the " +
                       std::to_string(vertices.size()) +
                       " vertices are no corners of the convex hull: the polyhedron would not be "
                       "convex");
    return hull;
  } catch (const InputError &error) {
    section.report(entry, error.what());
    return unit_box();
  }
}

/// Returns a shape at its position. Without rotation, coordinates keep all digits.
ConvexShape placed(const ConvexShape &shape, const dealii::Point<3> &origin,
                   const dealii::Tensor<2, 3> &rotation, bool turned,
                   const dealii::Point<3> &centre) {
  ConvexShape result = shape;
  for (auto &x : result.vertices)
    x = turned ? centre + rotation * (x - origin) : x + (centre - origin);
  for (auto &n : result.normals)
    if (turned)
      n = rotation * n;
  return result;
}

/// Returns the density, for a body that has this mass with the density 1; no value if there is
/// none, which is reported.
std::optional<double> read_density(const BodyEntries &entries, double unit_mass) {
  if (entries.has("density"))
    return entries.positive("density");
  if (entries.has("mass"))
    return entries.positive("mass") / unit_mass;
  const std::string entry = entry_of_mass(entries.section);
  if (entry.empty())
    return {};
  const double mass_or_density = entries.section.number(entry);
  return entry == "Density" ? mass_or_density : mass_or_density / unit_mass;
}

/// Returns the inertia about the centre of mass along the axes at the angle zero; no value if it is
/// not given, or not possible for any body, which is reported.
std::optional<dealii::SymmetricTensor<2, 3>> read_inertia(const CaseInput &section) {
  const std::string entry = "Inertia", centre = "Centre";
  if (!section.has(entry)) {
    if (section.has(centre))
      section.report(centre, "a body whose centre of mass is not the centre of its shape is not "
                             "homogeneous: give its Inertia, too");
    return {};
  }
  const auto values = section.parameters.get_double_list(section.path + entry);
  dealii::SymmetricTensor<2, 3> inertia;
  for (unsigned int d = 0; d < 3; ++d)
    inertia[d][d] = values[d];
  inertia[0][1] = values[3];
  inertia[0][2] = values[4];
  inertia[1][2] = values[5];
  const auto moments = eigenvalues(inertia); // in descending order
  constexpr double round_off = 1e-9;
  if (moments[2] > 0. && moments[0] <= (moments[1] + moments[2]) * (1. + round_off))
    return inertia;
  section.report(entry, format("its principal moments are %.6g, %.6g and %.6g; each must be "
                               "positive and at most the sum of the others",
                               moments[0], moments[1], moments[2]));
  return {};
}

} // namespace

Quaternion attitude_of_solid(const BodyEntries &entries) {
  if (!entries.has("qw")) {
    const double angle = entries.section.number("Angle");
    const auto axis = entries.section.vector<3>("Axis");
    return angle != 0 && axis.norm() > 0 ? quaternion(axis, angle) : Quaternion{1, 0, 0, 0};
  }
  Quaternion attitude;
  double square = 0;
  for (unsigned int k = 0; k < 4; ++k) {
    attitude[k] = entries.number(std::array<const char *, 4>{"qw", "qx", "qy", "qz"}[k]);
    square += attitude[k] * attitude[k];
  }
  if (!(square > 0))
    throw InputError("an attitude must not be the quaternion 0, 0, 0, 0");
  for (double &component : attitude)
    component /= std::sqrt(square);
  return attitude;
}

std::array<double, 3> size_of_box(const BodyEntries &entries) {
  const auto size = entries.section.vector<3>("Size");
  std::array<double, 3> lengths{size[0], size[1], size[2]};
  for (unsigned int k = 0; k < 3; ++k)
    if (const std::string column = size_columns("box")[k]; entries.has(column))
      lengths[k] = entries.positive(column);
  return lengths;
}

RigidBody<3> read_solid(const BodyEntries &entries) {
  const CaseInput &section = entries.section;
  const std::string kind = entries.shape();
  if (!entries.has("shape")) {
    section.refuse_idle_entries();
    if (section.vector<3>("Axis").norm() == 0)
      section.report("Axis", "the axis must not be zero");
  }
  const ConvexShape shape = read_solid_shape(entries, kind);
  const SolidProperties properties = solid_properties(shape);
  dealii::Point<3> origin = properties.centre;
  if (section.has("Centre"))
    origin += section.vector<3>("Centre");
  const dealii::Point<3> centre = read_centre(entries, origin);
  const Quaternion attitude = attitude_of_solid(entries);
  const dealii::Tensor<2, 3> rotation = rotation_matrix(attitude);
  RigidBody<3> body = solid_body(
      "", 1, {placed(shape, origin, rotation, attitude != Quaternion{1, 0, 0, 0}, centre)});
  body.centre = centre; // exact, without the rounding of the computed centre
  if (const auto density = read_density(entries, body.mass)) {
    body.mass *= *density;
    body.inertia *= *density;
  }
  if (const auto inertia = read_inertia(section))
    body.inertia = symmetrize(rotation * dealii::Tensor<2, 3>(*inertia) * transpose(rotation));
  return body;
}

} // namespace percussion
