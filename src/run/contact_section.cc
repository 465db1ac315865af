#include <percussion/io/mesh.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cstdio>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::List;
using dealii::Patterns::Selection;

namespace {

const std::string section = "Contact";
const std::string of_the_scheme = "of the scheme";

/// "of the scheme|name|name…" of a table's rows.
template <typename Table>
std::string choice_of(const Table &table) {
  std::string names = of_the_scheme;
  for (const auto &row : table)
    names += std::string("|") + row.name;
  return names;
}

void declare_surface(ParameterDeclarations &declarations) {
  declarations.declare("Region", "", Described("the name of a region of faces"),
                       "Region of the body whose nodes may touch the surface.");
  declarations.declare("Surface", "half-plane",
                       Selection("half-plane|outside of circle|inside of circle|signed distance"),
                       "Rigid surface, and the side on which the body stays.");
  declarations.declare("Point", "0, 0", List(Double(), 2, 2),
                       "A point of the half-plane's edge, or the centre of the circle: x, y [L].");
  declarations.declare("Normal", "0, 1", List(Double(), 2, 2),
                       "Direction from the half-plane's edge to the side of the body: x, y, of any "
                       "length.");
  declarations.declare("Radius", "1", PositiveDouble(), "Radius of the circle [L].");
  declarations.declare("Signed distance", "", formula_of("x, y"),
                       "Distance of the position x, y from the surface of that kind [L]: zero on "
                       "it and positive where the body may be. Where its slope is not one, it is "
                       "divided by the slope.");
  for (const auto &component : components(2))
    declarations.declare("Motion " + component, "", formula_of("t"),
                         "Component " + component +
                             " of the displacement of the surface at the time t [L]. Nothing: it "
                             "is fixed.");
}

void declare_law(ParameterDeclarations &declarations) {
  declarations.declare("Impact law", of_the_scheme, Selection(choice_of(impact_laws())),
                       "The impact law, if it shall be another than the scheme's.");
  declarations.declare(
      "Restitution", "0", Double(0, 1),
      "Newton's coefficient of restitution e of the normal velocity [1]; not for the "
      "laws dissipation-index and persistent.");
  declarations.declare("Tangential restitution", "0", Double(-1, 1),
                       "Coefficient of restitution e_T of the tangential velocity [1], for the law "
                       "moreau only (AC24, eq. 58).");
  declarations.declare(
      "Dissipation index", "1", Double(0, 1),
      "Index delta [1], for the law dissipation-index only: 0 conserves energy, 1 is "
      "inelastic (JM91, eq. 6.3).");
  declarations.declare("Friction coefficient", "0", Double(0),
                       "Coulomb's coefficient of friction mu [1].");
}

} // namespace

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file) {
  const Subsection subsection(declarations, section);
  declarations.declare(
      "Forecast", of_the_scheme, Selection(choice_of(forecasts())),
      "How a step finds out which gaps close: by the position at its beginning "
      "(AC24, eq. 64), by the position predicted for its end (AC23, eq. 55), or by "
      "half a step of the last motion (leapfrog, BBDM24, eq. 3.7).");
  declarations.declare("Separating contacts", "dissipative",
                       Selection("dissipative|as in the paper"),
                       "Law of a contact that is closed but separates at the beginning of a step. "
                       "As in the paper (AC24, eq. 73, without the second condition of eq. 64) its "
                       "normal work can be positive; dissipative replaces its separation velocity "
                       "by zero in the law's offset, which makes the normal work of every contact "
                       "<= 0 with Fremond's law.");
  declarations.declare(
      "Gap tolerance", "1e-12", Double(0),
      "A gap up to this share of the shortest edge at the node counts as closed [1]. "
      "With 0 round-off decides about nodes at rest.");
  declarations.declare(
      "Node inertia", "consistent", Selection("consistent|redistributed"),
      "Mass of the nodes that may touch. consistent: that of the finite elements; where a stiff "
      "body "
      "hits, the force on a node then alternates from step to step, although the energy is right. "
      "redistributed: none, their mass is moved to their neighbours so that the mass, centre and "
      "moments of inertia of the body stay, which makes pressures smooth (Khenous, Laborde & "
      "Renard "
      "2008).");
  for (const auto &name : named_subsections(file, section, "<name>")) {
    const Subsection of_pair(declarations, name);
    declare_surface(declarations);
    declare_law(declarations);
  }
}

