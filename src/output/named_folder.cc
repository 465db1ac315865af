#include <percussion/base/durable_file.h>
#include <percussion/output/named_folder.h>

#include <sys/stat.h>

namespace percussion {
namespace {

struct stat status_of(const std::string &folder) {
  struct stat status {};
  if (::stat(folder.c_str(), &status) != 0)
    throw_write_error(folder);
  return status;
}

} // namespace

NamedFolder::NamedFolder(const std::string &folder) : name(folder) {
  const auto status = status_of(folder);
  device = status.st_dev;
  number = status.st_ino;
}

void NamedFolder::expect_same() const {
  const auto status = status_of(name);
  if (device != status.st_dev || number != status.st_ino)
    throw WriteError(name + ": cannot be written (it was moved, and its name is another folder's)");
}

} // namespace percussion
