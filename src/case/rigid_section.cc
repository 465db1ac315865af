#include <percussion/base/checksum.h>
#include <percussion/base/nearest_name.h>

#include "body_entries.h"
#include "points_in_text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace percussion {
namespace {

/// Shape at the angle zero, with counter-clockwise vertices.
struct Shape {
  Outline outline;
  dealii::Point<2> centre; ///< centre of mass
  double radius = 0;       ///< radius of a disc

  ShapeProperties properties() const {
    return radius > 0 ? disc_properties(centre, radius) : shape_properties(outline);
  }
};

Outline rectangle(double width, double height) {
  const double x = width / 2, y = height / 2;
  return {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
}

/// Returns a polygon; reports vertices that form none.
Shape read_polygon(const CaseInput &input, const std::string &entry) {
  Outline outline = *to_points<2>(input.parameters.get(entry));
  const std::string problem =
      outline.empty() ? "vertices are needed for Shape = polygon" : polygon_problem(outline);
  if (!problem.empty()) {
    input.report(entry, problem);
    return {rectangle(1, 1), {}, 0}; // reading continues to report further errors
  }
  if (signed_area(outline) < 0)
    std::reverse(outline.begin(), outline.end());
  return {outline, shape_properties(outline).centre, 0};
}

Shape read_shape(const BodyEntries &entries) {
  const std::string kind = entries.shape();
  if (!entries.has("shape"))
    entries.input.refuse_idle_entries(entries.path.substr(0, entries.path.size() - 1));
  if (kind == "polygon")
    return read_polygon(entries.input, entries.path + "Vertices");
  if (kind == "stick") {
    const double half = entries.positive("length", "Length") / 2;
    return {{{0, -half}, {0, half}}, {}, 0};
  }
  if (kind == "disc")
    return {{{0, 0}}, {}, entries.positive("radius", "Radius")};
  return {
      rectangle(entries.positive("width", "Width"), entries.positive("height", "Height")), {}, 0};
}

} // namespace

std::string entry_of_mass(const CaseInput &input, const std::string &name) {
  const std::string path = rigid_section + "/" + name + "/";
  const bool has_density = !input.parameters.get(path + "Density").empty();
  const bool has_mass = !input.parameters.get(path + "Mass").empty();
  if (has_density && input.parameters.get(path + "Shape") == "stick")
    input.report(path + "Density", "a stick has no area; give its Mass");
  else if (has_density && has_mass)
    input.report(path + "Mass", "this body has a Density already; give either Density or Mass");
  else if (has_density)
    return path + "Density";
  else if (has_mass) {
    if (input.dimension == 2)
      input.refuse_unused(path + "Thickness", false, "with Mass; it belongs to Density");
    return path + "Mass";
  } else
    input.report_idle(rigid_section + "/" + name, "its Mass or its Density is missing");
  return {};
}

namespace {

/// Returns the distance of the farthest vertex or contact point from the centre of mass [length].
double radius_of(const CaseInput &input, const std::string &path, const Shape &shape) {
  double radius = shape.radius;
  for (const auto &x : shape.outline)
    radius = std::max(radius, x.distance(shape.centre));
  const auto offsets = to_points<2>(input.parameters.get(path + "Contact points"));
  for (std::size_t i = 0; offsets && i < offsets->size(); ++i)
    radius = std::max(radius, (*offsets)[i].norm());
  return radius;
}

void read_mass(const BodyEntries &entries, const std::string &name, const Shape &shape,
               RigidBody<2> &body) {
  const CaseInput &input = entries.input;
  const Parameters &parameters = input.parameters;
  const std::string &path = entries.path;
  const ShapeProperties of_shape = shape.properties();
  body.mass = body.inertia = 1; // reading continues to report further errors
  const bool has_density = entries.has("density");
  if (has_density || entries.has("mass"))
    body.mass = entries.positive(has_density ? "density" : "mass");
  else if (const std::string entry = entry_of_mass(input, name); !entry.empty())
    body.mass = parameters.get_double(entry);
  else
    return;
  if (has_density || (!entries.has("mass") && !parameters.get(path + "Density").empty())) {
    if (entries.shape() == "stick")
      return entries.refuse("a stick has no area; give its mass");
    body.mass *= of_shape.size * parameters.get_double(path + "Thickness");
  }
  const std::string moment = path + "Moment of inertia";
  if (parameters.get(moment).empty()) {
    body.inertia = body.mass * (of_shape.second_moment / of_shape.size);
    return;
  }
  body.inertia = parameters.get_double(moment);
  const double r = radius_of(input, path, shape), largest = body.mass * r * r;
  if (body.inertia > largest * (1 + 1e-9)) {
    std::ostringstream reason;
    reason << "more than " << largest << ", its mass " << body.mass
           << " times the square of its radius " << r
           << ", the moment of inertia with all mass at its farthest point";
    input.report(moment, reason.str());
  }
}

/// Refuses a body whose size and mass are numbers, but not its moment of inertia, which contains
/// the square of its size.
void require_inertia(const BodyEntries &entries, std::array<double, 3> moments) {
  for (const double moment : moments)
    if (!(moment > 0) || !std::isfinite(moment))
      return entries.refuse("the moment of inertia of this body is not a positive number; check "
                            "its size and its mass");
}
void require_inertia(const BodyEntries &entries, const RigidBody<2> &body) {
  require_inertia(entries, {body.inertia, body.inertia, body.inertia});
}
void require_inertia(const BodyEntries &entries, const RigidBody<3> &body) {
  require_inertia(entries, {body.inertia[0][0], body.inertia[1][1], body.inertia[2][2]});
}

/// Map from points of the shape at the angle zero to their initial positions.
class Placement {
public:
  Placement(const dealii::Point<2> &shape_centre, const dealii::Point<2> &c, double angle)
      : centre(c), initial_centre(shape_centre), cosine(std::cos(angle)), sine(std::sin(angle)) {}