namespace {

void refuse_unused_of_surface(const CaseInput &input, const std::string &path,
                              const std::string &kind) {
  const bool circle = kind == "outside of circle" || kind == "inside of circle";
  const std::string with = "with Surface = " + kind;
  input.refuse_unused(path + "Point", kind != "signed distance", with);
  input.refuse_unused(path + "Normal", kind == "half-plane", with);
  input.refuse_unused(path + "Radius", circle, with);
  input.refuse_unused(path + "Signed distance", kind == "signed distance", with);
}

/// Report a level set that is no number or has no normal at a node that may touch it.
template <int dim>
bool is_usable(const CaseInput &input, const std::string &entry, const LevelSet &level_set,
               const std::vector<dealii::Point<dim>> &nodes) {
  if (level_set.distance.depends_on_time()) {
    input.parameters.report(
        entry, "the formula must not depend on t; give 'Motion x' and 'Motion y'", input.problems);
    return false;
  }
  input.check_finite(entry, level_set.distance, nodes, {0.});
  Surface<dim> surface;
  surface.shape = LevelSet{Expression(level_set.distance.formula()), level_set.length};
  for (const auto &x : nodes)
    try {
      level_set.distance(0., x);
      gap(surface, x, 0.);
    } catch (const RunError &) {
      if (input.problems.empty())
        input.parameters.report(entry,
                                "the formula has no slope at some node of the region, hence "
                                "the surface no normal",
                                input.problems);
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
      input.parameters.report(entry,
                              "a rigid surface moves as a whole: the formula may depend on t only",
                              input.problems);
    else
      input.check_finite<dim>(entry, *motion, {dealii::Point<dim>()}, first_and_last_time(c));
    while (surface.motion.size() < dim)
      surface.motion.emplace_back("0");
    surface.motion[d] = std::move(*motion);
  }
}

/// Null where the surface is reported as unfit.
template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &input, const std::string &path,
                                           const Case<dim> &c, const Region *region) {
  const Parameters &parameters = input.parameters;
  const std::string kind = parameters.get(path + "Surface");
  auto surface = std::make_unique<Surface<dim>>();
  read_surface_motion(input, path, c, *surface);
  refuse_unused_of_surface(input, path, kind);
  const dealii::Point<dim> point(input.vector<dim>(path + "Point"));
  if (kind == "half-plane") {
    const auto normal = input.vector<dim>(path + "Normal");
    if (!(normal.norm() > 0)) {
      parameters.report(path + "Normal", "the normal must not be zero", input.problems);
      return nullptr;
    }
    surface->shape = HalfPlane<dim>{point, normal / normal.norm()};
  } else if (kind == "signed distance") {
    const std::string entry = path + "Signed distance";
    auto distance = input.formula(entry);
    if (!distance && parameters.get(entry).empty())
      parameters.report(entry, "a formula is needed for Surface = signed distance", input.problems);
    if (!distance || region == nullptr)
      return nullptr;
    const auto &vertices = c.mesh->triangulation.get_vertices();
    double size = 0;
    for (const auto &x : vertices)
      size = std::max(size, x.distance(vertices.front()));
    LevelSet level_set{std::move(*distance), 0.1 * size};
    std::vector<dealii::Point<dim>> nodes;
    for (const unsigned int node : region->vertices)
      nodes.push_back(c.body->space.nodes[node]);
    if (!is_usable(input, entry, level_set, nodes))
      return nullptr;
    surface->shape = std::move(level_set);
  } else
    surface->shape =
        Ball<dim>{point, parameters.get_double(path + "Radius"), kind == "inside of circle"};
  return surface;
}

std::string name_of(ImpactLawKind kind) {
  for (const auto &row : impact_laws())
    if (row.kind == kind)
      return row.name;
  return {};
}

template <int dim>
void read_law(const CaseInput &input, const std::string &path, const Scheme &of_scheme,
              ContactPair<dim> &pair) {
  const Parameters &parameters = input.parameters;
  pair.law = of_scheme.law;
  for (const auto &row : impact_laws())
    if (parameters.get(path + "Impact law") == row.name)
      pair.law = row.kind;
  pair.restitution = {parameters.get_double(path + "Restitution"),
                      parameters.get_double(path + "Tangential restitution"),
                      parameters.get_double(path + "Dissipation index")};
  pair.friction = parameters.get_double(path + "Friction coefficient");
  const std::string with = "with the impact law " + name_of(pair.law);
  input.refuse_unused(path + "Tangential restitution", pair.law == ImpactLawKind::moreau, with);
  input.refuse_unused(path + "Dissipation index", pair.law == ImpactLawKind::dissipation_index,
                      with);
  input.refuse_unused(
      path + "Restitution",
      pair.law != ImpactLawKind::dissipation_index && pair.law != ImpactLawKind::persistent, with);
}

