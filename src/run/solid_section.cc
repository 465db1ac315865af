#include <percussion/body/attitude.h>
#include <percussion/input/read_surface.h>

#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;

bool is_solid(const std::string &shape) {
  return shape == "box" || shape == "polyhedron" || shape == "sphere";
}

void declare_solid(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string only = dimensions.plane ? " Only in 3D." : "";
  declarations.declare("Size", "1, 1, 1", List(PositiveDouble(), 3, 3),
                       "Size of a box along its axes x, y, z [L]." + only);
  declarations.declare("Surface mesh", "", Described("the name of a .obj or .stl file, or nothing"),
                       "File with the closed surface of a convex polyhedron, instead of its "
                       "vertices: polygons (Wavefront) or triangles (STL) [L]. A relative name "
                       "starts at the folder of this file." +
                           only);
  declarations.declare("Axis", "0, 0, 1", List(Double(), 3, 3),
                       "Direction x, y, z, of any length, of the axis of the rotation by Angle." +
                           only);
}

dealii::Tensor<2, 3> rotation_of_solid(const CaseInput &input, const std::string &path) {
  const double angle = input.parameters.get_double(path + "Angle");
  const auto axis = input.vector<3>(path + "Axis");
  return rotation_matrix(axis.norm() > 0 ? quaternion(axis, angle) : Quaternion{1, 0, 0, 0});
}

namespace {

void refuse_unused_of_solid(const CaseInput &input, const std::string &path,
                            const std::string &kind) {
  const std::string context = "with Shape = " + kind;
  input.refuse_unused(path + "Size", kind == "box", context);
  input.refuse_unused(path + "Radius", kind == "sphere", context);
  for (const std::string entry : {"Vertices", "Surface mesh"})
    input.refuse_unused(path + entry, kind == "polyhedron", context);
  if (input.vector<3>(path + "Axis").norm() == 0)
    input.parameters.report(path + "Axis", "the axis must not be zero", input.problems);
}

/// Returns a box in place of a wrong shape, so that reading continues to report further errors.
ConvexShape unit_box() { return make_box({}, dealii::Tensor<1, 3>({1., 1., 1.})); }

/// Returns the polyhedron in a file; a unit box if the file is unfit, which is reported.
ConvexShape read_surface_mesh(const CaseInput &input, const std::string &entry) {
  try {
    ClosedSurface surface = read_surface(path_of_mesh(input.parameters.get(entry), input.file));
    if (const std::string reason = surface_problem(surface); !reason.empty())
      throw InputError("the surface bounds no solid: " + reason);
    if (solid_properties(surface).volume < 0)
      for (auto &face : surface.faces)
        std::reverse(face.begin(), face.end());
    if (!is_convex(surface))
      throw InputError("the surface is not convex: compose the body of convex pieces (Part of)");
    return convex_hull(surface.vertices);
  } catch (const InputError &error) {
    input.parameters.report(entry, error.what(), input.problems);
    return unit_box();
  }
}

/// Returns the shape in its own coordinates, before rotation and placement.
ConvexShape read_solid_shape(const CaseInput &input, const std::string &path,
                             const std::string &kind) {
  if (kind == "sphere")
    return make_sphere({}, input.parameters.get_double(path + "Radius"));
  if (kind == "box")
    return make_box({}, input.vector<3>(path + "Size"));
  const std::string entry = path + "Vertices", mesh = path + "Surface mesh";
  if (!input.parameters.get(mesh).empty()) {
    input.refuse_unused(entry, false, "with a Surface mesh");
    return read_surface_mesh(input, mesh);
  }
  std::vector<dealii::Point<3>> vertices;
  for (const std::string &words :
       dealii::Utilities::split_string_list(input.parameters.get(entry), ';')) {
    const auto x =
        dealii::Utilities::string_to_double(dealii::Utilities::split_string_list(words, ','));
    vertices.emplace_back(x.at(0), x.at(1), x.at(2));
  }
  try {
    const ConvexShape hull = convex_hull(vertices);
    if (hull.vertices.size() < vertices.size())
      throw InputError(std::to_string(vertices.size() - hull.vertices.size()) + " of the " +
                       std::to_string(vertices.size()) +
                       " vertices are no corners of the convex hull: the polyhedron would not be "
                       "convex");
    return hull;
  } catch (const InputError &error) {
    input.parameters.report(entry, error.what(), input.problems);
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

} // namespace

RigidBody<3> read_solid(const CaseInput &input, const std::string &name) {
  const std::string path = rigid_section + "/" + name + "/";
  const std::string kind = input.parameters.get(path + "Shape");
  refuse_unused_of_solid(input, path, kind);
  const ConvexShape shape = read_solid_shape(input, path, kind);
  const SolidProperties properties = solid_properties(shape);
  const std::string position = input.parameters.get(path + "Position");
  const dealii::Point<3> centre =
      position.empty() ? properties.centre : dealii::Point<3>(input.vector<3>(path + "Position"));
  RigidBody<3> body =
      solid_body(name, 1,
                 {placed(shape, properties.centre, rotation_of_solid(input, path),
                         input.parameters.get_double(path + "Angle") != 0, centre)});
  body.centre = centre; // exact, without the rounding of the computed centre
  const std::string entry = entry_of_mass(input, name);
  if (entry.empty())
    return body;
  const double mass_or_density = input.parameters.get_double(entry);
  const double density = entry == path + "Density" ? mass_or_density : mass_or_density / body.mass;
  body.mass *= density;
  body.inertia *= density;
  return body;
}

} // namespace percussion
