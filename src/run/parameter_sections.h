#pragma once

#include <percussion/run/case.h>

#include <deal.II/base/patterns.h>

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace percussion {

/// Sections that several files read.
inline const std::string contact_section = "Contact", rigid_section = "Rigid bodies";
/// The value of an entry whose default follows from the scheme.
inline const std::string of_the_scheme = "of the scheme";

/// What of the entries depends on the dimension of a case; both in the reference.
struct Dimensions {
  bool plane, space;

  /// Names of components: "x", "y" and, in space, "z".
  std::vector<std::string> components() const {
    return space ? std::vector<std::string>{"x", "y", "z"} : std::vector<std::string>{"x", "y"};
  }
  /// "x, y" or "x, y, z"
  std::string position() const { return !space ? "x, y" : plane ? "x, y (, z)" : "x, y, z"; }
  /// A default, in the reference that of the plane.
  std::string choose(const std::string &in_plane, const std::string &in_space) const {
    return plane ? in_plane : in_space;
  }
  /// Pattern of a point or vector.
  dealii::Patterns::List vector() const {
    return {dealii::Patterns::Double(), plane ? 2u : 3u, space ? 3u : 2u};
  }
};

/// A parameter file while it is being made into a case.
struct CaseInput {
  const Parameters &parameters;
  const ParameterFile &file;
  Problems &problems;
  unsigned int dimension;                              ///< of the case
  std::shared_ptr<const FormulaWords> words = nullptr; ///< of the formulas
  Log *log = nullptr;                                  ///< shows what takes long

  /// Names of the subsections that the user opened below one and that may be there.
  std::vector<std::string> subsections(const std::string &path) const;

  /// Where the user opened a subsection, for messages on its name.
  void report_subsection(const std::string &path, const std::string &message) const;

  /// The same where it has no effect or lacks an entry, once everything in the file was understood.
  void report_idle(const std::string &path, const std::string &message) const;

  /// The formula of an entry, unless it is empty or wrong (which is reported).
  std::unique_ptr<Expression> formula(const std::string &path) const;

  /// The components of a point or vector.
  template <int dim>
  dealii::Tensor<1, dim> vector(const std::string &path) const;

  /// Report an entry whose formula is not finite at one of these points and times.
  template <int dim>
  void check_finite(const std::string &path, const Expression &formula,
                    const std::vector<dealii::Point<dim>> &points,
                    const std::vector<double> &times) const;

  /// Report an entry that the user changed although nothing uses it, once everything in the file
  /// was understood.
  void refuse_unused(const std::string &path, bool used, const std::string &instead) const;

  /// Whether all names and values were accepted. Otherwise entries that seem to be missing or
  /// without effect may be a consequence of what is reported already.
  bool is_understood() const { return parameters.problems().empty(); }
};

/// What the rigid bodies of a case are called.
struct RigidNames {
  /// The subsections' names, and the bodies that each makes.
  std::vector<std::pair<std::string, std::vector<unsigned int>>> sections;
  /// The names of subsections and of single copies, and which bodies they stand for.
  std::map<std::string, std::vector<unsigned int>> names;
};

/// The rigid bodies of a case and what they are called.
template <int dim>
struct RigidInput : RigidNames {
  std::vector<RigidBody<dim>> bodies;
};

/// Why a region cannot bear a traction or touch a surface; empty if it can.
template <int dim>
std::string not_of_boundary_faces(const Region &region);

/// The region that a subsection is named after; nothing where it is reported as wrong.
template <int dim>
std::optional<typename System<dim>::BodyRegion>
region_of(const CaseInput &input, const System<dim> &system, const std::string &section,
          const std::string &name);

/// Declare "QUANTITY x", "QUANTITY y" and, in space, "QUANTITY z", which are formulas of these
/// variables.
void declare_components(ParameterDeclarations &declarations, Dimensions of,
                        const std::string &quantity, const std::string &variables,
                        const std::string &documentation);

/// Pattern of an entry that is a formula of these variables.
Described formula_of(const std::string &variables);

/// The first and the last instant of a run: where formulas are tried.
template <int dim>
std::vector<double> first_and_last_time(const Case<dim> &c);

/// The translations and rotation that the held degrees of freedom leave free, in words; empty if
/// they hold every part of a body.
template <int dim>
std::string free_rigid_motion(const Space<dim> &space, const std::vector<bool> &held);

/// Component names: "x", "y", "z".
std::vector<std::string> components(unsigned int dim);

/// Subsections that the user named below `path`, or the placeholder if there is no file.
/// Names that entries of the subsection have are left out: they cannot be.
std::vector<std::string> named_subsections(const ParameterDeclarations &declarations,
                                           const ParameterFile *file, const std::string &path,
                                           const std::string &placeholder);

/// Report all that has no effect in a case without an elastic body.
void refuse_elastic_entries(const CaseInput &input);

// One pair a subsection: its parameters are declared beside the code that reads them.

void declare_mesh(ParameterDeclarations &declarations);
/// Where a mesh is that the case names: relative names start at the folder of its file.
std::string path_of_mesh(const std::string &name, const ParameterFile &file);

/// One for each elastic body; none where a file is reported as missing or unfit.
template <int dim>
std::vector<std::unique_ptr<Mesh<dim>>> read_meshes(const CaseInput &input,
                                                    std::vector<std::string> &warnings,
                                                    std::vector<std::string> &notes);

void declare_material(ParameterDeclarations &declarations, const ParameterFile *file,
                      Dimensions of);
/// The elastic bodies on the case's meshes, with the names of their materials.
template <int dim>
typename System<dim>::ElasticBodies make_elastic_bodies(const CaseInput &input, Case<dim> &c);

void declare_rigid_bodies(ParameterDeclarations &declarations, const ParameterFile *file,
                          Dimensions of);
template <int dim>
RigidInput<dim> read_rigid_bodies(const CaseInput &input);

/// Whether a value of the entry Shape of a rigid body is that of a body in space.
bool is_solid(const std::string &shape);
/// The entries of one rigid body about its shape in space.
void declare_solid(ParameterDeclarations &declarations, Dimensions of);
/// How its entries Axis and Angle turn a body in space.
dealii::Tensor<2, 3> rotation_of_solid(const CaseInput &input, const std::string &path);
/// The body without its name, where its first copy is; what is wrong is reported.
RigidBody<3> read_solid(const CaseInput &input, const std::string &name);
/// The entry that gives the mass of a body, Mass or Density; empty where none can, which is
/// reported.
std::string entry_of_mass(const CaseInput &input, const std::string &name);

/// The entries of one rigid body about forces on it.
void declare_rigid_forces(ParameterDeclarations &declarations, Dimensions of);
template <int dim>
void read_rigid_forces(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// Weld the shapes of a section to the body that it names.
template <int dim>
void weld_to(const CaseInput &input, const std::string &name, const RigidInput<dim> &parts,
             RigidInput<dim> &rigid);
/// When bodies appear, once velocities, motions and links are read.
template <int dim>
void read_appearance(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// The entries of one rigid body about its copies.
void declare_copies(ParameterDeclarations &declarations, Dimensions of);
/// Where a copy is, seen from the first: turned, then moved.
template <int dim>
struct CopyPlace {
  dealii::Tensor<1, dim> offset;
  double angle = 0; ///< [rad]; what is not turned keeps all digits
  dealii::Tensor<2, dim> rotation;
  dealii::Point<dim> about;

  dealii::Point<dim> operator()(const dealii::Point<dim> &x) const {
    return angle == 0 ? x + offset : about + rotation * (x - about) + offset;
  }
};
template <int dim>
std::vector<CopyPlace<dim>> read_copies(const CaseInput &input, const std::string &path);

/// The entries of one rigid body about its motion.
void declare_rigid_motion(ParameterDeclarations &declarations, Dimensions of);
template <int dim>
void read_rigid_motion(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);
/// The velocities at the start where no motion is prescribed.
template <int dim>
void read_rigid_velocity(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// Pattern of the entry Gravity, and what is read of it: the components that do not change, and
/// formulas of t of those that do.
std::unique_ptr<dealii::Patterns::PatternBase> pattern_of_gravity(Dimensions of);
template <int dim>
struct GravityInput {
  dealii::Tensor<1, dim> constant;
  std::array<std::optional<Expression>, dim> changing;
};
template <int dim>
GravityInput<dim> read_gravity(const CaseInput &input);

void declare_boundary_conditions(ParameterDeclarations &declarations, const ParameterFile *file,
                                 Dimensions of);
template <int dim>
void read_boundary_conditions(const CaseInput &input, Case<dim> &c);

void declare_initial_state(ParameterDeclarations &declarations, const ParameterFile *file,
                           Dimensions of);
template <int dim>
void read_initial_state(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// Returns the degrees of freedom that closed contacts hold in the static preload, without
/// prescribed ones. Warns of contacts that are open at some or all of their nodes.
template <int dim>
std::vector<unsigned int> held_by_contacts(const CaseInput &input, Case<dim> &c);

void declare_links(ParameterDeclarations &declarations, const ParameterFile *file);
/// Springs, dashpots and joints, after the initial state.
template <int dim>
void read_links(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

void declare_contact(ParameterDeclarations &declarations, const ParameterFile *file, Dimensions of);
template <int dim>
void read_contact(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// The entry about the inertia of nodes that may touch.
void declare_node_inertia(ParameterDeclarations &declarations);
/// Redistributes the inertia of the nodes that may touch, if the case asks for it.
template <int dim>
void redistribute_inertia(const CaseInput &input, Case<dim> &c);

/// The entry of one contact about gaps and overlaps that count as closed.
void declare_reference_gaps(ParameterDeclarations &declarations);
/// Measures the reference gaps of all contacts; lengths that are too large or have no effect are
/// reported.
template <int dim>
void read_reference_gaps(const CaseInput &input, Case<dim> &c);

/// Whether two regions of a mesh have a face in common; a common corner is none.
bool share_faces(const Region &a, const Region &b);

/// The entries of one contact about what may touch what.
void declare_sides(ParameterDeclarations &declarations, Dimensions of);
/// False where something is missing or unfit, which is reported.
template <int dim>
bool read_sides(const CaseInput &input, const RigidInput<dim> &rigid, const Case<dim> &c,
                ContactPair<dim> &pair);

/// The entries of one contact about a rigid surface.
void declare_surface(ParameterDeclarations &declarations, Dimensions of);
/// Points of a body that may touch a surface, and the body's size.
template <int dim>
struct TouchingPoints {
  std::vector<dealii::Point<dim>> points;
  double size = 0;
};
/// Null where the surface is reported as unfit.
template <int dim>
std::unique_ptr<Surface<dim>> read_surface(const CaseInput &input, const std::string &path,
                                           const Case<dim> &c, const TouchingPoints<dim> &touching);

/// Warn of bodies that begin inside of what they may touch, and report elastic bodies that do by
/// more than curved faces on meshes that do not match.
template <int dim>
void check_overlaps(const CaseInput &input, Case<dim> &c);

/// Warn of motions that jump or that the steps are too long for, of units and thicknesses that seem
/// not to belong together, and of surfaces that face the wrong way.
template <int dim>
void warn_of_implausible(const CaseInput &input, Case<dim> &c);

/// Warn of loads that change within the steps, which see them at their ends only.
template <int dim>
void warn_of_loads(const CaseInput &input, Case<dim> &c);

/// Warn of materials that lock in their elements, of bodies too slender for these, and of waves
/// that no solid has in the units of the case.
template <int dim>
void warn_of_materials(const CaseInput &input, Case<dim> &c);

/// Warns of surfaces and regions of contacts that face the wrong way, and of obstacles that fit
/// between the nodes that they should meet.
template <int dim>
void warn_of_contacts(Case<dim> &c);

/// Warn of nodes that lie on faces of their own body without being theirs: doubled nodes and those
/// that hang on an edge.
template <int dim>
void warn_of_seams(Case<dim> &c);

/// Warns of bodies that no contact, load, motion or link names, and notes pairs of bodies that no
/// contact lets touch each other.
template <int dim>
void check_names_of_bodies(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// Report the deepest place of each contact on faces where both sides begin inside of each other.
void refuse_overlapping_faces(const CaseInput &input, const Case<2> &c,
                              const ContactList<2> &found);
/// The same in space, of what is found within the reach of the search.
void refuse_overlapping_faces(const CaseInput &input, const Case<3> &c,
                              const ContactList<3> &found);

/// Report contacts in which the same points meet the same surface or body.
template <int dim>
void refuse_repeated_contacts(const CaseInput &input, const System<dim> &system,
                              const std::vector<ContactPair<dim>> &pairs);

/// The named constants of formulas and number entries.
void declare_constants(ParameterDeclarations &declarations, const ParameterFile *file);

/// Begin with the end of another run, if the case says so; false if it does not.
template <int dim>
bool start_from_run(const CaseInput &input, Case<dim> &c);

void declare_probes(ParameterDeclarations &declarations, const ParameterFile *file,
                    const Dimensions &of);
template <int dim>
void read_probes(const CaseInput &input, const RigidInput<dim> &rigid, Case<dim> &c);

/// The entry of the subsection Time about the end of a run before its last step.
void declare_stop(ParameterDeclarations &declarations);
/// Probes must have been read: formulas speak of their columns.
template <int dim>
void read_stop(const CaseInput &input, Case<dim> &c);

void declare_time(ParameterDeclarations &declarations);
template <int dim>
void read_time(const CaseInput &input, Case<dim> &c);

void declare_solver(ParameterDeclarations &declarations);
template <int dim>
void read_solver(const CaseInput &input, Case<dim> &c);

/// Units that results know, by quantity, in words.
std::string known_units();
/// Output/Units in the spelling that results and reports know.
std::string read_units(const CaseInput &input);
/// Returns a unit of length by a unit of time [m/s]; nothing where one of the two is not among
/// these units.
std::optional<double> unit_of_speed(const std::string &units);

void declare_output(ParameterDeclarations &declarations);
OutputOptions read_output(const CaseInput &input, const std::string &case_name);
void check_output(const CaseInput &input, const OutputOptions &options);

} // namespace percussion