/// AC24 (87).
template <int dim>
void warn_of_theta(Case<dim> &c) {
  const double theta = c.choices.theta;
  char text[256];
  if (theta < 0.5) {
    std::snprintf(text, sizeof text,
                  "Time/Theta = %g is below 1/2: the scheme produces energy (AC24, eq. 87)", theta);
    c.warnings.emplace_back(text);
  }
  for (const auto &pair : c.contacts->pairs) {
    const double e = impact_law(pair.law, pair.restitution, theta).e;
    if (theta > theta_bound(e) * (1 + 1e-14)) {
      std::snprintf(text, sizeof text,
                    "Time/Theta = %g is above 1/(1 + e) = %g for contact '%s' with e = %g: an "
                    "impact can produce energy (AC24, eq. 87)",
                    theta, theta_bound(e), pair.name.c_str(), e);
      c.warnings.emplace_back(text);
    }
  }
}

} // namespace

namespace {

/// The faces that may touch; null where they are reported as missing or unfit.
template <int dim>
const Region *region_of_contact(const CaseInput &input, const std::string &name,
                                const Mesh<dim> &mesh) {
  const std::string entry = section + "/" + name + "/Region";
  try {
    const Region &region = mesh.region(input.parameters.get(entry));
    const std::string why = not_of_boundary_faces<dim>(region);
    if (!why.empty())
      throw InputError(why);
    return &region;
  } catch (const InputError &error) {
    if (input.parameters.is_set(entry))
      input.parameters.report(entry, error.what(), input.problems);
    else
      input.report_subsection(section + "/" + name, "its entry Region is missing");
    return nullptr;
  }
}

template <int dim>
void redistribute_inertia(const CaseInput &input, Case<dim> &c) {
  const std::string entry = section + "/Node inertia";
  if (input.parameters.get(entry) == "consistent")
    return;
  std::vector<unsigned int> nodes;
  for (const auto &point : c.contacts->points)
    nodes.push_back(point.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (nodes.empty())
    return input.parameters.report(entry, "this has no effect: there is no contact",
                                   input.problems);
  try {
    c.body->redistribute_inertia(nodes);
  } catch (const InputError &error) {
    input.parameters.report(entry, error.what(), input.problems);
  }
}

template <int dim>
void refuse_idle_contacts(const CaseInput &input, const Contacts<dim> &contacts) {
  std::vector<bool> has_points(contacts.pairs.size(), false);
  for (const auto &point : contacts.points)
    has_points[point.pair] = true;
  for (std::size_t i = 0; i < contacts.pairs.size(); ++i)
    if (!has_points[i])
      input.report_subsection(section + "/" + contacts.pairs[i].name,
                              "this has no effect: the motion of all nodes of region '" +
                                  contacts.pairs[i].region + "' is prescribed");
}

} // namespace

template <int dim>
void read_contact(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  const Scheme &of_scheme = scheme(c.scheme_name);
  c.choices.forecast = of_scheme.forecast;
  c.choices.frames = of_scheme.frames;
  for (const auto &row : forecasts())
    if (parameters.get(section + "/Forecast") == row.name)
      c.choices.forecast = row.forecast;
  c.choices.separating = parameters.get(section + "/Separating contacts") == "dissipative"
                             ? SeparatingContacts::dissipative
                             : SeparatingContacts::as_in_paper;

  std::vector<ContactPair<dim>> pairs;
  for (const auto &name : input.file.subsections(section)) {
    const std::string path = section + "/" + name + "/";
    ContactPair<dim> pair;
    pair.name = name;
    pair.region = parameters.get(path + "Region");
    pair.gap_tolerance = parameters.get_double(section + "/Gap tolerance");
    const Region *const region = region_of_contact(input, name, *c.mesh);
    read_law(input, path, of_scheme, pair);
    auto surface = read_surface<dim>(input, path, c, region);
    if (surface && region) {
      pair.surface = std::move(*surface);
      pairs.push_back(std::move(pair));
    }
  }
  c.contacts = std::make_unique<Contacts<dim>>(*c.body, std::move(pairs));
  redistribute_inertia(input, c);
  refuse_idle_contacts(input, *c.contacts);
  c.warnings.insert(c.warnings.end(), c.contacts->remarks.begin(), c.contacts->remarks.end());
  warn_of_theta(c);
}

template void read_contact<2>(const CaseInput &, Case<2> &);

} // namespace percussion
