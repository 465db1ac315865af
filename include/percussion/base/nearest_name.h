#pragma once

#include <optional>
#include <string>
#include <vector>

namespace percussion {
/**
 * Number of single-character insertions, deletions, replacements and swaps of neighbours that lead
 * from one word to the other, upper and lower case being the same letter (Damerau-Levenshtein
 * distance in its restricted form: no swapped pair is edited again).
 */
unsigned edit_distance(const std::string &a, const std::string &b);

/**
 * What the user probably meant: the candidate at the smallest edit distance from @p word, the first
 * of several. Nothing if even that one differs in more than a third of its characters (one
 * character for short words).
 */
std::optional<std::string> nearest_name(const std::string &word,
                                        const std::vector<std::string> &candidates);

/// "; did you mean 'Step'?", or "" if no candidate is near. A word that is a candidate but for
/// no-break spaces is told so: on a screen it looks right.
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

/// The same for names of files. What they all end with does not make them similar, and the name
/// itself (a link to nothing) is not meant.
std::string did_you_mean_file(const std::string &file, std::vector<std::string> candidates);

/// The names with the separator between them.
std::string joined(const std::vector<std::string> &names, const std::string &separator);
} // namespace percussion
