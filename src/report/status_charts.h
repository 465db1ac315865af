#pragma once

#include <percussion/report/picture.h>

#include "run_curves.h"

namespace percussion::report {

/// Draws statuses.png: open, stick or slip in space and time; nothing where no run has written its
/// contacts.
std::vector<Picture> draw_statuses(const std::vector<History> &runs, const Labels &labels,
                                   const std::filesystem::path &folder);

} // namespace percussion::report
