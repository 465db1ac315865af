#include <percussion/base/checksum.h>
#include <percussion/base/format.h>
#include <percussion/base/nearest_name.h>

#include "body_entries.h"
#include <algorithm>
#include <array>
#include <cmath>

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
Shape read_polygon(const CaseInput &section, const std::string &entry) {
  Outline outline = *to_points<2>(section.get(entry));
  const std::string problem =
      outline.empty() ? "vertices are needed for Shape = polygon" : polygon_problem(outline);
  if (!problem.empty()) {
    section.report(entry, problem);
    return {rectangle(1, 1), {}, 0}; // reading continues to report further errors
  }
  if (signed_area(outline) < 0)
    std::reverse(outline.begin(), outline.end());
  return {outline, shape_properties(outline).centre, 0};
}

Shape read_shape(const BodyEntries &entries) {
  const std::string kind = entries.shape();
  if (!entries.has("shape"))
    entries.section.refuse_idle_entries();
  if (kind == "polygon")
    return read_polygon(entries.section, "Vertices");
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

std::string entry_of_mass(const CaseInput &section) {
  const bool has_density = section.has("Density"), has_mass = section.has("Mass");
  if (has_density && section.get("Shape") == "stick")
    section.report("Density", "a stick has no area; give its Mass");
  else if (has_density && has_mass)
    section.report("Mass", "this body has a Density already; give either Density or Mass");
  else if (has_density)
    return "Density";
  else if (has_mass) {
    if (section.dimension == 2)
      section.refuse_unused("Thickness", false, "with Mass; it belongs to Density");
    return "Mass";
  } else
    section.report_idle("its Mass or its Density is missing");
  return {};
}

namespace {

std::vector<dealii::Point<2>> given_contact_points(const CaseInput &section) {
  return *to_points<2>(section.get("Contact points"));
}

/// Returns the distance of the farthest vertex or contact point from the centre of mass [length].
double radius_of(const CaseInput &section, const Shape &shape) {
  double radius = shape.radius;
  for (const auto &x : shape.outline)
    radius = std::max(radius, x.distance(shape.centre));
  for (const auto &offset : given_contact_points(section))
    radius = std::max(radius, offset.norm());
  return radius;
}

void read_mass(const BodyEntries &entries, const Shape &shape, RigidBody<2> &body) {
  const CaseInput &section = entries.section;
  const ShapeProperties properties = shape.properties();
  body.mass = body.inertia = 1; // reading continues to report further errors
  bool has_density = entries.has("density");
  if (has_density || entries.has("mass"))
    body.mass = entries.positive(has_density ? "density" : "mass");
  else if (const std::string entry = entry_of_mass(section); !entry.empty()) {
    body.mass = section.number(entry);
    has_density = entry == "Density";
  } else
    return;
  if (has_density) {
    if (entries.shape() == "stick")
      return entries.refuse("a stick has no area; give its mass");
    body.mass *= properties.size * section.number("Thickness");
  }
  const std::string moment = "Moment of inertia";
  if (!section.has(moment)) {
    body.inertia = body.mass * (properties.second_moment / properties.size);
    return;
  }
  body.inertia = section.number(moment);
  const double r = radius_of(section, shape), largest = body.mass * r * r;
  if (body.inertia > largest * (1 + 1e-9))
    section.report(moment,
                   format("more than %g, its mass %g times the square of its radius %g, the moment "
                          "of inertia with all mass at its farthest point",
                          largest, body.mass, r));
}

/// Refuses a body whose size and mass are numbers, but not its moment of inertia, which contains
/// the square of its size.
template <int dim>
void require_inertia(const BodyEntries &entries, const RigidBody<dim> &body) {
  for (unsigned int d = 0; d < (dim == 2 ? 1 : 3); ++d) {
    double moment;
    if constexpr (dim == 2)
      moment = body.inertia;
    else
      moment = body.inertia[d][d];
    if (!(moment > 0) || !std::isfinite(moment))
      return entries.refuse("the moment of inertia of this body is not a positive number; check "
                            "its size and its mass");
  }
}

/// Sets all properties of one body except its mass: its shape is rotated and moved to the centre.
void place_body(const CaseInput &section, const Shape &shape, const dealii::Point<2> &centre,
                double angle, RigidBody<2> &body) {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const auto placed = [&](const dealii::Point<2> &x) -> dealii::Point<2> {
    const auto arm = x - shape.centre;
    if (sine == 0 && cosine == 1) // exact for polygons that are not moved
      return x + (centre - shape.centre);
    return centre +
           dealii::Point<2>(cosine * arm[0] - sine * arm[1], sine * arm[0] + cosine * arm[1]);
  };
  body.centre = centre;
  for (const auto &x : shape.outline)
    body.outline.push_back(placed(x));
  for (const auto &offset : given_contact_points(section))
    body.contact_points.push_back(placed(shape.centre + offset));
  if (shape.radius > 0)
    body.pieces = {{1, shape.radius}};
  else if (body.contact_points.empty())
    body.contact_points = body.outline;
}

/// Assigns a name to bodies; reports a name that is in use or cannot be written.
template <int dim>
void add_name(const CaseInput &section, const std::string &name,
              const std::vector<unsigned int> &bodies, RigidInput<dim> &rigid) {
  if (name == "all")
    section.report_section("'all' stands for all bodies in contacts; choose another name");
  else if (name.find(',') != std::string::npos)
    section.report_section("a comma separates names in contacts; choose another name");
  else if (!rigid.names.insert({name, bodies}).second)
    section.report_section("another body has the name '" + name +
                           "' already (copies of a body NAME are named NAME 1, NAME 2, ...)");
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
  if (shape == "capsule")
    return {entries.number("radius", "Radius"), entries.number("length", "Length")};
  if (shape == "cylinder")
    return {entries.number("radius", "Radius"), entries.number("height", "Height")};
  return shape == "box" ? size_of_box(entries) : std::array<double, 3>{};
}

/// Returns the attitude of a copy.
double attitude(const BodyEntries &entries, const CopyPlace<2> &copy) {
  return entries.number("angle", "Angle") + copy.angle;
}
Quaternion attitude(const BodyEntries &entries, const CopyPlace<3> &copy) {
  const Quaternion own = attitude_of_solid(entries);
  const auto axis = entries.section.vector<3>("Turn axis");
  return copy.angle == 0 ? own : product(quaternion(axis, copy.angle), own);
}

/// Returns the initial velocities of a row; the angular velocity in 3D about axes parallel to the
/// coordinates.
template <int dim>
std::array<double, RigidBody<dim>::n_dofs> row_velocity(const BodyEntries &entries) {
  const Parameters &parameters = entries.section.parameters;
  const std::string &path = entries.section.path;
  auto section = parameters.get_double_list(path + "Initial velocity");
  for (const double w : parameters.get_double_list(path + "Initial angular velocity"))
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

/// Returns the function that makes the copy of a body for a placement; the copy that is not moved
/// is the body.
auto read_body(const BodyEntries &entries, std::integral_constant<int, 2>) {
  const Shape shape = read_shape(entries);
  RigidBody<2> body;
  read_mass(entries, shape, body);
  require_inertia(entries, body);
  const double angle = entries.number("angle", "Angle");
  return [=, &entries](const CopyPlace<2> &copy) {
    RigidBody<2> moved = body;
    place_body(entries.section, shape, copy(read_centre(entries, shape.centre)), angle + copy.angle,
               moved);
    return moved;
  };
}
auto read_body(const BodyEntries &entries, std::integral_constant<int, 3>) {
  const RigidBody<3> body = read_solid(entries);
  require_inertia(entries, body);
  return [body](const CopyPlace<3> &copy) { return moved(body, copy); };
}

/// Returns the number and the checksum of the rows.
std::string size_and_checksum(const NamedColumns &table) {
  std::uint64_t checksum = crc64(joined(table.names, ","));
  for (const auto &row : table.rows)
    checksum = crc64(joined(row, ","), checksum);
  return std::to_string(table.rows.size()) + " rows, checksum " + std::to_string(checksum);
}

/// Adds the bodies of a section: the rows of its table, of which the first unfit one ends the
/// reading, or one body and its copies.
template <int dim>
void read_section(const CaseInput &section, const std::string &name, RigidInput<dim> &rigid) {
  const std::integral_constant<int, dim> dimension;
  const std::size_t n_problems = section.problems.size();
  std::vector<unsigned int> bodies;
  const auto add = [&](RigidBody<dim> body, BodyRow<dim> row, bool is_numbered) {
    bodies.push_back(static_cast<unsigned int>(rigid.bodies.size()));
    body.name = is_numbered ? name + " " + std::to_string(bodies.size()) : name;
    if (is_numbered)
      add_name(section, body.name, {bodies.back()}, rigid);
    rigid.bodies.push_back(std::move(body));
    rigid.rows.push_back(std::move(row));
  };
  if (const auto table = read_body_table<dim>(section)) {
    rigid.tables.emplace_back(name, size_and_checksum(*table));
    try {
      for (std::size_t k = 0; k < table->rows.size() && section.problems.size() == n_problems;
           ++k) {
        const BodyEntries row(section, table.get(), k);
        add(read_body(row, dimension)({}),
            {row.shape(), sizes_of<dim>(row), attitude(row, CopyPlace<dim>()),
             row_velocity<dim>(row)},
            true);
      }
    } catch (const InputError &error) {
      section.report("File", error.what());
    }
  } else if (section.problems.size() == n_problems) {
    const BodyEntries values(section);
    const auto make_body = read_body(values, dimension);
    const auto copies = read_copies<dim>(section);
    for (const auto &copy : copies)
      add(make_body(copy),
          {values.shape(), sizes_of<dim>(values), attitude(values, copy), std::nullopt},
          copies.size() > 1);
  } else
    return;
  add_name(section, name, bodies, rigid);
  rigid.sections.emplace_back(name, std::move(bodies));
}

/// Reports entries that are not allowed for a component of another body.
void refuse_own_motion(const CaseInput &section) {
  for (const ParameterDeclaration &declared : section.declarations()) {
    const std::string &name = declared.entry->name;
    const auto begins_with = [&](const char *words) { return name.rfind(words, 0) == 0; };
    constexpr std::array<const char *, 9> body_prefixes = {
        {"Initial ", "Displacement ", "Velocity ", "Rotation", "Angular ", "Force ", "Moment x",
         "Moment y", "Moment z"}};
    if (name == "Moment" || name == "Appears" ||
        std::any_of(body_prefixes.begin(), body_prefixes.end(), begins_with))
      section.refuse_unused(name, false, "on a part of another body");
  }
}

/// Welds the shapes of a section to the body that the section names.
template <int dim>
void weld_to(const CaseInput &section, const std::string &name, const RigidInput<dim> &pieces,
             RigidInput<dim> &rigid) {
  const std::string entry = "Part of", host = section.get(entry);
  refuse_own_motion(section);
  const auto found = rigid.names.find(host);
  if (found == rigid.names.end())
    return section.report(entry, host == name ? "no body is a part of itself"
                                              : "there is no rigid body '" + host +
                                                    "' that is not itself a part of another body" +
                                                    did_you_mean(host, rigid.section_names()));
  if (found->second.size() > 1)
    return section.report(entry, "'" + host +
                                     "' has copies, and this part would belong to all copies: "
                                     "name one copy, '" +
                                     host + " 1'");
  for (const RigidBody<dim> &piece : pieces.bodies)
    weld(rigid.bodies[found->second.front()], piece);
}

} // namespace

template <int dim>
RigidInput<dim> read_rigid_bodies(const CaseInput &input) {
  RigidInput<dim> rigid;
  for (const bool are_parts : {false, true})
    for (const auto &name : input.subsections(rigid_section)) {
      const CaseInput section = input.in(rigid_section + "/" + name);
      if (section.has("Part of") != are_parts)
        continue;
      RigidInput<dim> pieces;
      read_section(section, name, are_parts ? pieces : rigid);
      if (are_parts)
        weld_to(section, name, pieces, rigid);
    }
  return rigid;
}

PERCUSSION_INSTANTIATE(read_rigid_bodies);

} // namespace percussion
