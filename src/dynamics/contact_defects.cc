#include <percussion/dynamics/contact_defects.h>

namespace percussion {

const std::array<DefectEntry, n_defect_kinds> &defect_entries() {
  static const std::array<DefectEntry, n_defect_kinds> table = {
      {{DefectKind::missed_depth, "missed_depth", true,
        "depth that an inactive point gained in a step"},
       {DefectKind::relapse_depth, "relapse_depth", true,
        "depth that an inactive point gained in the substep after it had pressed"},
       {DefectKind::drift, "drift", true,
        "depth that a contact gained while it pressed without interruption"},
       {DefectKind::pressing_gap, "pressing_gap", false,
        "gap at which a contact pressed, over the local size"},
       {DefectKind::cone_violation, "cone_violation", false,
        "percussion outside of the friction cone, over the largest percussion of the step"},
       {DefectKind::slip_direction_error, "slip_direction_error", false,
        "deviation of friction from the direction against the slip, over its magnitude"},
       {DefectKind::resting_work, "resting_work", false,
        "normal work of the contacts in a step, over the strain energy of bodies almost at rest"}}};
  return table;
}

} // namespace percussion
