#pragma once

#include <percussion/dynamics/state.h>

#include <memory>
#include <string>

namespace percussion {

/// Writes the state of a body and of its contact nodes as VTU files, collected in `solution.pvd`
/// and `contacts.pvd` for ParaView.
///
/// Points are the undeformed positions. Point data: displacement, velocity, percussion (vectors),
/// pressure = p_N / (h × tributary area), gap (NaN away from contact nodes) and status (0 open,
/// 1 stick, 2 slip, −1 away from contact nodes). Cell data: stress (XX, YY, ZZ, XY, YZ, XZ) and
/// von_mises. Contact points carry the point data and their frame (normal, tangent).
template <int dim>
class VtuOutput {
public:
  VtuOutput(const std::string &directory, const ElasticBody<dim> &body,
            const Contacts<dim> &contacts, double h);
  ~VtuOutput();

  /// Write one instant, in the background: the run goes on meanwhile. Throws RunError where a file,
  /// this one or the one before, cannot be written.
  void write(const State<dim> &state, const StepRecord<dim> &record);

  /// Wait until everything is written.
  void finish();

  unsigned int n_written() const;

private:
  struct Files;
  std::unique_ptr<Files> files;
};

} // namespace percussion
