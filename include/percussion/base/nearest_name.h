#pragma once

#include <optional>
#include <string>
#include <vector>

namespace percussion {
/// Returns the number of insertions, deletions, replacements and swaps of adjacent characters that
/// turn one word into the other, ignoring case (restricted Damerau-Levenshtein distance: a swapped
/// pair is not edited again).
unsigned edit_distance(const std::string &a, const std::string &b);

/// Returns the name that the user probably meant: the first candidate at the smallest edit distance
/// from @p word; std::nullopt if this candidate differs in more than a third of its characters (one
/// character for short words).
std::optional<std::string> nearest_name(const std::string &word,
                                        const std::vector<std::string> &candidates);

/// Returns "; did you mean 'Step'?", or "" if no candidate is close. Reports a word that differs
/// from a candidate only by no-break spaces, because it looks right on a screen.
std::string did_you_mean(const std::string &word, const std::vector<std::string> &candidates);

/// Returns the same text for file names. A common ending does not make names similar, and the name
/// itself (a dangling link) is not suggested.
std::string did_you_mean_file(const std::string &file, std::vector<std::string> candidates);

/// Returns the names, joined by the separator.
std::string joined(const std::vector<std::string> &names, const std::string &separator);

/// Returns names for a message: "a, b and 298 more" if there are too many to read.
std::string listed(const std::vector<std::string> &names);
} // namespace percussion
