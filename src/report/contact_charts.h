#pragma once

#include <percussion/report/picture.h>

#include "run_curves.h"

namespace percussion::report {

/// Draws contacts.png, penetration.png and, of runs that have written contacts, forces.png.
std::vector<Picture> draw_contact_histories(const std::vector<History> &runs, const Labels &labels,
                                            const std::filesystem::path &folder);

} // namespace percussion::report
