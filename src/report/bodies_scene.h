#pragma once

#include <percussion/report/pictures.h>

#include "scene.h"

namespace percussion::report {

/// What all pictures of a run's bodies have in common.
struct Setting {
  std::vector<Frame> contacts; ///< may be empty
  Warp warp;
  std::string field; ///< none: plain
  Units units;
};

/// The setting for a run of which these instants are shown.
Setting setting_of(const History &run, const std::vector<Instant> &instants,
                   const SceneOptions &options);

/// ", displacement × 100, in x from its mean" or ", true to scale".
std::string warp_text(const Warp &warp);

/// The directions in which the mean displacement is kept: "x and y", or nothing.
std::string kept_directions(const Warp &warp);

/// The bodies of an instant with their percussions and straight grounds. The scale of the arrows,
/// undeformed outlines and words are left to the caller. Throws InputError where a field is missing
/// or a value is not finite.
Scene scene_of(const Instant &instant, const Setting &setting);

/// Makes the scene's longest arrow that long.
void scale_arrows(Scene &scene, double longest);

double largest_percussion(const Scene &scene);

/// Keeps the grounds that are in all scenes with the same direction: a curved surface may look
/// straight to the few points that are near it at one instant.
void keep_lasting_grounds(std::vector<Scene> &scenes);

/// The sheet in which the scenes fit, with their colours. Where few values stand out the colours
/// end below them if `clip` is set. Words and arrows are left to the caller.
Sheet sheet_for(const std::vector<Scene> &scenes, const Setting &setting, bool clip);

} // namespace percussion::report
