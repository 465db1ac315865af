#pragma once

namespace percussion {

/// OpenBLAS, if it is linked, shall use this thread alone. With several its sums, and so the last
/// digits of a run, depend on their number; and the systems here are so small that they cost more
/// than they save.
void use_one_blas_thread();

} // namespace percussion
