#pragma once

#include <percussion/advice/contact_law_watch.h>
#include <percussion/advice/hopping.h>
#include <percussion/advice/impact_loss.h>
#include <percussion/advice/lost_indentation.h>
#include <percussion/advice/passing_bodies.h>
#include <percussion/case/case.h>
#include <percussion/dynamics/record.h>
#include <percussion/output/summary.h>

namespace percussion {

/// Watch for signs that the result of a run is wrong although each step succeeds.
template <int dim>
class Watch {
public:
  /// Prepares the watch. The case must outlive it. Warnings `found` before a resume are not
  /// repeated.
  Watch(const Case<dim> &the_case, const std::vector<std::string> &found);

  /// Returns the new warnings after a step: one of each kind, each once in a run. Cells and
  /// crossings of boundaries are checked only if `look_at_cells`: the check costs as much as an
  /// assembly of the stiffness. The summary includes this step.
  std::vector<std::string> look(const State<dim> &state, const StepRecord<dim> &record,
                                const Summary &summary, bool look_at_cells);

  /// Returns the warnings on a complete run as a whole.
  std::vector<std::string> look_back(const State<dim> &state, const Summary &summary) const;

private:
  std::string deformation(const State<dim> &state) const;
  std::string penetration(const State<dim> &state) const;
  std::string contact_energy(const State<dim> &state, const Summary &summary) const;
  StepScales scales(const StepRecord<dim> &record, const Summary &summary);
  std::string single_points(const Summary &summary) const;
  std::string crossing(const State<dim> &state) const;

  const Case<dim> &c;
  ContactLawWatch<dim> contact_law;
  PassingBodies<dim> passing_bodies;
  HoppingWatch<dim> hopping;
  ImpactLoss<dim> impact_loss;
  LostIndentation<dim> lost_indentation;
  double largest_strain = 0;         ///< largest strain energy so far [energy]
  double largest_force = 0;          ///< largest sum of the normal forces of a step so far [force]
  std::vector<std::string> warnings; ///< warnings of the run so far
  /// True if a body has a linear law, or another law for small strains.
  bool has_linear_cells = false;
  std::vector<double>
      elastic_sizes; ///< shorter side of the bounding box of each elastic body [length]
  std::vector<bool> touches_itself; ///< true for elastic bodies with self-contact
  double smallest_size;             ///< size of the smallest body [length]
  double free_mass;                 ///< mass of the bodies without their prescribed motions [mass]
};

} // namespace percussion
