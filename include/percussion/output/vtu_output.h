#pragma once

#include <percussion/base/checksum.h>
#include <percussion/output/contact_table.h>
#include <percussion/output/field_options.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Names of the two series of files that a run writes.
inline constexpr const char *vtu_series[] = {"solution", "contacts"};

/// Name of the file with the surfaces of the contacts.
inline constexpr const char *ground_name = "ground.vtu";

/// Returns "solution-000012.vtu".
std::string vtu_name(const char *series, unsigned int number);

/// Returns "solution-000012.pvtu".
std::string pvtu_name(const char *series, unsigned int number);

/// Returns the name of the file of an instant that a folder has: "solution-000012.pvtu" if several
/// processes have written it, else "solution-000012.vtu".
std::string name_of_instant(const std::string &folder, const char *series, unsigned int number);

/// Returns "solution.pvd, contacts.pvd", or the files of the format VTKHDF.
std::string series_files(FieldFormat format);

/// Ending of files in the format VTKHDF.
inline constexpr const char *vtkhdf_ending = ".vtkhdf";
bool is_vtkhdf(const std::string &name);

/// Throws RunError unless a VTKHDF file in this folder begins with the instants of this sum.
void check_unchanged_instants(const std::string &folder, const FileSum &sum);

/// True if this process and others write pieces of the solution of these bodies.
template <int dim>
bool writes_pieces(const System<dim> &bodies, const FieldOptions &options);

/// Returns the names of the fields of bodies that can be selected: all except `body`.
template <int dim>
std::vector<std::string> field_names(const System<dim> &bodies);
/// Returns those that are numbers of the histories of materials with memory.
template <int dim>
std::vector<std::string> output_names(const System<dim> &bodies);
/// Returns the fields of the families of fibres; none if no law has fibres.
template <int dim>
std::vector<std::string> fibre_names(const System<dim> &bodies);

/// Writer of the state of all bodies and of their contact points: as VTU files, listed in
/// `solution.pvd` and `contacts.pvd` for ParaView, or in `solution.vtkhdf` and `contacts.vtkhdf`.
/// Several processes divide VTU files of elastic bodies: each has a writer and writes the piece of
/// its cells; the first one writes everything else, and alone writes VTKHDF.
///
/// Points of the solution are the undeformed nodes of the elastic bodies, then the vertices of each
/// rigid body. Point data: displacement, velocity, percussion (vectors), pressure = p_N / (h ×
/// tributary area) (0 in rigid bodies), gap (NaN away from contact) and status (0 open, 1 stick, 2
/// slip, −1 away from contact); percussion_sum and status_max, the sum of percussions and the
/// largest status of all steps since the last instant; the fields of point_fields(); and
/// nodal_stress and nodal_von_mises, see NodalStress, 0 in rigid bodies. Cells: the
/// cells of the meshes, then polygons or polyhedra for each rigid body. Cell data: stress (XX, YY,
/// ZZ, XY, YZ, XZ) and von_mises, 0 in rigid bodies, and body: 0 for elastic bodies, 1, 2, … for
/// the rigid ones.
///
/// Contact points have the point data, their frame (normal, tangent, in 3D second_tangent), pair
/// (index of the contact, from 0), body (as above), and obstacle (index of the rigid body that they
/// may touch; 0: the surface of the contact; −1: faces of elastic bodies); area, to which the
/// pressure refers, and touched_place, the point on the opposite side at the end of the step; if
/// rigid bodies in 3D may touch each other, feature (ContactKey::feature). Touched nodes of elastic
/// bodies have in the solution the percussions that they receive; contacts of polyhedra that are
/// not at a vertex of the first belong to no point of the solution. Vertices of rigid bodies
/// against other bodies are listed only if they are close, were active in the step, or have an
/// account.
template <int dim>
class VtuOutput {
public:
  /// Starts the files, or continues after the instants at these times, which are written. The
  /// fields of contacts are always complete and of double precision. Throws RunError.
  VtuOutput(const std::string &directory, const System<dim> &bodies, const Boundary<dim> &boundary,
            double h, const std::vector<double> &times = {}, const FieldOptions &options = {});
  ~VtuOutput();

  /// Gathers what the pieces of the next instant need from each other: the stresses that nodes on
  /// borders have in the cells of all processes. Collective; without pieces it does nothing.
  void gather(const State<dim> &state);

  /// Writes one instant in a separate thread: compression in this thread would take a quarter of
  /// the time of a run with linear bodies. Throws WriteError if the previous instant could not be
  /// written. Processes that write pieces call gather() before.
  void write(const State<dim> &state, const StepRecord<dim> &record,
             const ContactSums<dim> &sums = {},
             const std::vector<ContactAccount<dim>> &accounts = {});

  /// Waits until this process has written the last instant. Throws WriteError.
  void wait();

  /// True if there are instants of which this process does not know whether all processes have
  /// written their pieces; equal on all processes.
  bool has_incomplete() const;
  /// Learns which instants all processes have written. Collective.
  void collect();
  /// Lists these instants in `solution.pvd`, on the first process. Throws WriteError.
  void list();

  /// Writes the surfaces of the contacts around the bodies at all instants so far to `ground.vtu`.
  /// Throws WriteError.
  void write_ground();

  /// Returns the times of all instants, earlier ones included.
  const std::vector<double> &times() const;

  /// Returns the checksums of the files written by the writers of all processes; on the first one
  /// only. All instants must be listed.
  std::vector<FileSum> sums() const;

private:
  struct Files;
  std::unique_ptr<Files> files;
};

} // namespace percussion
