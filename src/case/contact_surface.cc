#include "parameter_sections.h"

namespace percussion {

using dealii::Patterns::Selection;

namespace {

void declare_turn(ParameterDeclarations &declarations, Dimensions dimensions) {
  const std::string of_bodies = "; prescribe the motion of the bodies";
  const std::vector<std::string> no_surface = {"rigid bodies", "region"};
  declarations.declare("Motion angle", "", formula_of("t"),
                       "Angle by which the surface has turned at the time t [rad], " +
                           std::string(dimensions.space ? "counterclockwise about 'Turning axis'"
                                                        : "counterclockwise") +
                           ". Default: it does not turn.",
                       {"Surface", no_surface, true, of_bodies});
  declarations.declare("Turning centre", dimensions.choose("0, 0", "0, 0, 0"), dimensions.vector(),
                       "Point about which the surface turns at the time of no displacement: " +
                           dimensions.position() + " [L].",
                       {"Surface", no_surface, true, of_bodies});
  if (dimensions.space)
    declarations.declare("Turning axis", "0, 0, 1", Dimensions{false, true}.vector(),
                         "Direction of the axis about which the surface turns: x, y, z, of any "
                         "length.",
                         {"Surface", no_surface, true, of_bodies});
  for (const auto &component : dimensions.components())
    declarations.declare("Belt velocity " + component, "", formula_of("t"),
                         "Component " + component +
                             " of the velocity of the material of a surface that keeps its place, "
                             "as of a conveyor belt [L/T]. Its part along the surface counts. "
                             "Default: that of its motion.",
                         {"Surface", no_surface, true, of_bodies});
}

} // namespace

void declare_surface(ParameterDeclarations &declarations, Dimensions dimensions) {
  // The words of the other dimension mean the same.
  std::string kinds = "half-plane|half-space|plane|outside of circle|inside of circle|"
                      "outside of sphere|inside of sphere|";
  if (dimensions.space)
    kinds += "outside of cylinder|inside of cylinder|";
  kinds += "signed distance|facets|rigid bodies|region";
  const std::vector<std::string> half = {"half-plane", "half-space", "plane"},
                                 cylinder = {"outside of cylinder", "inside of cylinder"},
                                 round = {"outside of circle",   "inside of circle",
                                          "outside of sphere",   "inside of sphere",
                                          "outside of cylinder", "inside of cylinder"};
  std::vector<std::string> point_surfaces = round;
  point_surfaces.insert(point_surfaces.end(), half.begin(), half.end());
  declarations.declare(
      "Surface", dimensions.choose("half-plane", "half-space"), Selection(kinds),
      "Opposite side of the contact: a rigid surface, including the side on which the bodies stay, "
      "or the rigid bodies or regions that Against names. Half-plane, half-space and plane are one "
      "surface, so are circle and sphere.");
  declarations.declare("Point", dimensions.choose("0, 0", "0, 0, 0"), dimensions.vector(),
                       "Point of the edge of the half-plane or half-space, centre of the circle "
                       "or sphere, or point of the cylinder's axis: " +
                           dimensions.position() + " [L].",
                       {"Surface", point_surfaces, false, ""});
  declarations.declare("Normal", dimensions.choose("0, 1", "0, 0, 1"), dimensions.vector(),
                       "Direction from the edge of the half-plane or half-space to the side of the "
                       "bodies: " +
                           dimensions.position() + ", of any length. Default in 3D: 0, 0, 1.",
                       {"Surface", half, false, ""});
  if (dimensions.space)
    declarations.declare("Axis", "0, 0, 1", Dimensions{false, true}.vector(),
                         "Direction of the cylinder's axis: x, y, z, of any length.",
                         {"Surface", cylinder, false, ""});
  declarations.declare("Radius", "1", PositiveDouble(),
                       "Radius of the circle, sphere or cylinder [L].",
                       {"Surface", round, false, ""});
  declarations.declare(
      "Signed distance", "", formula_of(dimensions.position()),
      "Signed distance of the position " + dimensions.position() +
          " from the surface [L]: zero on the surface and positive on the side "
          "of the bodies. If the formula is no distance, the gap is the distance from the "
          "nearest point of its zero level.",
      {"Surface", {"signed distance"}, false, ""});
  declarations.declare(
      "Surface mesh", "",
      Described(dimensions.space ? "the name of a .stl, .obj or .csv file, or nothing"
                                 : "the name of a table of x, y, or nothing"),
      dimensions.space
          ? "File with the facets of a rigid surface, convex or not: triangles (.stl) or polygons "
            "(.obj), to whose corners the side of the bodies is counterclockwise (of a closed "
            "surface the outside), or heights z at all points x, y of a grid (.csv), with the "
            "bodies above. Corners of rigid bodies, spheres, capsules and nodes touch it."
          : "File with the points x, y of a rigid profile, x ascending: lines from point to point, "
            "with the bodies above. Corners of rigid bodies, discs and nodes touch it.",
      {"Surface", {"facets"}, false, ""});
  for (const auto &component : dimensions.components())
    declarations.declare(
        "Motion " + component, "", formula_of("t"),
        "Component " + component + " of the displacement of the surface [L]. Default: fixed.",
        {"Surface", {"rigid bodies", "region"}, true, "; prescribe the motion of the bodies"});
  declare_turn(declarations, dimensions);
}

namespace {

bool is_cylinder(const std::string &kind) { return kind.find(" of cylinder") != std::string::npos; }

/// True if a level set is a number and has a normal at all points that may touch it; otherwise
/// reports it.
template <int dim>
bool is_usable(const CaseInput &section, const std::string &entry, const LevelSet &level_set,
               const std::vector<dealii::Point<dim>> &points) {
  if (level_set.distance.depends_on_time()) {
    section.report(entry, "the formula must not depend on t; give 'Motion x' and 'Motion y'");
    return false;
  }
  section.check_finite(entry, level_set.distance, points, {0.});
  Surface<dim> surface;
  surface.shape = LevelSet{level_set.distance, level_set.length};
  for (const auto &x : points)
    try {
      level_set.distance(0., x);
      gap(surface, x, 0.);
    } catch (const RunError &) {
      if (section.problems.empty())
        section.report(entry, "the formula has no gradient at a candidate contact, hence the "
                              "surface has no normal");
      return false;
    }
  return true;
}

template <int dim>
void read_surface_motion(const CaseInput &section, const Case<dim> &c, Surface<dim> &surface) {
  for (unsigned int d = 0; d < dim; ++d) {
    auto motion = section.formula_of_time(
        "Motion " + components(dim)[d], "a rigid surface moves as a whole", first_and_last_time(c));
    if (!motion)
      continue;
    while (surface.motion.size() < dim)
      surface.motion.emplace_back("0");
    surface.motion[d] = std::move(*motion);
  }
}

template <int dim>
void read_belt(const CaseInput &section, const Case<dim> &c, Surface<dim> &surface) {
  for (unsigned int d = 0; d < dim; ++d) {
    auto velocity = section.formula_of_time("Belt velocity " + components(dim)[d],
                                            "the belt of a rigid surface has one velocity",
                                            first_and_last_time(c));
    if (!velocity)
      continue;
    while (surface.belt.size() < dim)
      surface.belt.emplace_back("0");
    surface.belt[d] = std::move(*velocity);
  }
}

/// Returns the level set; null if the formula is missing or unfit, which is reported.
template <int dim>
std::unique_ptr<LevelSet> read_level_set(const CaseInput &section, const std::string &entry,
                                         const OwnPoints<dim> &own_points) {
  auto distance = section.formula(entry);
  if (!section.has(entry))
    section.report(entry, "a formula is needed for Surface = signed distance");
  if (!distance || own_points.points.empty())
    return nullptr;
  auto level_set =
      std::make_unique<LevelSet>(LevelSet{std::move(*distance), 0.1 * own_points.size});
  return is_usable(section, entry, *level_set, own_points.points) ? std::move(level_set) : nullptr;
}

/// Returns the unit vector of an entry; no value if its length is zero, which is reported.
template <int dim>
std::optional<dealii::Tensor<1, dim>>
read_direction(const CaseInput &section, const std::string &entry, const std::string &name) {
  const auto direction = section.vector<dim>(entry);
  if (direction.norm() > 0)
    return direction / direction.norm();
  section.report(entry, "the " + name + " must not be zero");
  return {};
}

/// Reads the turn of a surface about an axis.
template <int dim>
void read_turn(const CaseInput &section, const Case<dim> &c, Surface<dim> &surface) {
  auto angle = section.formula_of_time("Motion angle", "a rigid surface turns as a whole",
                                       first_and_last_time(c));
  std::optional<dealii::Tensor<1, 3>> axis = dealii::Tensor<1, 3>({0., 0., 1.});
  if constexpr (dim == 3)
    axis = read_direction<3>(section, "Turning axis", "axis");
  if (angle && axis)
    surface.turn = SurfaceTurn<dim>{
        std::move(*angle), dealii::Point<dim>(section.vector<dim>("Turning centre")), *axis};
}

} // namespace

template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &section, const Case<dim> &c,
                                           const OwnPoints<dim> &own_points) {
  const std::string kind = section.get("Surface");
  auto surface = std::make_unique<Surface<dim>>();
  if (kind == "rigid bodies" || kind == "region")
    return surface;
  read_surface_motion(section, c, *surface);
  read_turn(section, c, *surface);
  read_belt(section, c, *surface);
  const dealii::Point<dim> point(section.vector<dim>("Point"));
  if (kind == "half-plane" || kind == "half-space" || kind == "plane") {
    const auto normal = read_direction<dim>(section, "Normal", "normal");
    if (!normal)
      return nullptr;
    surface->shape = HalfPlane<dim>{point, *normal};
  } else if (kind == "facets") {
    auto facets = read_faceted_surface<dim>(section);
    if (!facets)
      return nullptr;
    surface->shape = Faceted<dim>{std::move(facets)};
  } else if (kind == "signed distance") {
    auto level_set = read_level_set(section, "Signed distance", own_points);
    if (!level_set)
      return nullptr;
    surface->shape = std::move(*level_set);
  } else {
    std::optional<dealii::Tensor<1, dim>> axis = dealii::Tensor<1, dim>();
    if (is_cylinder(kind))
      axis = read_direction<dim>(section, "Axis", "axis");
    if (!axis)
      return nullptr;
    surface->shape =
        Ball<dim>{point, section.number("Radius"), kind.rfind("inside of ", 0) == 0, *axis};
  }
  return surface;
}

PERCUSSION_INSTANTIATE(read_surface);

} // namespace percussion
