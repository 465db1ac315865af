#pragma once

#include <percussion/report/snapshots.h>

namespace percussion::report {

struct AnimationOptions {
  SnapshotOptions show; ///< field and warp; times are not used
  int frames = 60;      ///< at most, spread evenly over the written instants
};

/**
 * Draws the bodies in motion into `folder`: frames/frame-000.png and so on, and of these, at half
 * their size, animation.gif, from which frames are left out where it would be larger than can be
 * mailed. Several runs move side by side, the first four of those whose bodies are of the first
 * one's kind. All frames have one scale for the colours and one for the arrows. Nothing where no
 * run has two written instants. Throws InputError where a file or field is missing, RunError.
 */
std::vector<Picture> draw_animation(const std::vector<History> &runs,
                                    const AnimationOptions &options,
                                    const std::filesystem::path &folder);

} // namespace percussion::report
