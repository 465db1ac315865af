#pragma once

#include <percussion/base/instantiate.h>
#include <percussion/case/case.h>

#include <deal.II/base/patterns.h>
#include <deal.II/base/utilities.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Names of sections that are read in more than one file.
inline const std::string contact_section = "Contact", rigid_section = "Rigid bodies";
/// Value of an entry whose default follows from the scheme.
inline const std::string scheme_default = "of the scheme";

/// Dimensions of a case: one of both, or both in the reference of parameters.
struct Dimensions {
  bool plane, space;

  /// Returns the names of components: "x", "y" and, in 3D, "z".
  std::vector<std::string> components() const {
    return space ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{"x", "y"};
  }
  /// Returns "x, y" or "x, y, z".
  std::string position() const { return !space ? "x, y" : plane ? "x, y (, z)" : "x, y, z"; }
  /// Returns the default for the dimension; in the reference the default of 2D.
  std::string choose(const std::string &plane_value, const std::string &space_value) const {
    return plane ? plane_value : space_value;
  }
  /// Returns the pattern of a point or vector.
  dealii::Patterns::List vector() const {
    return {dealii::Patterns::Double(), plane ? 2u : 3u, space ? 3u : 2u};
  }
};

/// Parameter file from which a case is being built, or a section of it. Entries go by their names
/// in the section.
struct CaseInput {
  const Parameters &parameters;
  const ParameterFile &file;
  Problems &problems;
  unsigned int dimension;                              ///< dimension of the case
  std::shared_ptr<const FormulaWords> words = nullptr; ///< constants and tables for formulas
  Log *log = nullptr;                                  ///< log for the progress of slow tasks
  std::string path = {};                               ///< path of the section, ending in "/"

  /// Returns a section of this section.
  CaseInput in(const std::string &name) const {
    return {parameters, file, problems, dimension, words, log, path + name + "/"};
  }
  /// Returns the names of valid sections that the user opened in a section.
  std::vector<std::string> subsections(const std::string &name) const;
  std::string get(const std::string &entry) const { return parameters.get(path + entry); }
  /// True if the value of an entry is not empty.
  bool has(const std::string &entry) const { return !get(entry).empty(); }
  double number(const std::string &entry) const { return parameters.get_double(path + entry); }
  /// Returns the items of an entry, which commas separate.
  std::vector<std::string> list(const std::string &entry) const {
    return dealii::Utilities::split_string_list(get(entry), ',');
  }
  unsigned int integer(const std::string &entry) const {
    return static_cast<unsigned int>(parameters.get_integer(path + entry));
  }
  /// Returns the declarations of the entries of this section.
  std::vector<ParameterDeclaration> declarations() const {
    return parameters.declarations().below(to_path(path.substr(0, path.size() - 1)));
  }
  /// True if the value of an entry differs from its default.
  bool is_changed(const std::string &entry) const { return parameters.is_changed(path + entry); }
  /// Returns the components of a point or vector.
  template <int dim>
  dealii::Tensor<1, dim> vector(const std::string &entry) const {
    const auto values = parameters.get_double_list(path + entry);
    dealii::Tensor<1, dim> result;
    for (unsigned int d = 0; d < dim; ++d)
      result[d] = values.at(d);
    return result;
  }
  /// Returns the formula of an entry; null if it is empty or wrong, which is reported.
  std::unique_ptr<Expression> formula(const std::string &entry) const;
  /// Returns the formula of an entry that must be finite at these times and not depend on the
  /// position; null if it is empty, or it is reported with this reason.
  std::unique_ptr<Expression> formula_of_time(const std::string &entry, const std::string &reason,
                                              const std::vector<double> &times) const;

  /// Reports an entry: see Parameters::report().
  void report(const std::string &entry, const std::string &reason) const {
    parameters.report(path + entry, reason, problems);
  }
  /// Returns the location and value of an entry with a reason: see Parameters::remark().
  std::string remark(const std::string &entry, const std::string &reason) const {
    return parameters.remark(path + entry, reason);
  }
  /// Reports a message on this section, at the line where the user opened it.
  void report_section(const std::string &message) const;
  /// Reports that this section has no effect or lacks an entry, if everything in the file was
  /// accepted.
  void report_idle(const std::string &message) const {
    if (is_understood())
      report_section(message);
  }
  /// Reports an entry whose formula is not finite at one of these points and times.
  template <int dim>
  void check_finite(const std::string &entry, const Expression &formula,
                    const std::vector<dealii::Point<dim>> &points,
                    const std::vector<double> &times) const;
  /// Reports an entry that the user changed although it has no effect, if everything in the file
  /// was accepted.
  void refuse_unused(const std::string &entry, bool used, const std::string &instead) const;
  /// Reports the entries of this section whose declared condition (UsedIf) is not met, if the user
  /// changed them: see refuse_unused().
  void refuse_idle_entries() const;

