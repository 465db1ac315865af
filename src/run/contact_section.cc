#include <percussion/io/mesh.h>

#include "parameter_sections.h"
#include <cstdio>

namespace percussion {

using dealii::Patterns::Anything;
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
  declarations.declare("Region", "", Anything(),
                       "Region of the body whose nodes may touch the surface.");
  declarations.declare("Surface", "half-plane",
                       Selection("half-plane|outside of circle|inside of circle|signed distance"),
                       "Rigid surface, and the side on which the body stays.");
  declarations.declare("Point", "0, 0", List(Double(), 2, 3),
                       "A point of the half-plane's edge, or the centre of the circle [L].");
  declarations.declare("Normal", "0, 1", List(Double(), 2, 3),
                       "Direction from the half-plane's edge to the body; any length.");
  declarations.declare("Radius", "1", PositiveDouble(), "Radius of the circle [L].");
  declarations.declare("Signed distance", "", Anything(),
                       "Formula of x, y [L] that is zero on the surface, grows with slope one and "
                       "is positive where the body may be.");
  for (const auto &component : components(2))
    declarations.declare("Motion " + component, "", Anything(),
                         "Displacement of the surface in the direction " + component +
                             ": a formula of t [L]; empty: fixed.");
}

void declare_law(ParameterDeclarations &declarations) {
  declarations.declare("Impact law", of_the_scheme, Selection(choice_of(impact_laws())),
                       "The impact law, if it shall be another than the scheme's.");
  declarations.declare("Restitution", "0", Double(0, 1),
                       "Newton's restitution coefficient e of the normal velocity.");
  declarations.declare("Tangential restitution", "0", Double(-1, 1),
                       "Restitution coefficient e_T of the tangential velocity, for the law moreau "
                       "(AC24, eq. 58).");
  declarations.declare("Dissipation index", "1", Double(0, 1),
                       "Index delta of the law dissipation-index: 0 conserves energy, 1 is "
                       "inelastic (Jean & Moreau 1991, eq. 6.3).");
  declarations.declare("Friction coefficient", "0", Double(0), "Coulomb's coefficient mu.");
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
  declarations.declare("Gap tolerance", "1e-12", Double(0),
                       "A gap up to this share of the local mesh size counts as closed. With the "
                       "bare test gap <= 0 round-off decides about nodes at rest.");
  for (const auto &name : named_subsections(file, section, "<name>")) {
    const Subsection of_pair(declarations, name);
    declare_surface(declarations);
    declare_law(declarations);
  }
}

namespace {

template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &input, const std::string &path,
                                           const Mesh<dim> &mesh) {
  const Parameters &parameters = input.parameters;
  const std::string kind = parameters.get(path + "Surface");
  auto surface = std::make_unique<Surface<dim>>();
  const dealii::Point<dim> point(input.vector<dim>(path + "Point"));
  if (kind == "half-plane") {
    const auto normal = input.vector<dim>(path + "Normal");
    if (!(normal.norm() > 0)) {
      parameters.report(path + "Normal", "the normal must not be zero", input.problems);
      return nullptr;
    }
    surface->shape = HalfPlane<dim>{point, normal / normal.norm()};
  } else if (kind == "signed distance") {
    auto distance = input.formula(path + "Signed distance");
    if (!distance) {
      if (parameters.get(path + "Signed distance").empty())
        parameters.report(path + "Signed distance", "a formula is needed for this surface",
                          input.problems);
      return nullptr;
    }
    if (distance->depends_on_time()) {
      parameters.report(path + "Signed distance",
                        "the formula must not depend on t; give 'Motion x' and 'Motion y'",
                        input.problems);
      return nullptr;
    }
    double size = 0;
    for (const auto &x : mesh.triangulation.get_vertices())
      size = std::max(size, x.distance(mesh.triangulation.get_vertices().front()));
    surface->shape = LevelSet{std::move(*distance), 0.1 * size};
  } else
    surface->shape =
        Ball<dim>{point, parameters.get_double(path + "Radius"), kind == "inside of circle"};

  for (const auto &component : components(dim))
    if (auto motion = input.formula(path + "Motion " + component)) {
      if (motion->depends_on_position())
        parameters.report(path + "Motion " + component,
                          "a rigid surface moves as a whole: the formula may depend on t only",
                          input.problems);
      while (surface->motion.size() < dim)
        surface->motion.emplace_back("0");
      surface->motion[component[0] - 'x'] = std::move(*motion);
    }
  return surface;
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
  const auto refuse_unused = [&](const std::string &entry, bool used) {
    if (!used && parameters.is_set(path + entry))
      parameters.report(path + entry,
                        "has no effect with this impact law; remove it or choose "
                        "another law",
                        input.problems);
  };
  refuse_unused("Tangential restitution", pair.law == ImpactLawKind::moreau);
  refuse_unused("Dissipation index", pair.law == ImpactLawKind::dissipation_index);
  refuse_unused("Restitution", pair.law != ImpactLawKind::dissipation_index);
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

template <int dim>
void read_contact(const CaseInput &input, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  const Scheme &of_scheme = scheme(c.scheme_name);
  c.choices.forecast = of_scheme.forecast;
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
    bool usable = true;
    try {
      if (c.mesh->region(pair.region).faces.empty())
        throw InputError("the region has no faces on the boundary of the body");
    } catch (const InputError &error) {
      parameters.report(path + "Region", error.what(), input.problems);
      usable = false;
    }
    read_law(input, path, of_scheme, pair);
    auto surface = read_surface<dim>(input, path, *c.mesh);
    if (surface && usable) {
      pair.surface = std::move(*surface);
      pairs.push_back(std::move(pair));
    }
  }
  c.contacts = std::make_unique<Contacts<dim>>(*c.body, std::move(pairs));
  c.warnings.insert(c.warnings.end(), c.contacts->remarks.begin(), c.contacts->remarks.end());
  warn_of_theta(c);
}

template void read_contact<2>(const CaseInput &, Case<2> &);

} // namespace percussion
