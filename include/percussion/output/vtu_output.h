#pragma once

#include <percussion/base/checksum.h>
#include <percussion/output/contact_table.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// The two kinds of VTU files that a run writes.
inline constexpr const char *vtu_series[] = {"solution", "contacts"};

/// "solution-000012.vtu"
std::string vtu_name(const char *series, unsigned int number);

/// Writes the state of all bodies and of their contact points as VTU files, collected in
/// `solution.pvd` and `contacts.pvd` for ParaView.
///
/// Points of the solution are the undeformed nodes of the elastic body, then the vertices of each
/// rigid body. Point data: displacement, velocity, percussion (vectors), pressure = p_N / (h ×
/// tributary area) (0 in rigid bodies), gap (NaN away from contact) and status (0 open, 1 stick,
/// 2 slip, −1 away from contact); percussion_sum and status_max, the sum of percussions and the
/// largest status of all steps since the instant before; and, since the beginning, normal_work,
/// tangential_work and slip, missed_depth and drift, see ContactAccount: of a node the works of all
/// its contacts, and the largest of the others. Cells: those of the mesh, then a polygon
/// or line for each rigid body. Cell data: stress (XX, YY, ZZ, XY, YZ, XZ) and von_mises, 0 in
/// rigid bodies, and body: 0 the elastic one, 1, 2, … the rigid ones.
///
/// Contact points have the point data, their frame (normal, tangent, in space second_tangent), pair
/// (the contact, from 0), body (as above) and obstacle: the rigid body that they may touch, 0, the
/// contact's surface, or −1, faces of elastic bodies; area, which the pressure is on, and
/// touched_place, the place of the other side at the end of the step. Nodes of elastic bodies that
/// are touched have in the solution what they receive. Vertices of rigid bodies against other
/// bodies are listed only if they are near, were active in the step, or have an account.
template <int dim>
class VtuOutput {
public:
  /// Begin, or continue after the instants at these times, whose files exist. Throws WriteError.
  VtuOutput(const std::string &directory, const System<dim> &bodies, const Boundary<dim> &boundary,
            double h, const std::vector<double> &times = {});
  ~VtuOutput();

  /// Write one instant, in a thread of its own: compressed here it would cost a linear body a
  /// quarter of its run. Throws WriteError if the instant before could not be written.
  void write(const State<dim> &state, const StepRecord<dim> &record,
             const ContactSums<dim> &sums = {},
             const std::vector<ContactAccount<dim>> &accounts = {});

  /// Wait until the last instant is written. Throws WriteError.
  void finish();

  /// Times of all instants, earlier ones included.
  const std::vector<double> &times() const;

  /// Returns the sums of the files that this object has written. Call finish() before.
  std::vector<FileSum> sums() const;

private:
  struct Files;
  std::unique_ptr<Files> files;
};

} // namespace percussion
