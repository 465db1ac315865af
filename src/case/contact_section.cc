#include <percussion/base/format.h>
#include <percussion/contact/reference_gaps.h>
#include <percussion/input/section_table.h>

#include "parameter_sections.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

using dealii::Patterns::Double;

namespace {

const std::string begin_closed_entry = "Begin closed up to";
const std::string overlap_entry = "Initial overlap", resolved_words = "resolved over";

/// Table of the entries for all pairs.
SectionTable<StepChoices> contact_table() {
  SectionTable<StepChoices> table(contact_section);
  table
      .add_choice(
          "Forecast", scheme_default, choices_of(forecasts(), &ForecastEntry::forecast),
          "Criterion by which a step decides which gaps close. Default: position; leapfrog for the "
          "schemes with Gonzalez' midpoint rule; closing for both if Theta = 1 and Separating "
          "contacts = dissipative, and without inertia. position: the position at the start of the "
          "step (AC24, eq. 64). prediction: the position predicted for its end (AC23, eq. 55). "
          "leapfrog: the position after half a step of the last motion (BBDM24, eq. 3.7). closing: "
          "as position, and contacts that would penetrate during the step; without restitution "
          "they close their gap, which costs the energy p g/h.",
          &StepChoices::forecast)
      .used_if(if_scheme([](const Scheme &row) { return row.forecast != Forecast::trial; },
                         ", which decides by trial which contacts are active"));
  table.add_choice(
      "Frames", scheme_default, choices_of(frame_choices(), &FramesEntry::frames),
      "Configuration in which a step evaluates normals, lever arms and opposite points. Default: "
      "normal rows of elastic bodies, except of nodes on a half-plane, give the change of the gap "
      "over the step, so that sliding faces keep their contact; with a value, gaps drift there. "
      "Other contacts, and the first solution of a step: midpoint for the schemes with Gonzalez' "
      "midpoint rule, for Nitsche's schemes, and for all schemes with rigid bodies in 3D or on "
      "curved surfaces; start for the others, and for contacts between elastic bodies. start: the "
      "start of the step "
      "(AC24); a body that spins in 3D then gains or loses energy and angular momentum in "
      "proportion to the step. midpoint: the midpoint that the velocities at the start predict. "
      "reached midpoint: the midpoint that the step reaches, in a few repetitions; if theta = 1/2, "
      "normal percussions between bodies then keep the angular momentum to round-off.",
      &StepChoices::frames);
  table
      .add_choice<SeparatingContacts>(
          "Separating contacts",
          {{"dissipative", SeparatingContacts::dissipative},
           {"as in the paper", SeparatingContacts::as_in_paper},
           {"inactive", SeparatingContacts::inactive}},
          "Law of a contact that is closed but separates at the beginning of a step. dissipative: "
          "the law's offset contains zero instead of the separation velocity, so that the normal "
          "work is <= 0 with Fremond's law. as in the paper (AC24, eq. 73, without the second "
          "condition of eq. 64): the normal work can be positive. inactive (AC24, eq. 64, and "
          "AC23, eq. 55, to the letter): no law in the step; round-off opens contacts at rest, "
          "until they penetrate. For the forecasts position, prediction and leapfrog.",
          &StepChoices::separating)
      .used_if(if_scheme([](const Scheme &row) { return row.gap == GapLaw::rate; },
                         ", whose condition is on gaps"));
  table.add_choice<PositionCorrection>(
      "Position correction",
      {{"none", PositionCorrection::none}, {"projection", PositionCorrection::projection}},
      "Correction of the depths that contacts of rigid bodies reach before their detection, and "
      "that velocity laws preserve. projection: after each step the bodies are displaced, by least "
      "squares weighted by the mass, so that each contact loses a fifth of its depth, until 1e-6 "
      "of the body's size is left. Velocities do not change. The energy gained against the loads "
      "is work_position_correction in energy.csv. Without elastic bodies and links, for schemes "
      "whose contact law is for velocities.",
      &StepChoices::position_correction);
  table.add("Gap tolerance", "1e-12", Double(0, 0.1),
            "Largest gap of a closed contact, as a fraction of the shortest edge at the node or of "
            "the diameter of the rigid body [1]. Bodies at rest may keep such a gap. With 0 "
            "round-off opens their contacts.");
  table.add(declare_node_inertia);
  return table;
}

} // namespace

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file,
                     Dimensions dimensions) {
  contact_table().declare(declarations);
  const Subsection subsection(declarations, contact_section);
  for (const auto &name : named_subsections(declarations, file, contact_section, "<name>")) {
    const Subsection pair_section(declarations, name);
    declare_sides(declarations, dimensions);
    declarations.declare(
        begin_closed_entry, "0", Double(0),
        "Largest gap or overlap of the undeformed bodies that counts as closed [L]: the contact "
        "measures its gap from this reference. For matching curved surfaces, whose facets leave "
        "gaps and overlaps of (facet)^2 / (8 radius). A point keeps its reference when it slides "
        "or lands elsewhere; its gap is wrong there by at most this length. 0: none.");
    declarations.declare(
        overlap_entry, "",
        Described("kept, refused, or 'resolved over' and a time, such as 'resolved over 0.1'"),
        "Treatment of points of a Region that begin inside of the opposite side. kept: their gaps "
        "are measured from the overlap, which does not press. resolved over TIME: the overlap that "
        "does not press shrinks to zero in proportion to the time (interference fits); its work is "
        "part of work_prescribed. refused: any overlap is an error. Default: overlaps up to 0.05 "
        "of the edges of meshed curved faces, and overlaps with surfaces, are accepted; without "
        "inertia the first step pushes them out, with inertia they stay.");
    declare_law(declarations, file, dimensions);
  }
}

