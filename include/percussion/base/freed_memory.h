#pragma once

#include <cstddef> // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace percussion {

/// Lets malloc return freed memory to the system: SuperLU_DIST, which deal.II loads with PETSc,
/// forbids it for the whole process as soon as it is loaded. Blocks of 32 MB and more are returned
/// at once, smaller ones when the last 64 MB of the heap are free.
inline void return_freed_memory() {
#ifdef __GLIBC__
  constexpr int default_number_of_blocks = 65536, megabyte = 1 << 20;
  mallopt(M_MMAP_MAX, default_number_of_blocks);
  mallopt(M_MMAP_THRESHOLD, 32 * megabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * megabyte);
#endif
}

/// Returns all freed memory to the system.
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

} // namespace percussion
