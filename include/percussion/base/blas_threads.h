#pragma once

namespace percussion {

/// Restricts OpenBLAS, if it is linked, to a single thread. With several threads the last digits of
/// its sums depend on the number of threads, and for systems of this size threads cost more time
/// than they save.
void use_one_blas_thread();

} // namespace percussion
