#pragma once

#include <percussion/report/history.h>
#include <percussion/report/page.h>

#include <optional>
#include <string>
#include <vector>

namespace percussion::report {

/// What the pictures of the deformed mesh show.
struct SnapshotOptions {
  std::string field = "displacement"; ///< displacement, velocity (magnitudes) or von_mises
  std::vector<double> times;          ///< the nearest written are taken; empty: telling_times()
  std::optional<double> warp;         ///< multiplies the displacement; none: automatic_warp()
};

/**
 * Draws the deformed mesh at some instants of solution.pvd into `folder`, as snapshot-0.png,
 * snapshot-1.png … (`prefix` stands in for "snapshot-"). Without solution.pvd there are none.
 * Throws InputError where a file or field is missing.
 */
std::vector<Picture> draw_snapshots(const History &run, const SnapshotOptions &options,
                                    const std::filesystem::path &folder, const std::string &prefix);

} // namespace percussion::report
