#include <percussion/dynamics/time_rule.h>

#include "contact_law_watch.h"
#include "parameter_sections.h"
#include <algorithm>
#include <iomanip>
#include <sstream>

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Selection;

namespace {

const std::string paper_choice = "as in the paper";

/// Returns the pattern "of the scheme|name|name…" for the rows of a table.
template <typename Table>
std::string choice_of(const Table &table) {
  std::string names = scheme_default;
  for (const auto &row : table)
    names += std::string("|") + row.name;
  return names;
}

bool has_multipliers(const Scheme &scheme) {
  return scheme.formulation == Formulation::multipliers;
}

void declare_law(ParameterDeclarations &declarations, Dimensions dimensions) {
  declarations.declare(
      "Impact law", scheme_default, Selection(choice_of(impact_laws()) + "|" + paper_choice),
      "Impact law of the contact. Default: dissipative for moreau-jean-fremond and "
      "fremond-gonzalez, persistent-dissipative for pdas-leapfrog, newton-coulomb for "
      "moreau-jean and augmented-lagrangian. As in the paper: the law with which a scheme was "
      "published, i.e. fremond for moreau-jean-fremond and fremond-gonzalez (AC24), persistent "
      "for pdas-leapfrog (BBDM24), the default for the others.");
  declarations.declare(
      "Restitution", "0", Double(0, 1),
      "Newton's coefficient of restitution e of the normal velocity [1], for all laws except "
      "dissipation-index, persistent and persistent-dissipative.");
  declarations.declare("Tangential restitution", "0", Double(-1, 1),
                       "Coefficient of restitution e_T of the tangential velocity [1], for the law "
                       "moreau only (AC24, eq. 58).");
  declarations.declare(
      "Dissipation index", "1", Double(0, 1),
      "Index delta [1], for the law dissipation-index only: 0 conserves energy, 1 is "
      "inelastic (JM91, eq. 6.3).");
  declare_friction(declarations, dimensions);
  declarations.declare(
      "Penalty stiffness", "0", Double(0),
      "Stiffness of the springs that replace contacts, for the schemes penalty and hauret [M "
      "L^-2 T^-2: pressure per penetration; for points of rigid bodies M T^-2: force per "
      "penetration]. 0: ten times the P-wave modulus of the body divided by the shortest edge "
      "at the node, i.e. ten times the stiffness of its elements (Abaqus' default). Nitsche's "
      "schemes use the stiffness as 1/gamma.",
      if_scheme(
          [](const Scheme &row) { return row.penalty != Penalty::none || has_multipliers(row); },
          "; Scheme = penalty or hauret has springs"));
  declarations.declare(
      "Points", scheme_default, Selection(scheme_default + "|nodes|quadrature points"),
      "Positions of the contacts of a region with a surface, rigid bodies or, by mortar, another "
      "region. Default: quadrature points of faces for augmented-lagrangian and Nitsche's method, "
      "nodes for the others. Among these, only penalty and hauret accept quadrature points: "
      "constraints there would outnumber the nodes. quadrature points of a mortar: two on an edge, "
      "three or four on a facet, on the side that carries the multipliers, with the velocity of "
      "the opposite side averaged around each point.");
  for (const std::string direction : {"Normal", "Tangential"})
    declarations.declare(
        direction + " augmentation", "0", Double(0),
        (direction == "Normal" ? "Parameter rho_n" : "Parameter rho_t") +
            std::string(" of the scheme augmented-lagrangian [M L^-2 T^-1: pressure per "
                        "velocity] (CA, eqs. 157 and 185). 0: a hundred times the spring "
                        "stiffness (see Penalty stiffness) times the step. Smaller values "
                        "permit more penetration, which costs energy."),
        if_scheme(has_multipliers, "; Scheme = augmented-lagrangian has augmentations"));
}

} // namespace

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file,
                     Dimensions dimensions) {
  const Subsection subsection(declarations, contact_section);
  declarations.declare(
      "Forecast", scheme_default, Selection(choice_of(forecasts())),
      "Criterion by which a step decides which gaps close. Default: position; leapfrog for the "
      "schemes whose description begins with Gonzalez; closing for both if Theta = 1 and "
      "Separating "
      "contacts = dissipative, and without inertia, because a point just above a surface would "
      "otherwise move freely for a whole long step. position: "
      "the position at the start of the step (AC24, eq. 64). prediction: the position predicted "
      "for its end (AC23, eq. 55). leapfrog: the position after half a step of the last motion "
      "(BBDM24, eq. 3.7). closing: as position, but contacts that would penetrate during the "
      "step participate, too; without restitution they close their gap and no more, which costs "
      "the energy p g/h.",
      if_scheme([](const Scheme &row) { return row.forecast != Forecast::trial; },
                ", which decides by trial which contacts are active"));
  declarations.declare(
      "Frames", scheme_default, Selection(choice_of(frame_choices())),
      "Configuration in which a step evaluates normals, lever arms and opposite points. "
      "Default: midpoint for the schemes whose description begins with Gonzalez, for Nitsche's "
      "schemes, and for all schemes with rigid bodies in 3D; start for the others, and for "
      "contacts between elastic bodies, whose velocities at the start alternate about the "
      "velocities of the step and predict no midpoint. start: the start of the step (AC24). A "
      "rigid body in 3D then feels percussions in its frame at the start: a spinning body gains "
      "or loses energy and angular momentum in proportion to the step. midpoint: the midpoint "
      "that the velocities at the start predict. reached midpoint: the midpoint that the step "
      "reaches, in a few repetitions. If theta = 1/2, normal percussions between bodies then "
      "have no moment, and keep the angular momentum to round-off.");
  declarations.declare("Separating contacts", "dissipative",
                       Selection("dissipative|as in the paper|inactive"),
                       "Law of a contact that is closed but separates at the beginning of a "
                       "step. dissipative: the law's offset contains zero instead of the "
                       "separation velocity, so that the normal work of every contact is <= 0 "
                       "with Fremond's law. as in the paper (AC24, eq. 73, without the second "
                       "condition of eq. 64): the normal work can be positive. inactive (AC24, eq. "
                       "64, and AC23, eq. 55, to the letter): the contact has no law in the step; "
                       "round-off then opens contacts at rest, until they penetrate. For the "
                       "forecasts position, prediction and leapfrog.",
                       if_scheme([](const Scheme &row) { return row.gap == GapLaw::rate; },
                                 ", whose condition is on gaps"));
  declarations.declare(
      "Position correction", "none", Selection("none|projection"),
      "Correction of the depths that contacts of rigid bodies reach before their detection, and "
      "that velocity laws preserve. none: no correction. projection: after each step the bodies "
      "are displaced, by least squares weighted by the mass, so that each contact loses a fifth "
      "of its depth, until 1e-6 of the body's size is left; less if the contact approaches or "
      "separates. Velocities do not change. The column work_position_correction of energy.csv "
      "contains the energy that the bodies gain against the loads. Only for cases without "
      "elastic bodies and links, and for schemes whose contact law is for velocities.");
  declarations.declare(
      "Gap tolerance", "1e-12", Double(0, 0.1),
      "Largest gap of a closed contact, as a fraction of the shortest edge at the node or of "
      "the diameter of the rigid body [1]. Bodies at rest may keep a gap of this size. If the "
      "tolerance is 0, rounding errors open the contacts of bodies at rest.");
  declare_node_inertia(declarations);
  for (const auto &name : named_subsections(declarations, file, contact_section, "<name>")) {
    const Subsection of_pair(declarations, name);
    declare_sides(declarations, dimensions);
    declare_reference_gaps(declarations);
    declare_law(declarations, dimensions);
  }
}

