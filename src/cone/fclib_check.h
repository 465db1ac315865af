#pragma once

#include <percussion/cone/fclib.h>

#include "hdf5_group.h"

namespace percussion {

/// What a file must be seen to hold before FCLib may read it.
struct FclibContents {
  bool is_local = true;
  std::size_t dimension = 0, n_contacts = 0;
  std::size_t n_velocities = 0; ///< of a global problem
};

/// Throws FclibError unless the problem of the file is complete, consistent and without equality
/// constraints, and every dataset that FCLib reads of it can be read.
FclibContents check_fclib(const hdf5::Group &root);

} // namespace percussion