  /// True if all names and values were accepted. Otherwise entries that seem to be missing or
  /// without effect may be consequences of reported errors.
  bool is_understood() const { return parameters.problems().empty(); }
};

/// Names of the rigid bodies of a case.
struct RigidNames {
  /// Names of the subsections, and the bodies that each makes.
  std::vector<std::pair<std::string, std::vector<unsigned int>>> sections;
  /// Names of subsections and of single copies, and the bodies that they denote.
  std::map<std::string, std::vector<unsigned int>> names;

  std::vector<std::string> section_names() const {
    std::vector<std::string> all;
    for (const auto &section : sections)
      all.push_back(section.first);
    return all;
  }
};

/// Rigid bodies of a case and their names.
template <int dim>
struct RigidInput : RigidNames {
  std::vector<RigidBody<dim>> bodies;
  std::vector<BodyRow<dim>> rows; ///< shape and initial placement of each body
  /// Subsections with a table, and the number and checksum of its rows.
  std::vector<std::pair<std::string, std::string>> tables;
};

/// Returns the condition that the scheme has a property, with advice for the message.
template <typename Property>
UsedIf if_scheme(const Property &has_property, const std::string &advice) {
  UsedIf condition = {"Time/Scheme", {}, false, advice};
  for (const Scheme &row : schemes())
    if (has_property(row))
      condition.values.emplace_back(row.name);
  return condition;
}

/// Returns the reason why a region cannot carry a traction or touch a surface; empty if it can.
template <int dim>
std::string not_of_boundary_faces(const Region &region);

/// Returns the region that a subsection is named after; no value if the name is wrong, which is
/// reported.
template <int dim>
std::optional<typename System<dim>::BodyRegion>
region_of(const CaseInput &input, const System<dim> &system, const std::string &section,
          const std::string &name);

/// Declares "QUANTITY x", "QUANTITY y" and, in 3D, "QUANTITY z", which are formulas of these
/// variables.
void declare_components(ParameterDeclarations &declarations, Dimensions dimensions,
                        const std::string &quantity, const std::string &variables,
                        const std::string &documentation);

/// Returns the pattern of an entry that is a formula of these variables.
Described formula_of(const std::string &variables);

/// Returns the first and the last instant of a run, for trial evaluations of formulas.
template <int dim>
std::vector<double> first_and_last_time(const Case<dim> &c) {
  return {c.span.start, c.span.start + c.span.n_steps * c.choices.h};
}

/// Returns the component names: "x", "y", "z".
std::vector<std::string> components(unsigned int dim);

/// Returns the subsections that the user named below `path`, or the placeholder if there is no
/// file. Names of entries of the subsection are excluded.
std::vector<std::string> named_subsections(const ParameterDeclarations &declarations,
                                           const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder);

// Pairs of functions, one for each subsection: the parameters are declared beside the code that
// reads them.

/// True if a material has macro-cells.
bool has_macro_cells(const CaseInput &input);

/// Returns the faces of a mesh on which contacts or pressures act: displacements of second order
/// stay linear there.
template <int dim>
std::vector<CellFace> linear_faces(const CaseInput &input, const Mesh<dim> &mesh);

void declare_mesh(ParameterDeclarations &declarations);
/// Returns the path of a mesh; relative names start at the folder of the parameter file.
std::string path_of_mesh(const std::string &name, const ParameterFile &file);

/// Returns one mesh for each elastic body; empty if a file is missing or unfit, which is reported.
/// With macro-cells, triangles and tetrahedra are divided once.
template <int dim>
std::vector<std::unique_ptr<Mesh<dim>>> read_meshes(const CaseInput &input, Case<dim> &c);

/// Declares the regions that conditions select.
void declare_regions(ParameterDeclarations &declarations, const ParameterFile *file,
                     Dimensions dimensions);
/// Adds the regions that conditions select to the meshes; reports conditions that nothing
/// satisfies; throws InputError with these.
template <int dim>
void read_regions(const CaseInput &input, std::vector<std::unique_ptr<Mesh<dim>>> &meshes);

/// Returns the storage of the matrices: by nodes if conjugate gradients solve a linear case in 3D,
/// or certainly will as a factor would be too large, and nothing else needs rows (a factor for a
/// preload, links, inertia moved to other nodes).
template <int dim>
MatrixStorage matrix_storage(const CaseInput &input, const Case<dim> &c,
                             const typename System<dim>::ElasticBodies &elastic);

void declare_material(ParameterDeclarations &declarations, const ParameterFile *file,
                      Dimensions dimensions);
