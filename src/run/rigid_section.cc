#include <deal.II/base/utilities.h>

#include "parameter_sections.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Integer;
using dealii::Patterns::List;
using dealii::Patterns::PatternBase;
using dealii::Patterns::Selection;

namespace {

const std::string section = "Rigid bodies";

/// Matches what another pattern matches, and nothing.
class OrNothing : public PatternBase {
public:
  explicit OrNothing(const PatternBase &p) : pattern(p.clone()) {}

  bool match(const std::string &text) const override {
    return text.empty() || pattern->match(text);
  }
  std::string description(OutputStyle = Machine) const override {
    return plain_words(*pattern) + ", or nothing";
  }
  std::unique_ptr<PatternBase> clone() const override {
    return std::make_unique<OrNothing>(*pattern);
  }

private:
  std::unique_ptr<PatternBase> pattern;
};

std::optional<dealii::Point<2>> to_point(const std::string &text) {
  const auto words = dealii::Utilities::split_string_list(text, ',');
  dealii::Point<2> x;
  for (unsigned int d = 0; d < 2; ++d) {
    const auto number = words.size() == 2 ? to_number<double>(words[d]) : std::nullopt;
    if (!number)
      return {};
    x[d] = *number;
  }
  return x;
}

/// Nothing where the text is no "x, y; x, y; …".
std::optional<std::vector<dealii::Point<2>>> to_points(const std::string &text) {
  std::vector<dealii::Point<2>> points;
  for (const std::string &part : dealii::Utilities::split_string_list(text, ';')) {
    const auto x = to_point(part);
    if (!x)
      return {};
    points.push_back(*x);
  }
  return points;
}

class PointList : public PatternBase {
public:
  bool match(const std::string &text) const override { return to_points(text).has_value(); }
  std::string description(OutputStyle = Machine) const override {
    return "points x, y; x, y; ... or nothing";
  }
  std::unique_ptr<PatternBase> clone() const override { return std::make_unique<PointList>(); }
};

void declare_shape(ParameterDeclarations &declarations) {
  declarations.declare("Shape", "rectangle", Selection("rectangle|polygon|stick"),
                       "Shape of the body. A stick is a straight line along y at the angle zero "
                       "(AC24, section 5.1).");
  declarations.declare("Width", "1", PositiveDouble(),
                       "Size of a rectangle along x at the angle zero [L].");
  declarations.declare("Height", "1", PositiveDouble(),
                       "Size of a rectangle along y at the angle zero [L].");
  declarations.declare("Length", "1", PositiveDouble(), "Length of a stick [L].");
  declarations.declare("Vertices", "", PointList(),
                       "Vertices x, y; x, y; ... of a polygon at the angle zero, one after the "
                       "other around it [L]. A body that touches other bodies must be convex.");
  declarations.declare("Position", "", OrNothing(List(Double(), 2, 2)),
                       "Position x, y of the centre of mass at the start [L]. Nothing: of a "
                       "polygon where its vertices have it, else 0, 0.");
  declarations.declare("Angle", "0", Double(),
                       "Angle by which the body is turned at the start about its centre of mass, "
                       "counter-clockwise [rad].");
  declarations.declare("Contact points", "", PointList(),
                       "Points x, y; x, y; ... of the body that may touch rigid surfaces, relative "
                       "to the centre of mass at the angle zero [L]. Nothing: the vertices. Other "
                       "bodies are touched by the vertices in any case.");
}

void declare_mass(ParameterDeclarations &declarations) {
  declarations.declare("Density", "", OrNothing(PositiveDouble()),
                       "Mass per volume [M/L^3] of a homogeneous body, whose mass is density x "
                       "area x thickness. Nothing: give Mass.");
  declarations.declare("Thickness", "1", PositiveDouble(),
                       "Size out of the plane [L], with Density.");
  declarations.declare("Mass", "", OrNothing(PositiveDouble()), "Mass [M]. Nothing: give Density.");
  declarations.declare("Moment of inertia", "", OrNothing(PositiveDouble()),
                       "Moment of inertia about the centre of mass [M L^2]. Nothing: that of the "
                       "homogeneous shape with the body's mass.");
}

void declare_copies(ParameterDeclarations &declarations) {
  declarations.declare(
      "Copies", "1", Integer(1, 100000),
      "Number of bodies that are all alike, the first of them at Position. The copies of "
      "a body NAME are named NAME 1, NAME 2, ...; in contacts NAME stands for all "
      "of them.");
  declarations.declare("Offset", "0, 0", List(Double(), 2, 2),
                       "From one copy to the next: x, y [L].");
}

} // namespace

