#pragma once

#include <percussion/report/history.h>
#include <percussion/report/page.h>

namespace percussion::report {

/**
 * Draws energy.png, balance.png, tangential_work.png and contacts.png into `folder`; several runs
 * are laid over each other. The figures 9 and 10 of Acary and Collins-Craft (2024) are the model
 * of the first three.
 */
std::vector<Picture> draw_histories(const std::vector<History> &runs,
                                    const std::filesystem::path &folder);

} // namespace percussion::report
