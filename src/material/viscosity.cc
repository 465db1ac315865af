#include <percussion/material/viscosity.h>

namespace percussion {

const std::vector<ViscosityLawEntry> &viscosity_laws() {
  static const std::vector<ViscosityLawEntry> table = {
      {"curnier", ViscosityKind::curnier,
       "stress 2 eta dC/dt (BBDM24, W1^v of section 2.2.1 and (6.3))"},
      {"pioletti", ViscosityKind::pioletti,
       "stress eta (I1 - 3) dC/dt, zero if I1 < 3 (BBDM24 (2.14), W2^v)"},
  };
  return table;
}

} // namespace percussion
