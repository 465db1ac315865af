#include <percussion/input/section_table.h>

#include "parameter_sections.h"

namespace percussion {

using dealii::Patterns::Double;
using dealii::Patterns::Selection;

namespace {

bool has_multipliers(const Scheme &scheme) {
  return scheme.formulation == Formulation::multipliers;
}

/// Table of the entries on the law of a pair, in a case with a scheme.
template <int dim>
SectionTable<ContactPair<dim>> law_table(Dimensions dimensions, const Scheme &case_scheme,
                                         const ParameterFile *file) {
  using Pair = ContactPair<dim>;
  auto laws = choices_of(impact_laws(), &ImpactLawEntry::kind);
  laws.push_back({"as in the paper", case_scheme.paper_law});
  SectionTable<Pair> table;
  table.add_choice(
      "Impact law", scheme_default, laws,
      "Impact law of the contact. Default: dissipative for moreau-jean-fremond and "
      "fremond-gonzalez, persistent-dissipative for pdas-leapfrog, newton-coulomb for "
      "moreau-jean and augmented-lagrangian. As in the paper: the law with which a scheme was "
      "published, i.e. fremond for moreau-jean-fremond and fremond-gonzalez (AC24), persistent "
      "for pdas-leapfrog (BBDM24), the default for the others.",
      &Pair::law);
  table.add("Restitution", "0", Double(0, 1),
            "Newton's coefficient of restitution e of the normal velocity [1], for all laws except "
            "dissipation-index, persistent and persistent-dissipative.",
            &Pair::restitution, &Restitution::normal);
  table.add("Tangential restitution", "0", Double(-1, 1),
            "Coefficient of restitution e_T of the tangential velocity [1], for the law "
            "moreau only (AC24, eq. 58).",
            &Pair::restitution, &Restitution::tangential);
  table.add("Dissipation index", "1", Double(0, 1),
            "Index delta [1], for the law dissipation-index only: 0 conserves energy, 1 is "
            "inelastic (JM91, eq. 6.3).",
            &Pair::restitution, &Restitution::dissipation_index);
  table.add([=](ParameterDeclarations &d) { declare_friction(d, file, dimensions); });
  table.add(
      "Wear coefficient", "0", Double(0),
      "Archard's coefficient of wear over the hardness [M^-1 L T^2: depth per slip and pressure]. "
      "The field wear is the depth lost; the bodies keep their shape. For contacts with a Region.",
      &Pair::wear_coefficient);
  table.add([=](ParameterDeclarations &d) { declare_bond(d); });
  table
      .add("Penalty stiffness", "0", Double(0),
           "Stiffness of the springs of the schemes penalty and hauret [M L^-2 T^-2: pressure per "
           "penetration; for points of rigid bodies M T^-2: force per penetration]. 0: ten times "
           "the P-wave modulus of the body over the shortest edge at the node (Abaqus' default). "
           "Nitsche's schemes use the stiffness as 1/gamma.",
           &PairFormulation::penalty_stiffness)
      .used_if(if_scheme(
          [](const Scheme &row) { return row.penalty != Penalty::none || has_multipliers(row); },
          "; Scheme = penalty or hauret has springs"));
  table.add(
      "Points", scheme_default, Selection(scheme_default + "|nodes|quadrature points"),
      "Positions of the contacts of a region with a surface, rigid bodies or, by mortar, another "
      "region. Default: quadrature points of faces for augmented-lagrangian and Nitsche's method, "
      "nodes for the others, of which penalty and hauret accept quadrature points. In a mortar: "
      "two on an edge, three or four on a facet, on the side that carries the multipliers, with "
      "the velocity of the opposite side averaged around each point.");
  for (const std::string direction : {"Normal", "Tangential"})
    table
        .add(direction + " augmentation", "0", Double(0),
             "Parameters rho_n and rho_t of the scheme augmented-lagrangian [M L^-2 T^-1: pressure "
             "per velocity] (CA, eqs. 157 and 185). 0: a hundred times the spring stiffness (see "
             "Penalty stiffness) times the step. Smaller values permit more penetration, which "
             "costs energy.",
             direction == "Normal" ? &PairFormulation::normal_augmentation
                                   : &PairFormulation::tangential_augmentation)
        .used_if(if_scheme(has_multipliers, "; Scheme = augmented-lagrangian has augmentations"));
  return table;
}

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
void refuse_idle_law(const CaseInput &section, const Case<dim> &c, const ContactPair<dim> &pair) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  const std::string context = "with Scheme = " + c.scheme_name;
  const bool has_rate_gap = case_scheme.gap == GapLaw::rate;
  section.refuse_unused("Impact law",
                        takes_laws(case_scheme) || section.get("Impact law") == "as in the paper",
                        context + (has_rate_gap ? ", whose contacts are persistent"
                                                : ", whose condition is on gaps"));
  if (has_multipliers(case_scheme) &&
      impact_law(pair.law, pair.restitution, c.choices.theta).takes_least_e_T)
    section.report("Impact law",
                   context + ": the multipliers of a face act together, so that the work of a "
                             "single contact has no sign; fremond is dissipative as a whole");
}

/// Reports coefficients that the impact law does not use; a zero written by the user is accepted.
template <int dim>
void refuse_idle_restitution(const CaseInput &section, const Case<dim> &c,
                             const ContactPair<dim> &pair) {
  const bool has_law = takes_laws(scheme(c.scheme_name));
  const std::string context =
      has_law ? "with the impact law " + name_of(pair.law) : "with Scheme = " + c.scheme_name;
  const bool index = pair.law == ImpactLawKind::dissipation_index;
  if (pair.restitution.normal != 0)
    section.refuse_unused(
        "Restitution", !index && (!is_persistent(pair.law) || c.choices.gap == GapLaw::two_steps),
        context + (index     ? "; give the Dissipation index delta = (1 - e)/(1 + e)"
                   : has_law ? "; Impact law = fremond has a restitution"
                             : "; moreau-jean-fremond and paoli-schatzman have a restitution"));
  if (pair.restitution.tangential != 0)
    section.refuse_unused("Tangential restitution", pair.law == ImpactLawKind::moreau,
                          context +
                              "; Impact law = moreau has a tangential restitution (AC24, eq. 58)");
  section.refuse_unused("Dissipation index", index,
                        context + "; Impact law = dissipation-index has an index");
}

/// Reports restitutions, which are velocities after impacts, of a case without inertia. Another θ
/// than 1 is reported elsewhere; it changes the restitutions of the papers' laws.
template <int dim>
void refuse_restitution(const CaseInput &section, const Case<dim> &c,
                        const ContactPair<dim> &pair) {
  const ImpactLaw law = impact_law(pair.law, pair.restitution, c.choices.theta);
  if (!c.choices.has_inertia && c.choices.theta == 1 && (law.e != 0. || law.e_T != 0.))
    section.report((pair.law == ImpactLawKind::dissipation_index ? "Dissipation index"
                    : law.e != 0.                                ? "Restitution"
                                                                 : "Tangential restitution"),
                   "with Time/Inertia = none there are no impacts, and a rebound has no meaning");
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
void check_points(const CaseInput &section, const Case<dim> &c, const ContactPair<dim> &pair) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  const std::string context = "with " + c.scheme_name, entry = "Points";
  const bool has_nodal_points = pair.contact_points == ContactPoints::nodes,
             has_stress = case_scheme.formulation == Formulation::nitsche;
  if (!has_nodal_points && case_scheme.penalty == Penalty::none &&
      case_scheme.formulation == Formulation::collocated)
    section.report(entry, context + " there would be more contact constraints than nodes; Scheme = "
                                    "penalty, hauret or augmented-lagrangian accepts quadrature "
                                    "points");
  if (has_nodal_points && has_stress && accepts_quadrature_points(pair))
    section.report(
        entry, context + " the law is for the stress in faces; Scheme = penalty has contacts at "
                         "nodes");
  if (has_stress && pair.is_on_faces() && !pair.is_mortar())
    section.report("Discretisation",
                   context + " the law is for the stress in faces, which only a mortar integrates; "
                             "Scheme = penalty has contacts at nodes and vertices");
  if (has_stress && case_scheme.symmetry != 0. && pair.is_self_contact())
    section.report_section(
        context + " the stiffness contains terms of the stress of one side, and a boundary that "
                  "touches itself has no fixed side; Scheme = nitsche-nonsymmetric has no terms");
}

} // namespace

