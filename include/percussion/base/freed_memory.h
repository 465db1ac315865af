#pragma once

#include <cstddef> // defines __GLIBC__
#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace percussion {

/// Lets malloc return freed memory to the system: SuperLU_DIST, which deal.II loads with PETSc,
/// forbids it for the whole process as soon as it is loaded. Blocks of 8 MB and more are returned
/// at once, smaller ones when the last 64 MB of the heap are free.
inline void return_freed_memory() {
#ifdef __GLIBC__
  constexpr int default_number_of_blocks = 65536, megabyte = 1 << 20;
  mallopt(M_MMAP_MAX, default_number_of_blocks);
  mallopt(M_MMAP_THRESHOLD, 8 * megabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * megabyte);
#endif
}

/// Returns all freed memory to the system.
inline void trim_heap() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Returns the whole pages of a block of zeros to the system: they are zero when they are read
/// again, and take no memory before they are written.
inline void release_zeros(void *begin, std::size_t n_bytes) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE)),
             first = (reinterpret_cast<std::uintptr_t>(begin) + page - 1) / page * page,
             past = (reinterpret_cast<std::uintptr_t>(begin) + n_bytes) / page * page;
  if (first < past)
    madvise(reinterpret_cast<void *>(first), past - first, MADV_DONTNEED);
}

} // namespace percussion
