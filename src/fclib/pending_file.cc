#include "pending_file.h"

#include <percussion/base/checksum.h>
#include <percussion/base/file.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>
#include <unistd.h>

namespace percussion {
namespace {

std::string journal_of(const std::string &path) { return path + ".journal"; }

/// Writes bytes at a position of a file; returns false on failure, with the reason in errno.
bool write_at(int descriptor, std::uint64_t position, const char *bytes, std::size_t n) {
  while (n > 0) {
    const ssize_t written = ::pwrite(descriptor, bytes, n, static_cast<off_t>(position));
    if (written < 0 && errno != EINTR)
      return false;
    const std::size_t n_written = written > 0 ? static_cast<std::size_t>(written) : 0;
    position += n_written;
    bytes += n_written;
    n -= n_written;
  }
  return true;
}

std::string encoded(std::uint64_t number) {
  return {reinterpret_cast<const char *>(&number), sizeof number};
}

std::uint64_t decoded(const char *bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes, sizeof number);
  return number;
}

// ---- HDF5's interface to files: a driver with the functions below ----

/// Open file of the driver; HDF5 knows its first member.
struct DriverFile {
  H5FD_t base;
  PendingFile *file;
  haddr_t allocated;
};

DriverFile *driver_file(H5FD_t *base) { return reinterpret_cast<DriverFile *>(base); }

H5FD_t *open(const char *, unsigned, hid_t properties, haddr_t) {
  auto *const *const file = static_cast<PendingFile *const *>(H5Pget_driver_info(properties));
  auto *const opened = new (std::nothrow) DriverFile{};
  if (opened == nullptr)
    return nullptr;
  opened->file = *file;
  return &opened->base;
}

herr_t close(H5FD_t *base) {
  delete driver_file(base);
  return 0;
}

herr_t query(const H5FD_t *, unsigned long *flags) {
  if (flags != nullptr)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

haddr_t get_allocated(const H5FD_t *base, H5FD_mem_t) {
  return reinterpret_cast<const DriverFile *>(base)->allocated;
}

herr_t set_allocated(H5FD_t *base, H5FD_mem_t, haddr_t address) {
  driver_file(base)->allocated = address;
  return 0;
}

haddr_t get_end(const H5FD_t *base, H5FD_mem_t) {
  return reinterpret_cast<const DriverFile *>(base)->file->end;
}

herr_t read(H5FD_t *base, H5FD_mem_t, hid_t, haddr_t position, std::size_t n, void *bytes) {
  driver_file(base)->file->read(position, n, static_cast<char *>(bytes));
  return 0;
}

herr_t write(H5FD_t *base, H5FD_mem_t, hid_t, haddr_t position, std::size_t n, const void *bytes) {
  try {
    driver_file(base)->file->write(position, n, static_cast<const char *>(bytes));
  } catch (const std::bad_alloc &) {
    errno = ENOMEM;
    return -1;
  }
  return 0;
}

herr_t truncate(H5FD_t *base, hid_t, hbool_t) {
  driver_file(base)->file->end = driver_file(base)->allocated;
  return 0;
}

hid_t register_driver() {
  H5FD_class_t driver{};
#if H5_VERSION_GE(1, 13, 0)
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(1000);
#endif
  driver.name = "percussion pending file";
  driver.maxaddr = haddr_t(1) << 62;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(PendingFile *);
  driver.open = open;
  driver.close = close;
  driver.query = query;
  driver.get_eoa = get_allocated;
  driver.set_eoa = set_allocated;
  driver.get_eof = get_end;
  driver.read = read;
  driver.write = write;
  driver.truncate = truncate;
  return H5FDregister(&driver);
}

} // namespace

PendingFile::PendingFile(const std::string &file_path, bool is_new) : path(file_path) {
  if (is_new)
    return;
  recover(path);
  descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
    throw_write_error(path);
  end = old_size = static_cast<std::uint64_t>(status.st_size);
}

PendingFile::~PendingFile() {
  if (descriptor >= 0)
    ::close(descriptor);
}

hid_t PendingFile::access_properties() {
  static const hid_t driver = register_driver();
  const hid_t properties = H5Pcreate(H5P_FILE_ACCESS);
  const PendingFile *const file = this;
  H5Pset_driver(properties, driver, &file);
  return properties;
}

std::string PendingFile::stored_page(std::uint64_t page) const {
  std::string bytes(page_size, '\0');
  if (descriptor >= 0 && page * page_size < old_size)
    for (std::size_t n = 0; n < page_size;) {
      const ssize_t n_read =
          ::pread(descriptor, &bytes[n], page_size - n, static_cast<off_t>(page * page_size + n));
      if (n_read == 0 || (n_read < 0 && errno != EINTR))
        break;
      n += n_read > 0 ? static_cast<std::size_t>(n_read) : 0;
    }
  return bytes;
}

void PendingFile::read(std::uint64_t position, std::size_t n, char *bytes) const {
  while (n > 0) {
    const std::uint64_t page = position / page_size, begin = position % page_size;
    const std::size_t n_here = std::min<std::size_t>(n, page_size - begin);
    const auto changed = pages.find(page);
    const std::string &content = changed != pages.end() ? changed->second : stored_page(page);
    std::memcpy(bytes, &content[begin], n_here);
    position += n_here;
    bytes += n_here;
    n -= n_here;
  }
}

void PendingFile::write(std::uint64_t position, std::size_t n, const char *bytes) {
  end = std::max(end, position + n);
  while (n > 0) {
    const std::uint64_t page = position / page_size, begin = position % page_size;
    const std::size_t n_here = std::min<std::size_t>(n, page_size - begin);
    auto changed = pages.find(page);
    if (changed == pages.end())
      changed = pages.emplace(page, stored_page(page)).first;
    std::memcpy(&changed->second[begin], bytes, n_here);
    position += n_here;
    bytes += n_here;
    n -= n_here;
  }
}

bool PendingFile::write_pages(std::uint64_t first) const {
  return std::all_of(pages.lower_bound(first), pages.end(), [&](const auto &page) {
    const std::uint64_t position = page.first * page_size;
    return position >= end ||
           write_at(descriptor, position, page.second.data(),
                    static_cast<std::size_t>(std::min<std::uint64_t>(page_size, end - position)));
  });
}

void PendingFile::restore() const {
  const int reason = errno;
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor, static_cast<off_t>(old_size));
  errno = reason;
  throw_write_error(path);
}

