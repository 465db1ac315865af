#include <percussion/base/nearest_name.h>

#include "body_entries.h"

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

namespace {

/// Returns the pattern of points, or nothing.
Described point_list(const Dimensions &dimensions) {
  const std::string x = dimensions.position();
  return Described("points " + x + "; " + x + "; ... or nothing", [=](const std::string &text) {
    return (dimensions.plane && to_points<2>(text)) || (dimensions.space && to_points<3>(text));
  });
}

void declare_solid(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string only = dimensions.plane ? " Only in 3D." : "";
  declarations.declare("Size", "1, 1, 1", List(PositiveDouble(), 3, 3),
                       "Size of a box along its axes x, y, z [L]." + only,
                       {"Shape", {"box"}, false, ""});
  declarations.declare(
      "Surface mesh", "", Described("the name of a .obj or .stl file, or nothing"),
      "Closed surface of a convex polyhedron, instead of its vertices: polygons (Wavefront) or "
      "triangles (STL) [L]. A relative name starts at the folder of this file." +
          only,
      {"Shape", {"polyhedron"}, false, ""});
  declarations.declare("Axis", "0, 0, 1", List(Double(), 3, 3),
                       "Direction x, y, z, of any length, of the axis of the rotation by Angle." +
                           only);
}

void declare_plane_shape(ParameterDeclarations &declarations) {
  declarations.declare("Width", "1", PositiveDouble(),
                       "Size of a rectangle along x at the angle zero [L].",
                       {"Shape", {"rectangle"}, false, ""});
  declarations.declare(
      "Contact points", "", point_list({true, false}),
      "Points x, y; x, y; ... of the body that may touch rigid surfaces, relative "
      "to the centre of mass at the angle zero [L]. Default: the vertices, which contacts "
      "with other bodies always use.",
      {"Shape", {"disc"}, true, ""});
}

/// Declares sizes of shapes of both dimensions.
void declare_sizes(ParameterDeclarations &declarations, Dimensions dimensions) {
  const auto described = [&](const std::string &plane_columns, const std::string &space_columns) {
    return dimensions.choose(plane_columns, space_columns) +
           (dimensions.plane && dimensions.space ? ", or " + space_columns : "");
  };
  declarations.declare("Height", "1", PositiveDouble(),
                       "Size " + described("of a rectangle along y", "of a cylinder along z") +
                           ", at the angle zero [L].",
                       {"Shape", {"rectangle", "cylinder"}, false, ""});
  declarations.declare("Length", "1", PositiveDouble(),
                       "Length " + described("of a stick", "of the segment in a capsule") + " [L].",
                       {"Shape", {"stick", "capsule"}, false, ""});
  declarations.declare("Radius", "1", PositiveDouble(),
                       "Radius " + described("of a disc", "of a sphere, capsule or cylinder") +
                           " [L].",
                       {"Shape", {"disc", "sphere", "capsule", "cylinder"}, false, ""});
}

void declare_shape(ParameterDeclarations &declarations, Dimensions dimensions) {
  std::vector<std::string> names = shapes(dimensions.plane ? 2 : 3);
  for (const std::string &name : shapes(3))
    if (dimensions.plane && dimensions.space)
      names.push_back(name);
  const std::string axes = "A capsule holds the points within its radius of a segment, a cylinder "
                           "has flat ends; the axis of both is z at the angle zero.";
  declarations.declare(
      "Shape", dimensions.choose("rectangle", "box"), Selection(joined(names, "|")),
      dimensions.plane
          ? "Shape of the body. A stick is a straight line along y at the angle zero (AC24, "
            "section 5.1). A box, polyhedron, sphere, capsule or cylinder makes the case "
            "three-dimensional. " +
                axes
          : "Shape of the body. " + axes);
  if (dimensions.plane)
    declare_plane_shape(declarations);
  declare_sizes(declarations, dimensions);
  if (dimensions.space)
    declare_solid(declarations, dimensions);
  declarations.declare(
      "Vertices", "", point_list(dimensions),
      !dimensions.plane
          ? "Vertices x, y, z; x, y, z; ... of a convex polyhedron at the angle zero, in any "
            "order [L]."
          : std::string("Vertices x, y; x, y; ... of a polygon at the angle zero, in order "
                        "around it [L]. A body that touches other bodies must be convex.") +
                (dimensions.space
                     ? " In 3D: vertices x, y, z; x, y, z; ... of a convex polyhedron, in any "
                       "order."
                     : ""),
      {"Shape", {"polygon", "polyhedron"}, false, ""});
  declarations.declare("Position", "", OrNothing(dimensions.vector()),
                       "Position " + dimensions.position() +
                           " of the centre of mass at the start [L]. Default: the centre of "
                           "mass of a " +
                           dimensions.choose("polygon", "polyhedron") +
                           " as given by its vertices, else " +
                           dimensions.choose("0, 0.", "0, 0, 0."));
  declarations.declare("Angle", "0", Double(),
                       std::string("Angle of the initial rotation of the body about its centre "
                                   "of mass") +
                           (dimensions.plane ? ", counter-clockwise" : " and Axis") + " [rad].");
}

void declare_mass(ParameterDeclarations &declarations, Dimensions dimensions) {
  declarations.declare("Density", "", OrNothing(PositiveDouble()),
                       std::string("Mass per volume [M/L^3] of a homogeneous body") +
                           (dimensions.plane ? ", whose mass is density x area x thickness" : "") +
                           ". Give Density or Mass.");
  if (dimensions.plane)
    declarations.declare("Thickness", "1", PositiveDouble(),
                         "Out-of-plane size [L], for bodies with Density.");
  declarations.declare("Mass", "", OrNothing(PositiveDouble()), "Mass [M]. Give Density or Mass.");
  if (dimensions.plane)
    declarations.declare(
        "Moment of inertia", "", OrNothing(PositiveDouble()),
        "Moment of inertia about the centre of mass [M L^2]. Default: the moment of the "
        "homogeneous shape.");
  if (!dimensions.space)
    return;
  const std::string only = dimensions.plane ? " Only in 3D." : "";
  declarations.declare("Inertia", "", OrNothing(List(Double(), 6, 6)),
                       "Inertia Ixx, Iyy, Izz, Ixy, Ixz, Iyz about the centre of mass, along the "
                       "axes at the angle zero [M L^2], as in a URDF file: Ixy = -sum of m x y. "
                       "Default: the inertia of the homogeneous shape." +
                           only);
  declarations.declare("Centre", "", OrNothing(List(Double(), 3, 3)),
                       "Centre of mass x, y, z relative to the centre of the shape, at the angle "
                       "zero [L]; it requires Inertia. Default: the centre of the homogeneous "
                       "shape." +
                           only);
}

void declare_copies(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string zero = dimensions.choose("0, 0", "0, 0, 0");
  const std::string offset =
      "Offset from one copy, course or repetition to the next: " + dimensions.position() + " [L].";
  declarations.declare("Copies", "1", Integer(1, 100000),
                       "Number of identical bodies, the first at Position: NAME 1, NAME 2, ...; in "
                       "contacts NAME denotes all copies.");
  declarations.declare("Offset", zero, dimensions.vector(), offset);
  declarations.declare("Turn", "0", Double(),
                       std::string("Angle from one copy to the next, about Turn centre") +
                           (!dimensions.plane  ? " and Turn axis"
                            : dimensions.space ? ", counter-clockwise, in 3D about Turn axis"
                                               : ", counter-clockwise") +
                           " [rad]. Offset is added. Velocities are not rotated.");
  declarations.declare("Turn centre", zero, dimensions.vector(),
                       "Centre of the rotation by Turn: " + dimensions.position() + " [L].");
  if (dimensions.space)
    declarations.declare("Turn axis", "0, 1, 0", List(Double(), 3, 3),
                         std::string("Direction x, y, z, of any length, of the axis of Turn.") +
                             (dimensions.plane ? " Only in 3D." : ""));
  declarations.declare("Courses", "1", Integer(1, 100000),
                       "Number of courses of all copies, as of a wall.");
  declarations.declare("Course offset", zero, dimensions.vector(), offset);
  declarations.declare("Fewer in each course", "0", Integer(0, 100000),
                       "Number of copies by which each course is shorter than the previous one.");
  declarations.declare("Alternate shift", zero, dimensions.vector(),
                       "Additional shift of every second course: " + dimensions.position() +
                           " [L].");
  declarations.declare("Repetitions", "1", Integer(1, 100000),
                       "Number of times that all courses occur.");
  declarations.declare("Repetition offset", zero, dimensions.vector(), offset);
}

void declare_body_table(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string plane_columns =
                        "x, y; angle [rad]; vx, vy, omega; radius; width, height; length",
                    space_columns =
                        "x, y, z; qw, qx, qy, qz (a quaternion); vx, vy, vz; wx, wy, wz "
                        "about the body's axes; radius; length; height; size_x, size_y, "
                        "size_z";
  declarations.declare(
      "File", "", Described("the name of a .csv file, or nothing"),
      "Table of bodies with a header: each row makes one body. Columns: " +
          (!dimensions.space   ? plane_columns
           : !dimensions.plane ? space_columns
                               : plane_columns + "; in 3D " + space_columns) +
          "; shape; density or mass. Only the position is required; the entries of this section "
          "replace missing columns and empty words. Bodies are named NAME 1, NAME 2, ... A "
          "relative name starts at the folder of this file. Default: one body, or its Copies.");
}

} // namespace

void declare_rigid_bodies(ParameterDeclarations &declarations, const ParameterFile *file,
                          Dimensions dimensions) {
  const Subsection subsection(declarations, rigid_section);
  for (const auto &name : named_subsections(declarations, file, rigid_section, "<body>")) {
    const Subsection body_section(declarations, name);
    declare_shape(declarations, dimensions);
    declare_mass(declarations, dimensions);
    declare_rigid_motion(declarations, dimensions);
    declarations.declare(
        "Part of", "", Described("the name of another rigid body, or nothing"),
        "Body to which this shape, with its copies, is welded, so that bodies need not be convex. "
        "Overlapping masses count twice. Default: a separate body.");
    declare_copies(declarations, dimensions);
    declare_body_table(declarations, dimensions);
  }
}

} // namespace percussion
