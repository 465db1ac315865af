#pragma once

#include <percussion/base/error.h>
#include <percussion/base/mpi_session.h>
#include <percussion/dynamics/step.h>
#include <percussion/run/run.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

/// Utilities of benchmarks: cases from parameter files, and clocks.
namespace percussion::benchmark {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Returns the wall time of a call [s].
template <typename Call>
double seconds_of(const Call &call) {
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Returns a case with changed parameters ("path=value").
inline Case<2> make_case(const std::string &prm, const std::vector<std::string> &changes) {
  auto file = ParameterFile::read(prm);
  for (const std::string &change : changes)
    file.override_with(change);
  const Parameters parameters(declare_case(&file), file);
  return build_case<2>(parameters, file);
}

} // namespace percussion::benchmark