void declare_law(ParameterDeclarations &declarations, const ParameterFile *file,
                 Dimensions dimensions) {
  law_table<2>(dimensions, schemes().front(), file).declare_entries(declarations);
}

template <int dim>
void read_law(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  pair.law = case_scheme.law;
  law_table<dim>({dim == 2, dim == 3}, case_scheme, &section.file)
      .read(section.parameters, section.path, pair);
  read_friction(section, pair);
  refuse_idle_law(section, c, pair);
  refuse_idle_restitution(section, c, pair);
  refuse_restitution(section, c, pair);
}

template <int dim>
void read_points(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair) {
  const Scheme &case_scheme = scheme(c.scheme_name);
  const std::string chosen = section.get("Points");
  section.refuse_unused("Points", accepts_quadrature_points(pair),
                        pair.is_on_faces() ? "with contacts of nodes or vertices on faces; "
                                             "Discretisation = mortar accepts quadrature points"
                                           : "unless the contact has a Region");
  pair.contact_points = chosen == scheme_default || !accepts_quadrature_points(pair)
                            ? default_points(case_scheme, pair)
                        : chosen == "nodes" ? ContactPoints::nodes
                                            : ContactPoints::quadrature;
  check_points(section, c, pair);
  const bool is_integrated = pair.contact_points == ContactPoints::quadrature;
  if (is_integrated) {
    pair.formulation = case_scheme.formulation;
    pair.symmetry = case_scheme.symmetry;
  }
  for (const std::string direction : {"Normal", "Tangential"})
    if (has_multipliers(case_scheme))
      section.refuse_unused(direction + " augmentation", is_integrated,
                            "with contacts at nodes, whose multipliers are their forces; Points = "
                            "quadrature points has augmentations");
}

PERCUSSION_INSTANTIATE(read_law);
PERCUSSION_INSTANTIATE(read_points);

} // namespace percussion
