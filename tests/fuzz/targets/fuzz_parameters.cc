// Fuzz target of parameter files: bytes are read, checked and printed as by `percussion FILE
// --validate` and `--print-parameters FILE`, or refused.

#include <percussion/base/mpi_session.h>
#include <percussion/run/run.h>

#include "targets/expected.h"
#include "targets/mutate_words.h"
#include "targets/own_folder.h"
#include <sstream>
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define PERCUSSION_LEAKS_ARE_FOUND
#endif
#endif

namespace {

/// True for names of devices and system files: reading them does not test this program.
bool names_the_system(const std::string &text) {
  for (const std::string folder : {"/dev", "/proc", "/sys"})
    if (text.find(folder) != std::string::npos)
      return true;
  return false;
}

std::string printed(const percussion::Parameters &parameters) {
  std::ostringstream out;
  parameters.print(out, false);
  return out.str();
}

/// Returns the name of a parameter file that does not exist, in a folder with the small mesh and
/// the include file of the seeds.
std::string file_name() {
  const auto folder = fuzz::own_folder();
  const std::string seeds = PERCUSSION_SOURCE_DIR "/tests/fuzz/seeds/";
  const auto overwrite = std::filesystem::copy_options::overwrite_existing;
  copy_file(seeds + "mesh/valid/q4-22-ascii.msh", folder / "block.msh", overwrite);
  copy_file(seeds + "parameters/base.prm", folder / "base.prm", overwrite);
  return (folder / "fuzz.prm").string();
}

void read(const std::string &text) {
  static const std::string name = file_name();
  const auto file = percussion::ParameterFile::parse(text, name);
  const percussion::Parameters parameters(percussion::declare_case(&file), file);
  const std::string first = printed(parameters);
  const auto again = percussion::ParameterFile::parse(first, name);
  std::string second;
  try {
    second = printed(percussion::Parameters(percussion::declare_case(&again), again));
  } catch (const percussion::InputError &error) {
    throw std::logic_error(std::string("what was printed cannot be read: ") + error.what());
  }
  if (first != second)
    throw std::logic_error("what was printed reads back to other values");
  percussion::dispatch_dimension(percussion::dimension_of(file), [&](auto dim) {
    const auto c = percussion::build_case<dim>(parameters, file);
    percussion::describe(c);
  });
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
#ifdef PERCUSSION_LEAKS_ARE_FOUND
  __lsan_disable(); // Open MPI does not free some memory of its start
#endif
  static const percussion::MpiSession mpi;
#ifdef PERCUSSION_LEAKS_ARE_FOUND
  __lsan_enable();
#endif
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  const std::string text(reinterpret_cast<const char *>(data), size);
  if (names_the_system(text))
    return -1;
  fuzz::expect_input_error([&] { read(text); });
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t *data, std::size_t size,
                                               std::size_t max_size, unsigned int seed) {
  return fuzz::mutate_words(data, size, max_size, seed);
}