namespace {

/// Reports contact points given by the user to a body that no contact brings to a surface.
template <int dim>
void refuse_idle_contact_points(const CaseInput &input, const RigidInput<dim> &rigid,
                                const std::vector<ContactPair<dim>> &pairs) {
  std::vector<bool> meets_surface(rigid.bodies.size(), false);
  for (const auto &pair : pairs)
    for (const unsigned int body : pair.bodies())
      meets_surface[body] = meets_surface[body] || !pair.is_between_bodies();
  for (const auto &[name, copies] : rigid.sections)
    input.in(rigid_section + "/" + name)
        .refuse_unused(
            "Contact points",
            std::any_of(copies.begin(), copies.end(),
                        [&](unsigned int b) { return meets_surface[b]; }),
            "unless the body may touch a surface; contacts with other bodies use its vertices");
}

/// Reads the treatment of overlaps; errors are reported.
template <int dim>
InitialOverlap read_initial_overlap(const CaseInput &section, const Case<dim> &c) {
  using Treatment = InitialOverlap::Treatment;
  InitialOverlap overlap;
  const std::string text = section.get(overlap_entry);
  overlap.begin = c.span.start;
  if (text == "kept")
    overlap.treatment = Treatment::kept;
  else if (text == "refused")
    overlap.treatment = Treatment::refused;
  else if (begins_with(text, resolved_words)) {
    overlap.treatment = Treatment::resolved;
    try {
      const Expression duration(text.substr(resolved_words.size()), section.words);
      overlap.duration =
          duration.depends_on_time() || duration.depends_on_position() ? 0. : duration(0., {});
    } catch (const InputError &) {
    } catch (const RunError &) {
    }
    if (!(overlap.duration > 0. && std::isfinite(overlap.duration))) {
      section.report(overlap_entry, "the time must be a number > 0 or a formula of constants");
      overlap.duration = 1.;
    }
  } else if (!text.empty())
    section.report(overlap_entry, "allowed is kept, refused, or 'resolved over' and a time");
  return overlap;
}

/// Returns the contacts without errors; the others are reported.
template <int dim>
std::vector<ContactPair<dim>> read_pairs(const CaseInput &input, const RigidInput<dim> &rigid,
                                         const Case<dim> &c) {
  std::vector<ContactPair<dim>> pairs;
  const CaseInput contacts = input.in(contact_section);
  for (const auto &name : input.subsections(contact_section)) {
    const CaseInput section = contacts.in(name);
    ContactPair<dim> pair;
    pair.name = name;
    pair.gap_tolerance = contacts.number("Gap tolerance");
    pair.largest_reference_gap = section.number(begin_closed_entry);
    pair.initial_overlap = read_initial_overlap(section, c);
    section.refuse_idle_entries();
    read_law(section, c, pair);
    if (!read_sides(section, rigid, c, pair))
      continue;
    section.refuse_unused(overlap_entry, pair.region() != nullptr,
                          "without Region: overlaps of rigid bodies stay");
    read_points(section, c, pair);
    read_bond(section, c, pair);
    if (c.choices.penalty != Penalty::none && !pair.region() && pair.penalty_stiffness == 0.)
      section.report("Penalty stiffness",
                     "points of rigid bodies need a stiffness with Scheme = " + c.scheme_name);
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

/// Replaces the forecast of the scheme for the implicit Euler method, whose steps are long, and
/// reports a forecast that does not suit the scheme.
template <int dim>
void adapt_forecast(const CaseInput &input, Case<dim> &c) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  const CaseInput section = input.in(contact_section);
  const std::string entry = "Forecast";
  const bool is_collocated = case_scheme.formulation == Formulation::collocated;
  const bool has_rate_gap = is_collocated && case_scheme.gap == GapLaw::rate;
  const bool is_implicit = c.choices.theta == 1. && case_scheme.forecast != Forecast::trial &&
                           c.choices.separating == SeparatingContacts::dissipative;
  if (has_rate_gap && (is_implicit || !c.choices.has_inertia) &&
      section.get(entry) == scheme_default)
    c.choices.forecast = Forecast::closing;
  const bool forecasts_gap = c.choices.forecast == Forecast::position ||
                             c.choices.forecast == Forecast::prediction ||
                             c.choices.forecast == Forecast::leapfrog;
  if (!c.choices.has_inertia && has_rate_gap && c.choices.forecast != Forecast::closing)
    section.report(entry,
                   "with Time/Inertia = none a contact that closes in a step would penetrate "
                   "by the whole step; take closing");
  else if (c.choices.separating == SeparatingContacts::inactive && has_rate_gap && !forecasts_gap)
    section.report("Separating contacts",
                   "inactive is for forecasts by the gap, and this forecast makes contacts active "
                   "that are open at the beginning of the step; take Forecast = position");
  if (c.choices.forecast == Forecast::closing && !has_rate_gap)
    section.report(entry,
                   "closing is for contacts with a law for their velocities; with Scheme = " +
                       c.scheme_name + " take position");
}

template <int dim>
void check_position_correction(const CaseInput &input, const Case<dim> &c) {
  if (c.choices.position_correction == PositionCorrection::none)
    return;
  const auto report = [&](const std::string &reason) {
    input.in(contact_section).report("Position correction", reason);
  };
  if (!c.bodies->elastic.empty())
    report("the correction moves rigid bodies only, and would deform elastic bodies; it requires a "
           "case without elastic bodies");
  else if (has_links(input))
    report(
        "the correction would separate linked bodies; it requires a case without links and joints");
  else if (c.choices.gap != GapLaw::rate || c.choices.forecast == Forecast::trial)
    report("this has no effect with Scheme = " + c.scheme_name + ", whose condition is on gaps");
}

/// True if frames of the start of a step would be of first order only for rigid bodies: percussions
/// rotate them in 3D in their own frames, surfaces that turn take their frames along, and on curved
/// ones bodies would drift by the curvature of their path.
template <int dim>
bool frames_turn(const CaseInput &input) {
  const auto names = input.subsections(contact_section);
  return dim == 3 || std::any_of(names.begin(), names.end(), [&](const std::string &name) {
           const CaseInput contact = input.in(contact_section + "/" + name);
           const std::string surface = contact.get("Surface");
           const bool is_curved = begins_with(surface, "outside of") ||
                                  begins_with(surface, "inside of") || surface == "signed distance";
           return contact.has("Motion angle") || (is_curved && !contact.get("Bodies").empty());
         });
}

} // namespace

template <int dim>
void read_contact(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c) {
  c.choices.use(scheme(c.scheme_name));
  if (frames_turn<dim>(input) && !c.bodies->rigid.empty() && c.choices.frames == Frames::start)
    c.choices.frames = Frames::midpoint;
  contact_table().read(input.parameters, c.choices);
  const std::string frames = input.in(contact_section).get("Frames");
  c.choices.predicts_faces = frames == "midpoint";
  if (frames != scheme_default)
    c.choices.normal_rows = NormalRows::frames;
  input.in(contact_section).refuse_idle_entries();
  adapt_forecast(input, c);
  check_position_correction(input, c);

  auto pairs = read_pairs(input, rigid, c);
  refuse_repeated_contacts(input, *c.bodies, pairs);
  if (input.problems.empty()) // errors may have removed a contact
    if constexpr (dim == 2)
      refuse_idle_contact_points(input, rigid, pairs);
  try {
    c.boundary = std::make_unique<Boundary<dim>>(*c.bodies, std::move(pairs));
  } catch (const InputError &error) {
    input.in(contact_section).report_section(error.what());
    c.boundary = std::make_unique<Boundary<dim>>(*c.bodies, std::vector<ContactPair<dim>>());
    return;
  }
  if (!c.meshes.empty()) {
    redistribute_inertia(input, c);
    add_nitsche_terms(*c.boundary, c.bodies->operators.stiffness);
  }
  check_contacts(input, c);
}

namespace {

/// Largest reference gap, as a fraction of the shortest edge of the faces: for larger ones, the
/// side of a body on which a node lies is uncertain.
constexpr double largest_fraction_of_edge = 0.5;

/// Returns the shortest edge of the faces on both sides of a contact on faces [length]; infinite
/// for other contacts.
template <int dim>
double shortest_edge_of(const Boundary<dim> &boundary, unsigned int pair) {
  double shortest = std::numeric_limits<double>::infinity();
  for (unsigned int i = boundary.first_point[pair]; i < boundary.first_point[pair + 1]; ++i)
    for (const unsigned int side : facets_of(boundary.points[i]))
      for (const auto &node : boundary.facets[side].nodes)
        shortest = std::min(shortest, node.size);
  return shortest;
}

/// Returns the gap of a pair that is nearest to zero; infinite if the pair has no contacts.
template <int dim>
double nearest_gap(const ContactList<dim> &found, unsigned int pair) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto &contact : found.contacts)
    if (contact.key.pair == pair && std::abs(contact.gap) < std::abs(nearest))
      nearest = contact.gap;
  return nearest;
}

} // namespace