/// Reads the meshes, one for each elastic body, and returns the bodies; stores the meshes and the
/// names of the bodies' materials in the case.
template <int dim>
typename System<dim>::ElasticBodies make_elastic_bodies(const CaseInput &input, Case<dim> &c);

/// Reports what a case with axisymmetric bodies cannot have: plane bodies beside them, nodes beyond
/// the axis, rigid bodies, links, and motions of surfaces or gravity across the axis.
template <int dim>
void check_axisymmetry(const CaseInput &input, const typename System<dim>::ElasticBodies &bodies);

void declare_rigid_bodies(ParameterDeclarations &declarations, const ParameterFile *file,
                          Dimensions dimensions);
template <int dim>
RigidInput<dim> read_rigid_bodies(const CaseInput &input);

/// Returns the values of the entry Shape of a rigid body.
std::vector<std::string> shapes(unsigned int dim);
/// Returns the entry with the mass of a body, Mass or Density; empty if there is no valid one,
/// which is reported.
std::string entry_of_mass(const CaseInput &section);

/// Placement of a copy relative to the first copy: a rotation, then a translation.
template <int dim>
struct CopyPlace {
  dealii::Tensor<1, dim> offset;
  double angle = 0; ///< [rad]; 0 keeps all digits of the coordinates
  dealii::Tensor<2, dim> rotation;
  dealii::Point<dim> about;

  dealii::Point<dim> operator()(const dealii::Point<dim> &x) const {
    return angle == 0 ? x + offset : about + rotation * (x - about) + offset;
  }
};
template <int dim>
std::vector<CopyPlace<dim>> read_copies(const CaseInput &section);

/// Declares the entries of one rigid body on its motion and on forces.
void declare_rigid_motion(ParameterDeclarations &declarations, Dimensions dimensions);
/// Reads prescribed motions and forces.
template <int dim>
void read_rigid_motion(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Reads the initial velocities of degrees of freedom without prescribed motion.
template <int dim>
void read_rigid_velocity(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Reads the times at which bodies appear. Velocities, motions and links must have been read.
template <int dim>
void read_appearance(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// Constant components of gravity, and the formulas of components that depend on t.
template <int dim>
struct GravityInput {
  dealii::Tensor<1, dim> constant;
  std::array<std::optional<Expression>, dim> changing;
};
template <int dim>
GravityInput<dim> read_gravity(const CaseInput &input);

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file,
                                 Dimensions dimensions);
template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c);

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file,
                           Dimensions dimensions);