void declare_rigid_bodies(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, section);
  for (const auto &name : named_subsections(declarations, file, section, "<body>")) {
    const Subsection of_body(declarations, name);
    declare_shape(declarations);
    declare_mass(declarations);
    declare_rigid_motion(declarations);
    declare_copies(declarations);
  }
}

namespace {

/// A shape at the angle zero, counter-clockwise.
struct Shape {
  Outline outline;
  dealii::Point<2> centre; ///< of mass
};

void refuse_unused_of_shape(const CaseInput &input, const std::string &path,
                            const std::string &kind) {
  const std::string with = "with Shape = " + kind;
  input.refuse_unused(path + "Width", kind == "rectangle", with);
  input.refuse_unused(path + "Height", kind == "rectangle", with);
  input.refuse_unused(path + "Length", kind == "stick", with);
  input.refuse_unused(path + "Vertices", kind == "polygon", with);
}

Outline rectangle(double width, double height) {
  const double x = width / 2, y = height / 2;
  return {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}

/// Vertices that are no polygon are reported.
Shape read_polygon(const CaseInput &input, const std::string &entry) {
  Outline outline = *to_points(input.parameters.get(entry));
  const std::string problem =
      outline.empty() ? "vertices are needed for Shape = polygon" : polygon_problem(outline);
  if (!problem.empty()) {
    input.parameters.report(entry, problem, input.problems);
    return {rectangle(1, 1), {}}; // to go on to the next mistake
  }
  if (signed_area(outline) < 0)
    std::reverse(outline.begin(), outline.end());
  return {outline, shape_properties(outline).centre};
}

Shape read_shape(const CaseInput &input, const std::string &path) {
  const Parameters &parameters = input.parameters;
  const std::string kind = parameters.get(path + "Shape");
  refuse_unused_of_shape(input, path, kind);
  if (kind == "polygon")
    return read_polygon(input, path + "Vertices");
  if (kind == "stick") {
    const double half = parameters.get_double(path + "Length") / 2;
    return {{{0, -half}, {0, half}}, {}};
  }
  return {rectangle(parameters.get_double(path + "Width"), parameters.get_double(path + "Height")),
          {}};
}

/// The entry that gives the mass; empty where none can, which is reported.
std::string entry_of_mass(const CaseInput &input, const std::string &name) {
  const std::string path = section + "/" + name + "/";
  const bool has_density = !input.parameters.get(path + "Density").empty();
  const bool has_mass = !input.parameters.get(path + "Mass").empty();
  if (has_density && input.parameters.get(path + "Shape") == "stick")
    input.parameters.report(path + "Density", "a stick has no area; give its Mass", input.problems);
  else if (has_density && has_mass)
    input.parameters.report(path + "Mass", "this body has a Density already; give one of the two",
                            input.problems);
  else if (has_density)
    return path + "Density";
  else if (has_mass) {
    input.refuse_unused(path + "Thickness", false, "with Mass; it belongs to Density");
    return path + "Mass";
  } else
    input.report_idle(section + "/" + name, "its Mass or its Density is missing");
  return {};
}

void read_mass(const CaseInput &input, const std::string &name, const Shape &shape,
               RigidBody<2> &body) {
  const Parameters &parameters = input.parameters;
  const std::string path = section + "/" + name + "/", entry = entry_of_mass(input, name);
  const ShapeProperties of_shape = shape_properties(shape.outline);
  body.mass = body.inertia = 1; // to go on to the next mistake
  if (entry.empty())
    return;
  body.mass = parameters.get_double(entry);
  if (entry == path + "Density")
    body.mass *= of_shape.size * parameters.get_double(path + "Thickness");
  const std::string moment = path + "Moment of inertia";
  body.inertia = parameters.get(moment).empty()
                     ? body.mass * (of_shape.second_moment / of_shape.size)
                     : parameters.get_double(moment);
}

/// Where a point of the shape at the angle zero is at the start.
class Placement {
public:
  Placement(const dealii::Point<2> &shape_centre, const dealii::Point<2> &c, double angle)
      : centre(c), from(shape_centre), cosine(std::cos(angle)), sine(std::sin(angle)) {}

  dealii::Point<2> operator()(const dealii::Point<2> &x) const {
    if (sine == 0 && cosine == 1) // a polygon that is not moved keeps all digits of its vertices
      return x + (centre - from);
    const auto arm = x - from;
    return centre +
           dealii::Point<2>(cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]);
  }

  dealii::Point<2> centre;

private:
  dealii::Point<2> from;
  double cosine, sine;
};

Placement read_placement(const CaseInput &input, const std::string &path, const Shape &shape) {
  const std::string position = input.parameters.get(path + "Position");
  return {shape.centre, position.empty() ? shape.centre : *to_point(position),
          input.parameters.get_double(path + "Angle")};
}

/// One of the copies: all of it but the mass.
void place(const CaseInput &input, const std::string &path, const Shape &shape,
           const Placement &placement, RigidBody<2> &body) {
  body.centre = placement.centre;
  for (const auto &x : shape.outline)
    body.outline.push_back(placement(x));
  const auto offsets = to_points(input.parameters.get(path + "Contact points"));
  for (const auto &offset : *offsets)
    body.contact_points.push_back(placement(shape.centre + offset));
  if (body.contact_points.empty())
    body.contact_points = body.outline;
}

/// Let a name stand for some of the bodies; one that is taken or cannot be written is reported.
void add_name(const CaseInput &input, const std::string &subsection, const std::string &name,
              const std::vector<unsigned int> &bodies, RigidInput &rigid) {
  const auto report = [&](const std::string &why) {
    input.report_subsection(section + "/" + subsection, why);
  };
  if (name == "all")
    report("'all' stands for all bodies in contacts; choose another name");
  else if (name.find(',') != std::string::npos)
    report("a comma separates names in contacts; choose another name");
  else if (!rigid.names.insert({name, bodies}).second)
    report("another body has the name '" + name + "' already (copies of a body NAME are named " +
           "NAME 1, NAME 2, ...)");
}

unsigned int read_copies(const CaseInput &input, const std::string &path) {
  const auto n = static_cast<unsigned int>(input.parameters.get_integer(path + "Copies"));
  input.refuse_unused(path + "Offset", n > 1, "with Copies = 1");
  if (n > 1 && input.vector<2>(path + "Offset").norm() == 0)
    input.parameters.report(path + "Offset", "the copies would lie upon each other",
                            input.problems);
  return n;
}

void read_body(const CaseInput &input, const std::string &name, RigidInput &rigid) {
  const std::string path = section + "/" + name + "/";
  const Shape shape = read_shape(input, path);
  RigidBody<2> body;
  read_mass(input, name, shape, body);
  Placement placement = read_placement(input, path, shape);
  const dealii::Point<2> first = placement.centre;
  const auto offset = input.vector<2>(path + "Offset");
  const unsigned int n_copies = read_copies(input, path);
  std::vector<unsigned int> copies;
  for (unsigned int k = 0; k < n_copies; ++k) {
    copies.push_back(static_cast<unsigned int>(rigid.bodies.size()));
    rigid.bodies.push_back(body);
    rigid.bodies.back().name = n_copies > 1 ? name + " " + std::to_string(k + 1) : name;
    placement.centre = first + static_cast<double>(k) * offset;
    place(input, path, shape, placement, rigid.bodies.back());
    if (n_copies > 1)
      add_name(input, name, rigid.bodies.back().name, {copies.back()}, rigid);
  }
  add_name(input, name, name, copies, rigid);
  rigid.sections.emplace_back(name, std::move(copies));
}

} // namespace

RigidInput read_rigid_bodies(const CaseInput &input) {
  RigidInput rigid;
  for (const auto &name : input.subsections(section))
    read_body(input, name, rigid);
  return rigid;
}

} // namespace percussion