  dealii::Point<2> operator()(const dealii::Point<2> &x) const {
    if (sine == 0 && cosine == 1) // exact for polygons that are not moved
      return x + (centre - initial_centre);
    const auto arm = x - initial_centre;
    return centre +
           dealii::Point<2>(cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]);
  }

  dealii::Point<2> centre;

private:
  dealii::Point<2> initial_centre;
  double cosine, sine;
};

Placement read_placement(const BodyEntries &entries, const Shape &shape) {
  const double angle = entries.number("angle", "Angle");
  if (entries.has("x"))
    return {shape.centre, {entries.number("x"), entries.number("y")}, angle};
  const std::string position = entries.input.parameters.get(entries.path + "Position");
  return {shape.centre, position.empty() ? shape.centre : *to_point<2>(position), angle};
}

/// Sets all properties of one body except its mass.
void place_body(const CaseInput &input, const std::string &path, const Shape &shape,
                const Placement &placement, RigidBody<2> &body) {
  body.centre = placement.centre;
  for (const auto &x : shape.outline)
    body.outline.push_back(placement(x));
  const auto offsets = to_points<2>(input.parameters.get(path + "Contact points"));
  for (const auto &offset : *offsets)
    body.contact_points.push_back(placement(shape.centre + offset));
  if (shape.radius > 0)
    body.pieces = {{1, shape.radius}};
  else if (body.contact_points.empty())
    body.contact_points = body.outline;
}

/// Assigns a name to bodies; reports a name that is in use or cannot be written.
template <int dim>
void add_name(const CaseInput &input, const std::string &subsection, const std::string &name,
              const std::vector<unsigned int> &bodies, RigidInput<dim> &rigid) {
  const auto report = [&](const std::string &reason) {
    input.report_subsection(rigid_section + "/" + subsection, reason);
  };
  if (name == "all")
    report("'all' stands for all bodies in contacts; choose another name");
  else if (name.find(',') != std::string::npos)
    report("a comma separates names in contacts; choose another name");
  else if (!rigid.names.insert({name, bodies}).second)
    report("another body has the name '" + name + "' already (copies of a body NAME are named " +
           "NAME 1, NAME 2, ...)");
}

RigidBody<2> moved(RigidBody<2> body, const CaseInput &input, const std::string &path,
                   const Shape &shape, const Placement &first, const CopyPlace<2> &copy) {
  const double angle = input.parameters.get_double(path + "Angle");
  place_body(input, path, shape, {shape.centre, copy(first.centre), angle + copy.angle}, body);
  return body;
}

RigidBody<3> moved(RigidBody<3> body, const CopyPlace<3> &copy) {
  body.centre = copy(body.centre);
  for (auto &x : body.outline)
    x = copy(x);
  for (ConvexShape &shape : body.shapes) {
    for (auto &x : shape.vertices)
      x = copy(x);
    for (auto &n : shape.normals)
      if (copy.angle != 0)
        n = copy.rotation * n;
  }
  if (copy.angle != 0)
    body.inertia =
        symmetrize(copy.rotation * dealii::Tensor<2, 3>(body.inertia) * transpose(copy.rotation));
  return body;
}

/// Returns the sizes of a shape, in the order of size_columns().
template <int dim>
std::array<double, 3> sizes_of(const BodyEntries &entries) {
  const std::string shape = entries.shape();
  if (shape == "disc" || shape == "sphere")
    return {entries.number("radius", "Radius")};
  if (shape == "rectangle")
    return {entries.number("width", "Width"), entries.number("height", "Height")};
  if (shape == "stick")
    return {entries.number("length", "Length")};
  return shape == "box" ? size_of_box(entries) : std::array<double, 3>{};
}

/// Returns the attitude of a copy.
double attitude(const BodyEntries &entries, const CopyPlace<2> &copy) {
  return entries.number("angle", "Angle") + copy.angle;
}
Quaternion attitude(const BodyEntries &entries, const CopyPlace<3> &copy) {
  const Quaternion own = attitude_of_solid(entries);
  const auto axis = entries.input.vector<3>(entries.path + "Turn axis");
  return copy.angle == 0 ? own : product(quaternion(axis, copy.angle), own);
}

/// Adds all copies of a body: `make_body` returns the copy for a placement.
template <int dim, typename At>
void add_copies(const BodyEntries &entries, const std::string &name, const At &make_body,
                RigidInput<dim> &rigid) {
  const CaseInput &input = entries.input;
  const auto copy_places = read_copies<dim>(input, entries.path);
  std::vector<unsigned int> copies;
  for (const auto &copy : copy_places) {
    copies.push_back(static_cast<unsigned int>(rigid.bodies.size()));
    rigid.bodies.push_back(make_body(copy));
    rigid.rows.push_back(
        {entries.shape(), sizes_of<dim>(entries), attitude(entries, copy), std::nullopt});
    rigid.bodies.back().name =
        copy_places.size() > 1 ? name + " " + std::to_string(copies.size()) : name;
    if (copy_places.size() > 1)
      add_name(input, name, rigid.bodies.back().name, {copies.back()}, rigid);
  }
  add_name(input, name, name, copies, rigid);
  rigid.sections.emplace_back(name, std::move(copies));
}

/// Returns the initial velocities of a row; the angular velocity in 3D about axes parallel to the
/// coordinates.
template <int dim>
std::array<double, RigidBody<dim>::n_dofs> row_velocity(const BodyEntries &entries) {
  const Parameters &parameters = entries.input.parameters;
  auto section = parameters.get_double_list(entries.path + "Initial velocity");
  for (const double w : parameters.get_double_list(entries.path + "Initial angular velocity"))
    section.push_back(w);
  const auto names = motion_columns<dim>();
  std::array<double, RigidBody<dim>::n_dofs> velocity{};
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const std::string &name = names[names.size() - velocity.size() + i];
    velocity[i] = entries.has(name) ? entries.number(name) : section.at(i);
  }
  if constexpr (dim == 3) {
    const auto turned = rotation_matrix(attitude_of_solid(entries)) *
                        dealii::Tensor<1, 3>({velocity[3], velocity[4], velocity[5]});
    std::copy(turned.begin_raw(), turned.end_raw(), velocity.begin() + 3);
  }
  return velocity;
}

