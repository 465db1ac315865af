#pragma once

#include <percussion/dynamics/record.h>
#include <percussion/output/summary.h>
#include <percussion/run/case.h>

#include "contact_law_watch.h"
#include "passing_bodies.h"

namespace percussion {

/// Looks for what makes the result of a run doubtful although each step succeeds.
template <int dim>
class Watch {
public:
  /// The case must live as long. What was `found` before a resume is not reported again.
  Watch(const Case<dim> &of_case, const std::vector<std::string> &found);

  /// What is new after a step: one warning of each kind, and each once in a run. Cells and
  /// crossings of boundaries are looked at only if `look_at_cells`: that costs as much as an
  /// assembly of the stiffness. The summary is of the run up to this step.
  std::vector<std::string> look(const State<dim> &state, const StepRecord<dim> &record,
                                const Summary &summary, bool look_at_cells);

private:
  std::string deformation(const State<dim> &state) const;
  std::string penetration(const State<dim> &state) const;
  std::string contact_energy(const State<dim> &state, const Summary &summary) const;
  std::string crossing(const State<dim> &state) const;

  const Case<dim> &c;
  ContactLawWatch<dim> contact_law;
  PassingBodies<dim> passing_bodies;
  bool has_linear_cells, ///< or others of a law for small strains
      deformation_is_known, penetration_is_known, correction_is_known, energy_is_known,
      passing_is_known, crossing_is_known;
  std::vector<double> elastic_sizes; ///< shorter side of the box around each elastic body [length]
  std::vector<bool> touches_itself;  ///< elastic bodies with a contact of the body with itself
  double smallest_size;              ///< of all bodies [length]
};

} // namespace percussion
