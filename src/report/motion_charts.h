#pragma once

#include <percussion/report/picture.h>

#include "run_curves.h"

namespace percussion::report {

/// Draws rigid_bodies.png, how rigid bodies move; nothing where no run has any.
std::vector<Picture> draw_motions(const std::vector<History> &runs, const Labels &labels,
                                  const std::filesystem::path &folder);

} // namespace percussion::report