void read_row(const BodyEntries &entries, const std::string &name, RigidBody<2> &body) {
  const Shape shape = read_shape(entries);
  read_mass(entries, name, shape, body);
  require_inertia(entries, body);
  place_body(entries.input, entries.path, shape, read_placement(entries, shape), body);
}
void read_row(const BodyEntries &entries, const std::string &name, RigidBody<3> &body) {
  body = read_solid(entries, name);
  require_inertia(entries, body);
}

/// Returns the number and the checksum of the rows.
std::string size_and_checksum(const NamedColumns &table) {
  std::uint64_t checksum = crc64(joined(table.names, ","));
  for (const auto &row : table.rows)
    checksum = crc64(joined(row, ","), checksum);
  return std::to_string(table.rows.size()) + " rows, checksum " + std::to_string(checksum);
}

/// Adds the bodies of a table. The first unfit row ends the reading.
template <int dim>
void add_rows(const CaseInput &input, const std::string &name, const NamedColumns &table,
              RigidInput<dim> &rigid) {
  std::vector<unsigned int> bodies;
  rigid.tables.emplace_back(name, size_and_checksum(table));
  const std::size_t n_problems = input.problems.size();
  try {
    for (std::size_t k = 0; k < table.rows.size() && input.problems.size() == n_problems; ++k) {
      const BodyEntries entries(input, name, table, k);
      RigidBody<dim> body;
      read_row(entries, name, body);
      body.name = name + " " + std::to_string(k + 1);
      rigid.rows.push_back({entries.shape(), sizes_of<dim>(entries),
                            attitude(entries, CopyPlace<dim>()), row_velocity<dim>(entries)});
      bodies.push_back(static_cast<unsigned int>(rigid.bodies.size()));
      rigid.bodies.push_back(std::move(body));
      add_name(input, name, rigid.bodies.back().name, {bodies.back()}, rigid);
    }
  } catch (const InputError &error) {
    input.report(rigid_section + "/" + name + "/File", error.what());
  }
  add_name(input, name, name, bodies, rigid);
  rigid.sections.emplace_back(name, std::move(bodies));
}

