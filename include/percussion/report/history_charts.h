#pragma once

#include <percussion/report/history.h>
#include <percussion/report/picture.h>

namespace percussion::report {

/**
 * Draws energy.png, balance.png, works.png, tangential_work.png, contacts.png, penetration.png and,
 * of runs that have written contacts, forces.png into `folder`; several runs are laid over each
 * other and have total_energy.png too. The figures 9 and 10 of Acary and Collins-Craft (2024) are
 * the model of the first four, the figures 8 to 11 of Barboteu et al. (2024) that of the last.
 */
std::vector<Picture> draw_histories(const std::vector<History> &runs,
                                    const std::filesystem::path &folder);

} // namespace percussion::report
