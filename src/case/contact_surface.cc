#include "parameter_sections.h"

namespace percussion {

using dealii::Patterns::Selection;

void declare_surface(ParameterDeclarations &declarations, Dimensions dimensions) {
  std::string kinds;
  if (dimensions.plane)
    kinds += "half-plane|outside of circle|inside of circle|";
  if (dimensions.space)
    kinds += "half-space|outside of sphere|inside of sphere|outside of cylinder|"
             "inside of cylinder|";
  kinds += "signed distance|rigid bodies|region";
  const std::vector<std::string> half = {"half-plane", "half-space"},
                                 cylinder = {"outside of cylinder", "inside of cylinder"};
  std::vector<std::string> round = {"outside of circle", "inside of circle", "outside of sphere",
                                    "inside of sphere"};
  round.insert(round.end(), cylinder.begin(), cylinder.end());
  std::vector<std::string> with_point = round;
  with_point.insert(with_point.end(), half.begin(), half.end());
  declarations.declare("Surface", dimensions.choose("half-plane", "half-space"), Selection(kinds),
                       "Opposite side of the contact: a rigid surface, including the side on "
                       "which the bodies stay; rigid bodies; or regions of elastic bodies. "
                       "Against names the bodies or regions. In 3D, half-space, sphere and "
                       "cylinder replace half-plane (the default in 2D) and circle.");
  declarations.declare("Point", dimensions.choose("0, 0", "0, 0, 0"), dimensions.vector(),
                       "Point of the edge of the half-plane or half-space, centre of the circle "
                       "or sphere, or point of the cylinder's axis: " +
                           dimensions.position() + " [L].",
                       {"Surface", with_point, false, ""});
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
  declarations.declare("Signed distance", "", formula_of(dimensions.position()),
                       "Signed distance of the position " + dimensions.position() +
                           " from the surface [L]: zero on the surface and positive on the side "
                           "of the bodies. The program divides it by the length of its gradient.",
                       {"Surface", {"signed distance"}, false, ""});
  for (const auto &component : dimensions.components())
    declarations.declare(
        "Motion " + component, "", formula_of("t"),
        "Component " + component +
            " of the displacement of the surface at the time t [L]. Default: "
            "fixed.",
        {"Surface", {"rigid bodies", "region"}, true, "; prescribe the motion of the bodies"});
}

namespace {

bool is_cylinder(const std::string &kind) { return kind.find(" of cylinder") != std::string::npos; }

/// Reports a level set that is not a number or has no normal at a point that may touch it.
template <int dim>
bool is_usable(const CaseInput &input, const std::string &entry, const LevelSet &level_set,
               const std::vector<dealii::Point<dim>> &points) {
  if (level_set.distance.depends_on_time()) {
    input.report(entry, "the formula must not depend on t; give 'Motion x' and 'Motion y'");
    return false;
  }
  input.check_finite(entry, level_set.distance, points, {0.});
  Surface<dim> surface;
  surface.shape = LevelSet{level_set.distance, level_set.length};
  for (const auto &x : points)
    try {
      level_set.distance(0., x);
      gap(surface, x, 0.);
    } catch (const RunError &) {
      if (input.problems.empty())
        input.report(
            entry,
            "the formula has no gradient at a candidate contact, hence the surface has no normal");
      return false;
    }
  return true;
}

template <int dim>
void read_surface_motion(const CaseInput &input, const std::string &path, const Case<dim> &c,
                         Surface<dim> &surface) {
  for (unsigned int d = 0; d < dim; ++d) {
    const std::string entry = path + "Motion " + components(dim)[d];
    auto motion = input.formula(entry);
    if (!motion)
      continue;
    if (motion->depends_on_position())
      input.report(entry, "a rigid surface moves as a whole: the formula may depend on t only");
    else
      input.check_finite<dim>(entry, *motion, {dealii::Point<dim>()}, first_and_last_time(c));
    while (surface.motion.size() < dim)
      surface.motion.emplace_back("0");
    surface.motion[d] = std::move(*motion);
  }
}

/// Returns the level set; null if the formula is missing or unfit, which is reported.
template <int dim>
std::unique_ptr<LevelSet> read_level_set(const CaseInput &input, const std::string &entry,
                                         const OwnPoints<dim> &own_points) {
  auto distance = input.formula(entry);
  if (!distance && input.parameters.get(entry).empty())
    input.report(entry, "a formula is needed for Surface = signed distance");
  if (!distance || own_points.points.empty())
    return nullptr;
  auto level_set =
      std::make_unique<LevelSet>(LevelSet{std::move(*distance), 0.1 * own_points.size});
  return is_usable(input, entry, *level_set, own_points.points) ? std::move(level_set) : nullptr;
}

} // namespace

template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &input, const std::string &path,
                                           const Case<dim> &c, const OwnPoints<dim> &own_points) {
  const Parameters &parameters = input.parameters;
  const std::string kind = parameters.get(path + "Surface");
  auto surface = std::make_unique<Surface<dim>>();
  if (kind == "rigid bodies" || kind == "region")
    return surface;
  read_surface_motion(input, path, c, *surface);
  const dealii::Point<dim> point(input.vector<dim>(path + "Point"));
  if (kind == "half-plane" || kind == "half-space") {
    const auto normal = input.vector<dim>(path + "Normal");
    if (!(normal.norm() > 0)) {
      input.report(path + "Normal", "the normal must not be zero");
      return nullptr;
    }
    surface->shape = HalfPlane<dim>{point, normal / normal.norm()};
  } else if (kind == "signed distance") {
    auto level_set = read_level_set(input, path + "Signed distance", own_points);
    if (!level_set)
      return nullptr;
    surface->shape = std::move(*level_set);
  } else {
    dealii::Tensor<1, dim> axis;
    if (is_cylinder(kind)) {
      axis = input.vector<dim>(path + "Axis");
      if (!(axis.norm() > 0)) {
        input.report(path + "Axis", "the axis must not be zero");
        return nullptr;
      }
      axis /= axis.norm();
    }
    surface->shape = Ball<dim>{point, parameters.get_double(path + "Radius"),
                               kind.rfind("inside of ", 0) == 0, axis};
  }
  return surface;
}

template std::unique_ptr<Surface<2>> read_surface<2>(const CaseInput &, const std::string &,
                                                     const Case<2> &, const OwnPoints<2> &);
template std::unique_ptr<Surface<3>> read_surface<3>(const CaseInput &, const std::string &,
                                                     const Case<3> &, const OwnPoints<3> &);

} // namespace percussion