namespace {

std::string name_of(ImpactLawKind kind) {
  for (const auto &row : impact_laws())
    if (row.kind == kind)
      return row.name;
  return {};
}

/// True if a contact may have another impact law than the scheme.
bool takes_laws(const Scheme &scheme) {
  return scheme.gap == GapLaw::rate && scheme.forecast != Forecast::trial;
}

/// Reports entries that have no effect, because only schemes with contacts posed in velocities, or
/// with springs, use them.
template <int dim>
void refuse_idle_law(const CaseInput &input, const std::string &path, const Case<dim> &c,
                     const ContactPair<dim> &pair) {
  const Scheme &of_case = scheme(c.scheme_name);
  const std::string context = "with Scheme = " + c.scheme_name;
  const bool in_rates = of_case.gap == GapLaw::rate;
  input.refuse_unused(
      path + "Impact law",
      takes_laws(of_case) || input.parameters.get(path + "Impact law") == paper_choice,
      context + (in_rates ? ", whose contacts are persistent" : ", whose condition is on gaps"));
  if (has_multipliers(of_case) &&
      impact_law(pair.law, pair.restitution, c.choices.theta).takes_least_e_T)
    input.report(path + "Impact law",
                 context + ": the multipliers of a face act together, so that the work of a "
                           "single contact has no sign; fremond is dissipative as a whole");
}

/// Reports coefficients that the impact law does not use; a zero written by the user is accepted.
template <int dim>
void refuse_idle_restitution(const CaseInput &input, const std::string &path, const Case<dim> &c,
                             const ContactPair<dim> &pair) {
  const bool has_law = takes_laws(scheme(c.scheme_name));
  const std::string context =
      has_law ? "with the impact law " + name_of(pair.law) : "with Scheme = " + c.scheme_name;
  const bool index = pair.law == ImpactLawKind::dissipation_index;
  if (pair.restitution.normal != 0)
    input.refuse_unused(
        path + "Restitution",
        !index && (!is_persistent(pair.law) || c.choices.gap == GapLaw::two_steps),
        context + (index     ? "; give the Dissipation index delta = (1 - e)/(1 + e)"
                   : has_law ? "; Impact law = fremond has a restitution"
                             : "; moreau-jean-fremond and paoli-schatzman have a restitution"));
  if (pair.restitution.tangential != 0)
    input.refuse_unused(path + "Tangential restitution", pair.law == ImpactLawKind::moreau,
                        context +
                            "; Impact law = moreau has a tangential restitution (AC24, eq. 58)");
  input.refuse_unused(path + "Dissipation index", index,
                      context + "; Impact law = dissipation-index has an index");
}

/// Reports restitutions, which are velocities after impacts, of a case without inertia. Another θ
/// than 1 is reported elsewhere; it changes the restitutions of the papers' laws.
template <int dim>
void refuse_restitution(const CaseInput &input, const std::string &path, const Case<dim> &c,
                        const ContactPair<dim> &pair) {
  const ImpactLaw law = impact_law(pair.law, pair.restitution, c.choices.theta);
  if (!c.choices.has_inertia && c.choices.theta == 1 && (law.e != 0. || law.e_T != 0.))
    input.report(path + (pair.law == ImpactLawKind::dissipation_index ? "Dissipation index"
                         : law.e != 0.                                ? "Restitution"
                                                                      : "Tangential restitution"),
                 "with Time/Inertia = none there are no impacts, and a rebound has no meaning");
}

template <int dim>
void read_law(const CaseInput &input, const std::string &path, const Case<dim> &c,
              ContactPair<dim> &pair) {
  const Parameters &parameters = input.parameters;
  const std::string law = parameters.get(path + "Impact law");
  const Scheme &of_case = scheme(c.scheme_name);
  pair.law = law == paper_choice ? of_case.paper_law : of_case.law;
  for (const auto &row : impact_laws())
    if (law == row.name)
      pair.law = row.kind;
  pair.restitution = {parameters.get_double(path + "Restitution"),
                      parameters.get_double(path + "Tangential restitution"),
                      parameters.get_double(path + "Dissipation index")};
  read_friction(input, path, pair);
  pair.penalty_stiffness = parameters.get_double(path + "Penalty stiffness");
  refuse_idle_law(input, path, c, pair);
  refuse_idle_restitution(input, path, c, pair);
  refuse_restitution(input, path, c, pair);
}

/// True if faces of a pair may carry quadrature points: faces against surfaces and rigid bodies,
/// and faces with a mortar.
template <int dim>
bool accepts_quadrature_points(const ContactPair<dim> &pair) {
  return pair.region() && (!pair.is_on_faces() || pair.is_mortar());
}

/// Returns the default contact points: of the scheme where the sides accept them.
template <int dim>
ContactPoints default_points(const Scheme &scheme, const ContactPair<dim> &pair) {
  return accepts_quadrature_points(pair) ? scheme.contact_points() : ContactPoints::nodes;
}

/// Reports contact points that the scheme does not accept.
template <int dim>
void check_points(const CaseInput &input, const std::string &path, const Case<dim> &c,
                  const ContactPair<dim> &pair) {
  const Scheme &of_case = scheme(c.scheme_name);
  const std::string context = "with " + c.scheme_name, entry = path + "Points";
  const bool at_nodes = pair.contact_points == ContactPoints::nodes,
             has_stress = of_case.formulation == Formulation::nitsche;
  if (!at_nodes && of_case.penalty == Penalty::none &&
      of_case.formulation == Formulation::collocated)
    input.report(entry, context + " there would be more contact constraints than nodes; Scheme = "
                                  "penalty, hauret or augmented-lagrangian accepts quadrature "
                                  "points");
  if (at_nodes && has_stress && accepts_quadrature_points(pair))
    input.report(entry, context +
                            " the law is for the stress in faces; Scheme = penalty has contacts at "
                            "nodes");
  if (has_stress && pair.is_on_faces() && !pair.is_mortar())
    input.report(path + "Discretisation",
                 context + " the law is for the stress in faces, which only a mortar integrates; "
                           "Scheme = penalty has contacts at nodes and vertices");
  if (has_stress && of_case.symmetry != 0. && pair.is_self_contact())
    input.report_subsection(
        path.substr(0, path.size() - 1),
        context + " the stiffness contains terms of the stress of one side, and a boundary that "
                  "touches itself has no fixed side; Scheme = nitsche-nonsymmetric has no terms");
}

/// Reads the positions of the contact points and the choices that depend on them.
template <int dim>
void read_points(const CaseInput &input, const std::string &path, const Case<dim> &c,
                 ContactPair<dim> &pair) {
  const Scheme &of_case = scheme(c.scheme_name);
  const std::string chosen = input.parameters.get(path + "Points");
  input.refuse_unused(path + "Points", accepts_quadrature_points(pair),
                      pair.is_on_faces() ? "with contacts of nodes or vertices on faces; "
                                           "Discretisation = mortar accepts quadrature points"
                                         : "unless the contact has a Region");
  pair.contact_points = chosen == scheme_default || !accepts_quadrature_points(pair)
                            ? default_points(of_case, pair)
                        : chosen == "nodes" ? ContactPoints::nodes
                                            : ContactPoints::quadrature;
  check_points(input, path, c, pair);
  const bool is_integrated = pair.contact_points == ContactPoints::quadrature;
  if (is_integrated) {
    pair.formulation = of_case.formulation;
    pair.symmetry = of_case.symmetry;
  }
  for (const std::string direction : {"Normal", "Tangential"})
    if (has_multipliers(of_case))
      input.refuse_unused(path + direction + " augmentation", is_integrated,
                          "with contacts at nodes, whose multipliers are their forces; Points = "
                          "quadrature points has augmentations");
  pair.normal_augmentation = input.parameters.get_double(path + "Normal augmentation");
  pair.tangential_augmentation = input.parameters.get_double(path + "Tangential augmentation");
}

/// Returns the regions whose stress is in the stiffness, in a contact by Nitsche's method.
template <int dim>
std::vector<std::string> stressed_regions(const Boundary<dim> &boundary, unsigned int pair) {
  const ContactPair<dim> &of_pair = boundary.pairs[pair];
  if (of_pair.formulation != Formulation::nitsche || of_pair.symmetry == 0.)
    return {};
  return of_pair.is_on_faces() ? boundary.carriers[pair] : std::vector{*of_pair.region()};
}

/// Reports faces whose stress enters the stiffness by two contacts. The terms of one contact are
/// for faces that this contact presses; the pressure of another contact would appear as an error.
template <int dim>
void refuse_repeated_stress(const CaseInput &input, const Case<dim> &c) {
  const Boundary<dim> &boundary = *c.boundary;
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
    for (unsigned int j = 0; j < i; ++j)
      for (const auto &name : stressed_regions(boundary, i))
        for (const auto &repeated : stressed_regions(boundary, j)) {
          const auto first = c.bodies->region(name), second = c.bodies->region(repeated);
          if (first.body == second.body && have_common_faces(*first.region, *second.region))
            return input.report_subsection(
                contact_section + "/" + boundary.pairs[i].name,
                "with " + c.scheme_name +
                    " the stiffness contains terms of the stress of region '" + name +
                    "', whose faces contact '" + boundary.pairs[j].name +
                    "' has added already; Scheme = nitsche-nonsymmetric has no terms");
        }
}

/// Warns of a theta above its bound (AC24, eq. 87).
template <int dim>
void warn_of_theta(const CaseInput &input, Case<dim> &c) {
  const double theta = c.choices.theta;
  if (c.choices.integrator != Integrator::theta)
    return;
  const auto warn = [&](const std::string &reason) {
    c.warnings.push_back(input.parameters.remark("Time/Theta", reason));
  };
  if (theta < 0.5)
    warn("below 1/2 the scheme produces energy (AC24, eq. 87)");
  for (const auto &pair : c.boundary->pairs) {
    const double e = impact_law(pair.law, pair.restitution, theta).e;
    if (c.choices.gap == GapLaw::rate && theta > theta_bound(e) * (1 + 1e-14)) {
      std::ostringstream reason;
      reason << "above 1/(1 + e) = " << theta_bound(e) << ", for contact '" << pair.name
             << "' with e = " << e << ", an impact can produce energy (AC24, eq. 87)";
      warn(reason.str());
    }
  }
}

/// Warns of springs that conserve energy and whose motion the steps cannot resolve: nothing brings
/// a light body to rest on them.
template <int dim>
void warn_of_unresolved_springs(const CaseInput &input, Case<dim> &c) {
  constexpr double most_transits = 1000;
  if (c.choices.penalty != Penalty::conserving)
    return;
  for (const auto &pair : c.boundary->pairs)
    if (const double n = transits_of_step(pair, c); n > most_transits) {
      std::ostringstream reason;
      reason << "contact '" << pair.name << "': a step is " << std::setprecision(2) << n
             << " of the transit time of a wave through the shortest edge, and springs with the "
                "mean force of a step can throw so light a body off; take Scheme = penalty, or "
                "moreau-jean-fremond with Theta = 1";
      c.warnings.push_back(input.parameters.remark("Time/Scheme", reason.str()));
      return;
    }
}

template <int dim>
void warn_of_predicted_faces(const CaseInput &input, Case<dim> &c) {
  const auto is_between_elastic = [](const ContactPair<dim> &pair) {
    return pair.is_on_faces() && pair.bodies().empty();
  };
  const auto &pairs = c.boundary->pairs;
  const auto found = std::find_if(pairs.begin(), pairs.end(), is_between_elastic);
  if (c.choices.predicts_faces && found != pairs.end())
    c.warnings.push_back(input.parameters.remark(
        contact_section + "/Frames",
        "contact '" + found->name +
            "' is between elastic bodies, whose contact nodes have velocities at the start of a "
            "step that alternate about the velocities of the step: the nodes sink in a little in "
            "each step; Frames = start or reached midpoint prevents this"));
}

/// True if the motion of all candidate contacts of a pair on faces is prescribed.
template <int dim>
bool all_is_held(const Boundary<dim> &boundary, unsigned int pair) {
  const auto is_held = [&](unsigned int first_entry) {
    for (unsigned int d = 0; d < dim; ++d)
      if (!boundary.trace.is_prescribed(first_entry + d))
        return false;
    return true;
  };
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i) {
    const ContactPoint<dim> &point = boundary.points[i];
    if (!is_held(point.entry))
      return false;
    if (point.opposite_facets)
      for (const auto &node : boundary.facets[*point.opposite_facets].nodes)
        if (!is_held(node.entry))
          return false;
  }
  return true;
}

