#include <percussion/report/polyline.h>

#include <algorithm>
#include <cmath>

namespace percussion::report {

Polyline thinned(const Polyline &line) {
  Polyline result;
  for (std::size_t begin = 0, end = 0; begin < line.size(); begin = end) {
    const float column = std::floor(line[begin][0]);
    std::size_t low = begin, high = begin;
    for (end = begin; end < line.size() && std::floor(line[end][0]) == column; ++end) {
      if (line[end][1] < line[low][1])
        low = end;
      if (line[end][1] > line[high][1])
        high = end;
    }
    std::array<std::size_t, 4> kept = {begin, std::min(low, high), std::max(low, high), end - 1};
    const auto last = std::unique(kept.begin(), kept.end());
    for (auto index = kept.begin(); index != last; ++index)
      result.push_back(line[*index]);
  }
  return result;
}

std::vector<Polyline> dashed(const Polyline &line, const std::vector<float> &pattern) {
  if (pattern.empty() || line.size() < 2)
    return {line};
  std::vector<Polyline> dashes = {{line.front()}};
  std::size_t phase = 0; // even: on a dash
  float left = pattern[0];
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Pixel from = line[i - 1], to = line[i];
    const float length = std::hypot(to[0] - from[0], to[1] - from[1]);
    float done = 0;
    while (length - done > left) {
      done += left;
      const float s = done / length;
      const Pixel cut = {from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1])};
      if (phase % 2 == 0)
        dashes.back().push_back(cut);
      else
        dashes.push_back({cut});
      phase = (phase + 1) % pattern.size();
      left = pattern[phase];
    }
    left -= length - done;
    if (phase % 2 == 0)
      dashes.back().push_back(to);
  }
  return dashes;
}

} // namespace percussion::report
