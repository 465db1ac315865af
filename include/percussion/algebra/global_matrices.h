#pragma once

#include <percussion/algebra/contact_rows.h>
#include <percussion/algebra/contact_system.h>
#include <percussion/base/compressed_rows.h>

namespace percussion {

/// Returns Â over all velocities, with the rows of a unit matrix for prescribed ones. The system
/// must have a factor.
CompressedRows global_matrix(ContactSystem &system);

/// Returns H over all velocities.
CompressedRows complete_rows(const ContactRows &H, const ContactSystem &system);

/// Returns H over all velocities, without columns of prescribed ones.
CompressedRows global_rows(const ContactRows &H, const ContactSystem &system);

} // namespace percussion