template <int dim>
void read_reference_gaps(const CaseInput &input, Case<dim> &c) {
  Boundary<dim> &boundary = *c.boundary;
  const CaseInput contacts = input.in(contact_section);
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto &pair = boundary.pairs[i];
    if (const double edge = shortest_edge_of(boundary, i);
        pair.largest_reference_gap > largest_fraction_of_edge * edge)
      contacts.in(pair.name).report(
          begin_closed_entry,
          format("allowed is at most half of the shortest edge of the faces, %.4g", edge));
  }
  if (!input.problems.empty())
    return;
  measure_reference_gaps(boundary);
  check_bonds(input, c);
  for (unsigned int i = 0; i < boundary.pairs.size(); ++i) {
    const auto &pair = boundary.pairs[i];
    if (pair.initial_overlap.is_reference() &&
        std::none_of(boundary.reference_gaps.begin(), boundary.reference_gaps.end(),
                     [i](const ReferenceGap &reference) {
                       return reference.key.pair == i && reference.gap < 0.;
                     }))
      contacts.in(pair.name).report(
          overlap_entry,
          "this has no effect: no point of this contact begins inside of the opposite side");
    if (pair.largest_reference_gap == 0. ||
        std::any_of(boundary.reference_gaps.begin(), boundary.reference_gaps.end(),
                    [i](const ReferenceGap &reference) { return reference.key.pair == i; }))
      continue;
    const double nearest = nearest_gap(ContactFinder<dim>(boundary).find_undeformed(), i);
    contacts.in(pair.name).report(
        begin_closed_entry,
        "this has no effect: no point of this contact begins with a gap of at most this length" +
            (std::isfinite(nearest) ? format("; the gap nearest to zero is %.4g", nearest) : ""));
  }
}

PERCUSSION_INSTANTIATE(read_contact);
PERCUSSION_INSTANTIATE(read_reference_gaps);

} // namespace percussion
