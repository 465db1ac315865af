#include "body_entries.h"

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Selection;

namespace {

/// Returns the pattern of points, or nothing.
Described point_list(const Dimensions &dimensions) {
  const std::string x = dimensions.position();
  return Described("points " + x + "; " + x + "; ... or nothing", [=](const std::string &text) {
    return (dimensions.plane && to_points<2>(text)) || (dimensions.space && to_points<3>(text));
  });
}

void declare_plane_shape(ParameterDeclarations &declarations) {
  const UsedIf if_rectangle = {"Shape", {"rectangle"}, false, ""};
  declarations.declare("Width", "1", PositiveDouble(),
                       "Size of a rectangle along x at the angle zero [L].", if_rectangle);
  declarations.declare("Height", "1", PositiveDouble(),
                       "Size of a rectangle along y at the angle zero [L].", if_rectangle);
  declarations.declare("Length", "1", PositiveDouble(), "Length of a stick [L].",
                       {"Shape", {"stick"}, false, ""});
  declarations.declare("Contact points", "", point_list({true, false}),
                       "Points x, y; x, y; ... of the body that may touch rigid surfaces, "
                       "relative to the centre of mass at the angle zero [L]. Default: the "
                       "vertices. Contacts with other bodies always use the vertices.",
                       {"Shape", {"disc"}, true, ""});
}

void declare_shape(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string in_plane = "rectangle|polygon|stick|disc", in_space = "box|polyhedron|sphere";
  declarations.declare(
      "Shape", dimensions.choose("rectangle", "box"),
      Selection(!dimensions.space   ? in_plane
                : !dimensions.plane ? in_space
                                    : in_plane + "|" + in_space),
      dimensions.plane
          ? "Shape of the body. A stick is a straight line along y at the angle zero (AC24, "
            "section 5.1). A box, a polyhedron or a sphere makes the case three-dimensional."
          : "Shape of the body.");
  if (dimensions.plane)
    declare_plane_shape(declarations);
  declarations.declare("Radius", "1", PositiveDouble(),
                       std::string("Radius of a ") + (!dimensions.space   ? "disc [L]."
                                                      : !dimensions.plane ? "sphere [L]."
                                                                          : "disc or sphere [L]."),
                       {"Shape", {"disc", "sphere"}, false, ""});
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
    declarations.declare("Moment of inertia", "", OrNothing(PositiveDouble()),
                         "Moment of inertia about the centre of mass [M L^2]. Default: the "
                         "moment of the homogeneous shape with the body's mass.");
}

} // namespace

void declare_rigid_bodies(ParameterDeclarations &declarations, const ParameterFile *file,
                          Dimensions dimensions) {
  const Subsection subsection(declarations, rigid_section);
  for (const auto &name : named_subsections(declarations, file, rigid_section, "<body>")) {
    const Subsection of_body(declarations, name);
    declare_shape(declarations, dimensions);
    declare_mass(declarations, dimensions);
    declare_rigid_motion(declarations, dimensions);
    declarations.declare("Part of", "", Described("the name of another rigid body, or nothing"),
                         "Body to which this shape is welded. The shape adds its mass and "
                         "moment of inertia, so that bodies need not be convex. Overlapping "
                         "masses count twice. Copies of the shape are welded, too. Default: a "
                         "separate body.");
    declare_copies(declarations, dimensions);
    declare_body_table(declarations, dimensions);
  }
}

} // namespace percussion
