#pragma once

namespace percussion {

/// Let OpenBLAS, if it is linked, use a single thread. With several threads the last digits of its
/// sums depend on their number, and for systems of this size they cost more than they save.
void use_one_blas_thread();

} // namespace percussion