/// True if a contact pair has no candidate contacts.
template <int dim>
bool is_idle(const Boundary<dim> &boundary, unsigned int pair) {
  if (boundary.pairs[pair].is_on_faces())
    return all_is_held(boundary, pair);
  const auto &bodies = boundary.pairs[pair].bodies(),
             &opposite_bodies = boundary.pairs[pair].opposite_bodies();
  if (bodies.empty() || opposite_bodies.empty())
    return boundary.first_point[pair] == boundary.first_point[pair + 1];
  for (const unsigned int a : bodies)
    for (const unsigned int b : opposite_bodies)
      if (boundary.admits_contact(pair, a, b))
        return false;
  return true;
}

template <int dim>
void refuse_idle_contacts(const CaseInput &input, const Boundary<dim> &boundary) {
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i)
    if (const auto &pair = boundary.pairs[i]; is_idle(boundary, i))
      input.report_subsection(contact_section + "/" + pair.name,
                              "this has no effect: the motion of all " +
                                  (pair.region() ? "nodes of region '" + *pair.region() + "'"
                                                 : std::string("its bodies")) +
                                  " is prescribed");
}

/// Reports contact points given by the user to a body that no contact brings to a surface.
template <int dim>
void refuse_idle_contact_points(const CaseInput &input, const RigidInput<dim> &rigid,
                                const std::vector<ContactPair<dim>> &pairs) {
  std::vector<bool> meets_surface(rigid.bodies.size(), false);
  for (const auto &pair : pairs)
    for (const unsigned int body : pair.bodies())
      meets_surface[body] = meets_surface[body] || !pair.is_between_bodies();
  for (const auto &[name, copies] : rigid.sections)
    input.refuse_unused(
        "Rigid bodies/" + name + "/Contact points",
        std::any_of(copies.begin(), copies.end(), [&](unsigned int b) { return meets_surface[b]; }),
        "unless the body may touch a surface; contacts with other bodies use its vertices");
}

