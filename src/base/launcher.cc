#include <percussion/base/launcher.h>

#include <array>
#include <cstdlib>
#include <string>

namespace percussion {
namespace {

/// Variables with the number of processes and the rank.
constexpr std::array<std::array<const char *, 2>, 2> variables = {
    {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"}}};

} // namespace

Launch launch() {
  for (const auto &[size, rank] : variables) {
    const char *const n = std::getenv(size), *const number = std::getenv(rank);
    if (n != nullptr && number != nullptr)
      return {static_cast<unsigned int>(std::strtoul(n, nullptr, 10)),
              static_cast<unsigned int>(std::strtoul(number, nullptr, 10)), true};
  }
  return {};
}

} // namespace percussion