template <int dim>
void read_initial_state(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Sets the initial state to the final state of another run, if the case requests it; otherwise
/// returns false.
template <int dim>
bool start_from_run(const CaseInput &input, Case<dim> &c);
/// Reports a body without inertia that neither prescribed motions nor contacts can hold.
template <int dim>
void check_supports(const CaseInput &input, const Case<dim> &c);

void declare_links(ParameterDeclarations &declarations, const ParameterFile *file);
/// Reads springs, dashpots and joints. The initial state must have been read.
template <int dim>
void read_links(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Declares the joints of 3D.
void declare_joints(ParameterDeclarations &declarations, const ParameterFile *file);
/// Reads them. The initial state must have been read.
void read_joints(const CaseInput &input, const RigidInput<3> &rigid, Case<3> &c);
/// True if the case has links (2D) or joints (3D).
inline bool has_links(const CaseInput &input) {
  return !input.subsections("Links").empty() || !input.subsections("Joints").empty();
}

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file,
                     Dimensions dimensions);
template <int dim>
void read_contact(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Measures the reference gaps of all contacts; reports lengths that are too large or have no
/// effect.
template <int dim>
void read_reference_gaps(const CaseInput &input, Case<dim> &c);

/// Declares the entry on the inertia of contact nodes.
void declare_node_inertia(ParameterDeclarations &declarations);
/// True if the case requests that the inertia of contact nodes is redistributed.
bool redistributes_inertia(const CaseInput &input, const CaseChoices &c);
/// Redistributes the inertia of contact nodes, if the case requests it.
template <int dim>
void redistribute_inertia(const CaseInput &input, Case<dim> &c);

/// Declares the entries of one contact on its two sides.
void declare_sides(ParameterDeclarations &declarations, Dimensions dimensions);
/// Reads both sides of a contact. Returns false if an entry is missing or unfit, which is reported.
template <int dim>
bool read_sides(const CaseInput &section, const RigidInput<dim> &rigid, const Case<dim> &c,
                ContactPair<dim> &pair);
/// True if two regions have a common face; a common corner is not enough.
template <int dim>
bool have_common_faces(const typename System<dim>::BodyRegion &a,
                       const typename System<dim>::BodyRegion &b);

/// Declares the entries of a pair on its law and its contact points.
void declare_law(ParameterDeclarations &declarations, const ParameterFile *file,
                 Dimensions dimensions);
/// Reads the law of a pair.
template <int dim>
void read_law(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair);
/// Reads the positions of the contact points and the choices that depend on them. The sides of the
/// pair must have been read.
template <int dim>
void read_points(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair);

/// Reports contacts that have no effect or no friction, and adds warnings of contacts.
template <int dim>
void check_contacts(const CaseInput &input, Case<dim> &c);

/// Declares the entry of one contact on its coefficient of friction.
void declare_friction(ParameterDeclarations &declarations, const ParameterFile *file,
                      Dimensions dimensions);
/// Returns the names of the entries of a section that the user has given; none without a file.
std::vector<std::string> entries_of_section(const std::string &section, const ParameterFile *file);
/// Reads the coefficient of friction of a contact, a number or a formula.
template <int dim>
void read_friction(const CaseInput &section, ContactPair<dim> &pair);
/// Reports formulas of friction that depend on the pressure of points without area, and values that
/// are wrong at the start.
template <int dim>
void check_friction(const CaseInput &input, const Case<dim> &c);
/// Returns the coefficient of friction, a number or a formula.
template <int dim>
std::string friction_in_words(const ContactPair<dim> &pair);

/// Declares the entries of one contact on its bonds.
void declare_bond(ParameterDeclarations &declarations);
/// Reads the law of the bonds of a contact, whose sides must have been read.
template <int dim>
void read_bond(const CaseInput &section, const Case<dim> &c, ContactPair<dim> &pair);
/// Returns the law of bonds.
std::string bond_in_words(const BondLaw &bond);
/// Reports bonds that no point has or that break beyond the reach of contacts, and warns of process
/// zones that elements do not resolve.
template <int dim>
void check_bonds(const CaseInput &input, Case<dim> &c);

/// Declares the entries of one contact on its rigid surface.
void declare_surface(ParameterDeclarations &declarations, Dimensions dimensions);
/// Points of the own side of a contact that may touch a surface, and the size of their bodies.
template <int dim>
struct OwnPoints {
  std::vector<dealii::Point<dim>> points;
  double size = 0;
};
template <int dim>
OwnPoints<dim> own_points(const System<dim> &system, const ContactPair<dim> &pair);
/// Reads the facets of a surface from the file of a contact; null if it is missing or unfit, which
/// is reported.
template <int dim>
std::shared_ptr<const FacetedSurface<dim>> read_faceted_surface(const CaseInput &section);
/// Returns the surface; null if it is unfit, which is reported.
template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &section, const Case<dim> &c,
                                           const OwnPoints<dim> &own_points);

/// Reports contacts in which the same points meet the same surface or body.
template <int dim>
void refuse_repeated_contacts(const CaseInput &input, const System<dim> &system,
                              const std::vector<ContactPair<dim>> &pairs);

/// Warns of bodies that overlap other bodies or surfaces at the start. Reports elastic bodies that
/// overlap by more than curved faces with non-matching meshes do.
template <int dim>
void check_overlaps(const CaseInput &input, Case<dim> &c);

/// Warns of motions that jump or that the steps do not resolve, and of loads that change within
/// steps, which evaluate loads at their ends only.
template <int dim>
void warn_of_signals(const CaseInput &input, Case<dim> &c);

/// Warns of surfaces and contact regions that face the wrong way, and of bodies small enough to
/// pass between nodes.
template <int dim>
void warn_of_contacts(Case<dim> &c);

/// Warns of inconsistent units and thicknesses, of materials that lock in their elements, of bodies
/// too slender for their elements or open along seams, and of bodies that no contact, load, motion
/// or link names.
template <int dim>
void warn_of_implausible(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

void declare_probes(ParameterDeclarations &declarations, const ParameterFile *file,
                    const Dimensions &dimensions);
template <int dim>
void read_probes(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

void declare_time(ParameterDeclarations &declarations);
template <int dim>
void read_time(const CaseInput &input, Case<dim> &c);
/// Reads the stop criterion. Probes must have been read: formulas may use their columns.
template <int dim>
void read_stop(const CaseInput &input, Case<dim> &c);

void declare_solver(ParameterDeclarations &declarations);
template <int dim>
void read_solver(const CaseInput &input, Case<dim> &c);

void declare_output(ParameterDeclarations &declarations);
OutputOptions read_output(const CaseInput &input, const std::string &case_name);
/// Reports fields that are not among the allowed ones.
void check_fields(const CaseInput &input, const std::vector<std::string> &allowed,
                  const OutputOptions &options);
/// Reports a folder in which results cannot be written.
void check_output(const CaseInput &input, const OutputOptions &options);
/// Returns the unit of length divided by the unit of time [m/s]; no value if one of them is missing
/// from these units.
std::optional<double> unit_of_speed(const std::string &units);

} // namespace percussion
