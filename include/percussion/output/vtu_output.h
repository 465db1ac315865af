#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/dynamics/state.h>

#include <memory>
#include <string>
#include <vector>

namespace percussion {

/// Writes the state of all bodies and of their contact points as VTU files, collected in
/// `solution.pvd` and `contacts.pvd` for ParaView.
///
/// Points of the solution are the undeformed positions: the nodes of the elastic body, then the
/// vertices of each rigid body. Point data: displacement, velocity, percussion (vectors),
/// pressure = p_N / (h × tributary area) (0 where there is no area: rigid bodies), gap (NaN away
/// from contact) and status (0 open, 1 stick, 2 slip, −1 away from contact). Cells: those of the
/// mesh, then a polygon or line for each rigid body. Cell data: stress (XX, YY, ZZ, XY, YZ, XZ) and
/// von_mises, 0 in rigid bodies, and body: 0 the elastic one, 1, 2, … the rigid ones.
///
/// Contact points carry the point data, their frame (normal, tangent), pair (the contact, from 0),
/// body (as above) and obstacle: the rigid body that they may touch, or 0, the contact's surface.
/// Of the vertices of rigid bodies against other bodies only those are listed that are near, or
/// were active in the step: their number changes from file to file.
template <int dim>
class VtuOutput {
public:
  /// Begin, or go on behind the instants at these times, whose files are there.
  VtuOutput(const std::string &directory, const System<dim> &bodies, const Boundary<dim> &boundary,
            double h, const std::vector<double> &times = {});
  ~VtuOutput();

  /// Write one instant, in the background: the run goes on meanwhile. Throws RunError where a file,
  /// this one or the one before, cannot be written.
  void write(const State<dim> &state, const StepRecord<dim> &record);

  /// Wait until everything is written.
  void finish();

  /// Times of all instants, those of the beginning included.
  const std::vector<double> &times() const;

private:
  struct Files;
  std::unique_ptr<Files> files;
};

} // namespace percussion