void PendingFile::commit() {
  if (descriptor < 0) {
    std::string content(static_cast<std::size_t>(end), '\0');
    read(0, content.size(), content.data());
    write_file(path, content);
    return;
  }
  const std::uint64_t first_new = (old_size + page_size - 1) / page_size;
  if (!write_pages(first_new))
    restore();
  std::string journal = encoded(end);
  for (const auto &[page, bytes] : pages)
    if (page < first_new)
      journal += encoded(page * page_size) + bytes;
  try {
    write_file(journal_of(path), encoded(crc64(journal)) + journal);
  } catch (const WriteError &) {
    restore();
  }
  recover(path);
}

void PendingFile::recover(const std::string &path) {
  const auto journal = read_file(journal_of(path));
  constexpr std::size_t head = 2 * sizeof(std::uint64_t),
                        record = sizeof(std::uint64_t) + page_size;
  if (!journal)
    return;
  const char *const bytes = journal->data();
  const bool is_intact =
      journal->size() >= head && (journal->size() - head) % record == 0 &&
      decoded(bytes) == crc64(std::string_view(*journal).substr(sizeof(std::uint64_t)));
  const int descriptor = is_intact ? ::open(path.c_str(), O_RDWR | O_CLOEXEC) : -1;
  if (descriptor >= 0) {
    const std::uint64_t new_end = decoded(bytes + sizeof(std::uint64_t));
    bool is_written = true;
    for (std::size_t i = head; i < journal->size(); i += record)
      is_written = is_written && write_at(descriptor, decoded(bytes + i),
                                          bytes + i + sizeof(std::uint64_t), page_size);
    is_written = is_written && ::ftruncate(descriptor, static_cast<off_t>(new_end)) == 0;
    const int reason = errno;
    ::close(descriptor);
    errno = reason;
    if (!is_written)
      throw_write_error(path);
  }
  ::unlink(journal_of(path).c_str());
}

} // namespace percussion