void read_body(const BodyEntries &entries, const std::string &name, RigidInput<2> &rigid) {
  const CaseInput &input = entries.input;
  const Shape shape = read_shape(entries);
  RigidBody<2> body;
  read_mass(entries, name, shape, body);
  require_inertia(entries, body);
  const Placement placement = read_placement(entries, shape);
  add_copies(
      entries, name,
      [&](const CopyPlace<2> &copy) {
        return moved(body, input, entries.path, shape, placement, copy);
      },
      rigid);
}

void read_body(const BodyEntries &entries, const std::string &name, RigidInput<3> &rigid) {
  const RigidBody<3> body = read_solid(entries, name);
  require_inertia(entries, body);
  add_copies(
      entries, name, [&](const CopyPlace<3> &copy) { return moved(body, copy); }, rigid);
}

/// Adds the bodies of a section: the rows of its table, or one body and its copies.
template <int dim>
void read_section(const CaseInput &input, const std::string &name, RigidInput<dim> &rigid) {
  const std::size_t n_problems = input.problems.size();
  if (const auto table = read_body_table<dim>(input, name))
    add_rows(input, name, *table, rigid);
  else if (input.problems.size() == n_problems)
    read_body(BodyEntries(input, name), name, rigid);
}

} // namespace

template <int dim>
RigidInput<dim> read_rigid_bodies(const CaseInput &input) {
  const auto host = [&](const std::string &name) {
    return input.parameters.get(rigid_section + "/" + name + "/Part of");
  };
  RigidInput<dim> rigid;
  for (const auto &name : input.subsections(rigid_section))
    if (host(name).empty())
      read_section(input, name, rigid);
  for (const auto &name : input.subsections(rigid_section))
    if (!host(name).empty()) {
      RigidInput<dim> pieces;
      read_section(input, name, pieces);
      weld_to(input, name, pieces, rigid);
    }
  return rigid;
}

template RigidInput<2> read_rigid_bodies<2>(const CaseInput &);
template RigidInput<3> read_rigid_bodies<3>(const CaseInput &);

} // namespace percussion