/// Returns the contacts without errors; the others are reported.
template <int dim>
std::vector<ContactPair<dim>> read_pairs(const CaseInput &input, const RigidInput<dim> &rigid,
                                         const Case<dim> &c) {
  std::vector<ContactPair<dim>> pairs;
  for (const auto &name : input.subsections(contact_section)) {
    ContactPair<dim> pair;
    pair.name = name;
    pair.gap_tolerance = input.parameters.get_double(contact_section + "/Gap tolerance");
    input.refuse_idle_entries(contact_section + "/" + name);
    read_law(input, contact_section + "/" + name + "/", c, pair);
    if (!read_sides(input, rigid, c, pair))
      continue;
    read_points(input, contact_section + "/" + name + "/", c, pair);
    if (c.choices.penalty != Penalty::none && !pair.region() && pair.penalty_stiffness == 0.)
      input.report(contact_section + "/" + name + "/Penalty stiffness",
                   "points of rigid bodies need a stiffness with Scheme = " + c.scheme_name);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// Chooses the frames of the scheme, except for rigid bodies in 3D. Percussions rotate these bodies
/// in their own frames; frames taken at the start of a step would be of first order only.
template <int dim>
void read_frames(const CaseInput &input, Case<dim> &c) {
  if (dim == 3 && !c.bodies->rigid.empty() && c.choices.frames == Frames::start)
    c.choices.frames = Frames::midpoint;
  for (const auto &row : frame_choices())
    if (input.parameters.get(contact_section + "/Frames") == row.name) {
      c.choices.frames = row.frames;
      c.choices.predicts_faces = row.frames == Frames::midpoint;
    }
}

/// Chooses the forecast of the scheme, except for the implicit Euler method, whose steps are long.
template <int dim>
void read_forecast(const CaseInput &input, Case<dim> &c) {
  const Scheme &of_scheme = scheme(c.scheme_name);
  const std::string entry = contact_section + "/Forecast";
  const bool is_collocated = of_scheme.formulation == Formulation::collocated;
  const bool in_rates = is_collocated && of_scheme.gap == GapLaw::rate;
  const bool is_implicit = c.choices.theta == 1. && of_scheme.forecast != Forecast::trial &&
                           c.choices.separating == SeparatingContacts::dissipative;
  if (in_rates && (is_implicit || !c.choices.has_inertia))
    c.choices.forecast = Forecast::closing;
  for (const auto &row : forecasts())
    if (input.parameters.get(entry) == row.name)
      c.choices.forecast = row.forecast;
  const bool by_gap = c.choices.forecast == Forecast::position ||
                      c.choices.forecast == Forecast::prediction ||
                      c.choices.forecast == Forecast::leapfrog;
  if (!c.choices.has_inertia && in_rates && c.choices.forecast != Forecast::closing)
    input.report(entry, "with Time/Inertia = none a contact that closes in a step would penetrate "
                        "by the whole step; take closing");
  else if (c.choices.separating == SeparatingContacts::inactive && in_rates && !by_gap)
    input.report(contact_section + "/Separating contacts",
                 "inactive is for forecasts by the gap, and this forecast makes contacts active "
                 "that are open at the beginning of the step; take Forecast = position");
  if (c.choices.forecast == Forecast::closing && !in_rates)
    input.report(entry, "closing is for contacts with a law for their velocities; with Scheme = " +
                            c.scheme_name + " take position");
}

template <int dim>
void read_position_correction(const CaseInput &input, Case<dim> &c) {
  const std::string entry = contact_section + "/Position correction";
  if (input.parameters.get(entry) == "none")
    return;
  const auto report = [&](const std::string &reason) { input.report(entry, reason); };
  c.choices.position_correction = PositionCorrection::projection;
  if (!c.bodies->elastic.empty())
    report("the correction moves rigid bodies only, and would deform elastic bodies; it requires a "
           "case without elastic bodies");
  else if (!input.subsections("Links").empty())
    report("the correction would separate linked bodies; it requires a case without links");
  else if (c.choices.gap != GapLaw::rate || c.choices.forecast == Forecast::trial)
    report("this has no effect with Scheme = " + c.scheme_name + ", whose condition is on gaps");
}

} // namespace

template <int dim>
void read_contact(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  const Parameters &parameters = input.parameters;
  const Scheme &of_scheme = scheme(c.scheme_name);
  c.choices.use(of_scheme);
  input.refuse_idle_entries(contact_section);
  const std::string separating = parameters.get(contact_section + "/Separating contacts");
  c.choices.separating = separating == "dissipative" ? SeparatingContacts::dissipative
                         : separating == "inactive"  ? SeparatingContacts::inactive
                                                     : SeparatingContacts::as_in_paper;
  read_forecast(input, c);
  read_frames(input, c);
  read_position_correction(input, c);

  auto pairs = read_pairs(input, rigid, c);
  refuse_repeated_contacts(input, *c.bodies, pairs);
  if (input.problems.empty()) // errors may have removed a contact
    if constexpr (dim == 2)
      refuse_idle_contact_points(input, rigid, pairs);
  try {
    c.boundary = std::make_unique<Boundary<dim>>(*c.bodies, std::move(pairs));
  } catch (const InputError &error) {
    input.report_subsection(contact_section, error.what());
    c.boundary = std::make_unique<Boundary<dim>>(*c.bodies, std::vector<ContactPair<dim>>());
    return;
  }
  if (!c.meshes.empty()) {
    redistribute_inertia(input, c);
    refuse_repeated_stress(input, c);
    add_nitsche_terms(*c.boundary, c.bodies->operators.stiffness);
  }
  refuse_idle_contacts(input, *c.boundary);
  check_friction(input, c);
  c.warnings.insert(c.warnings.end(), c.boundary->remarks.begin(), c.boundary->remarks.end());
  warn_of_theta(input, c);
  warn_of_unresolved_springs(input, c);
  warn_of_predicted_faces(input, c);
}

template void read_contact<2>(const CaseInput &, const RigidInput<2> &, Case<2> &);
template void read_contact<3>(const CaseInput &, const RigidInput<3> &, Case<3> &);

} // namespace percussion
