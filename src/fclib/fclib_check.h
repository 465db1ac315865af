#pragma once

#include <percussion/fclib/fclib.h>

#include "hdf5_group.h"

namespace percussion {

/// What a file must be seen to hold before FCLib may read it.
struct FclibContents {
  bool is_local;
  unsigned int dimension;
  std::size_t n_contacts, n_velocities; ///< the latter of a global problem
};

/// Throws FclibError unless the problem of the file is complete, consistent and without equality
/// constraints, and every dataset that FCLib reads of it can be read.
FclibContents check_fclib(const hdf5::Group &root);

} // namespace percussion
