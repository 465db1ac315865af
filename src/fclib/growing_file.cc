#include <percussion/base/file.h>
#include <percussion/fclib/growing_file.h>

#include "hdf5_group.h"
#include "pending_file.h"
#include <cerrno>
#include <cstring>
#include <optional>

namespace percussion {
namespace {

using hdf5::Handle;

/// Returns the properties of an open file: of the driver of a file that changes, if it is given.
/// HDF5 prints no errors of this thread from here on: the exceptions contain them.
Handle file_properties(PendingFile *changing) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle properties(changing != nullptr ? changing->access_properties()
                                        : H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(properties, H5F_LIBVER_V110, H5F_LIBVER_V110); // also of HDF5 1.14
  H5Pset_file_locking(properties, false, true);
  return properties;
}

/// Returns properties of a new object that stores no times of its creation, so that the bytes of a
/// file depend on its content only.
Handle without_times(hid_t kind) {
  Handle properties(H5Pcreate(kind));
  H5Pset_obj_track_times(properties, false);
  return properties;
}

hid_t open_file(const std::string &path, GrowingFile::Mode mode, PendingFile *changing) {
  errno = 0;
  if (mode == GrowingFile::Mode::create) {
    const Handle root_properties = without_times(H5P_FILE_CREATE);
    return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, root_properties, file_properties(changing));
  }
  return H5Fopen(path.c_str(), changing != nullptr ? H5F_ACC_RDWR : H5F_ACC_RDONLY,
                 file_properties(changing));
}

/// Stores the description of the first error, which is the last one of the walk.
herr_t note_description(unsigned int, const H5E_error2_t *error, void *description) {
  *static_cast<std::string *>(description) = error->desc == nullptr ? "" : error->desc;
  return 0;
}

hid_t native(NumberType type) {
  switch (type) {
  case NumberType::float64:
    return H5T_NATIVE_DOUBLE;
  case NumberType::float32:
    return H5T_NATIVE_FLOAT;
  case NumberType::int32:
    return H5T_NATIVE_INT32;
  case NumberType::uint8:
    return H5T_NATIVE_UINT8;
  default:
    return H5T_NATIVE_INT64;
  }
}

} // namespace

struct GrowingFile::Impl {
  [[noreturn]] void fail() const;
  /// Throws the error of this mode if HDF5 has returned a negative result.
  template <typename Result>
  Result checked(Result result) const {
    if (result < 0)
      fail();
    return result;
  }
  Handle open_columns(const std::string &name) const;
  Handle open_group(const std::string &name) const {
    return checked(H5Gopen2(*open_handle, name.c_str(), H5P_DEFAULT));
  }
  std::vector<hsize_t> extent(const Handle &columns) const;

  std::string path;
  Mode mode;
  std::optional<PendingFile> changing{}; ///< declared before the file, which uses it
  std::optional<Handle> open_handle{};
};

GrowingFile::GrowingFile(const std::string &path, Mode mode) : impl(new Impl{path, mode}) {
  if (mode == Mode::read)
    PendingFile::recover(path);
  else
    impl->changing.emplace(path, mode == Mode::create);
  PendingFile *const changing = impl->changing ? &*impl->changing : nullptr;
  impl->open_handle.emplace(impl->checked(open_file(path, mode, changing)));
}

GrowingFile::~GrowingFile() = default;

void GrowingFile::Impl::fail() const {
  const int reason = errno;
  std::string description;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, note_description, &description);
  if (reason != 0)
    description = std::strerror(reason);
  if (mode == Mode::read)
    throw RunError(path + ": cannot be read (" + description + ")");
  throw WriteError(path + ": cannot be written (" + description + ")");
}

void GrowingFile::create_group(const std::string &name) {
  const Handle properties = without_times(H5P_GROUP_CREATE);
  impl->checked(hid_t(
      Handle(H5Gcreate2(*impl->open_handle, name.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT))));
}

void GrowingFile::create_columns(const std::string &name, NumberType type, std::size_t width,
                                 std::size_t chunk_rows, bool is_compressed) {
  const int rank = width == 0 ? 1 : 2;
  const hsize_t extent[] = {0, width}, limit[] = {H5S_UNLIMITED, width},
                chunk[] = {chunk_rows, width};
  const Handle space(H5Screate_simple(rank, extent, limit)),
      properties(without_times(H5P_DATASET_CREATE));
  impl->checked(H5Pset_chunk(properties, rank, chunk));
  if (is_compressed) {
    impl->checked(H5Pset_shuffle(properties));
    impl->checked(H5Pset_deflate(properties, 1));
  }
  impl->checked(std::int64_t(Handle(H5Dcreate2(*impl->open_handle, name.c_str(), native(type),
                                               space, H5P_DEFAULT, properties, H5P_DEFAULT))));
}

Handle GrowingFile::Impl::open_columns(const std::string &name) const {
  errno = 0;
  return checked(H5Dopen2(*open_handle, name.c_str(), H5P_DEFAULT));
}

std::vector<hsize_t> GrowingFile::Impl::extent(const Handle &columns) const {
  const Handle space(H5Dget_space(columns));
  std::vector<hsize_t> n(static_cast<std::size_t>(checked(H5Sget_simple_extent_ndims(space))));
  if (n.empty() || n.size() > 2)
    throw RunError(path + ": a dataset is neither a vector nor a table");
  checked(H5Sget_simple_extent_dims(space, n.data(), nullptr));
  return n;
}

std::size_t GrowingFile::n_rows(const std::string &name) const {
  return impl->extent(impl->open_columns(name)).front();
}

void GrowingFile::cut(const std::string &name, std::size_t n) {
  const Handle columns = impl->open_columns(name);
  std::vector<hsize_t> size = impl->extent(columns);
  size[0] = n;
  impl->checked(H5Dset_extent(columns, size.data()));
}

void GrowingFile::append(const std::string &name, const void *data, std::size_t n) {
  const Handle columns = impl->open_columns(name);
  std::vector<hsize_t> size = impl->extent(columns), first(size.size(), 0), count = size;
  first[0] = size[0];
  count[0] = n;
  size[0] += n;
  if (n == 0)
    return;
  impl->checked(H5Dset_extent(columns, size.data()));
  const Handle space(H5Dget_space(columns)), type(H5Dget_type(columns)),
      memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  impl->checked(
      H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr));
  impl->checked(H5Dwrite(columns, type, memory, space, H5P_DEFAULT, data));
}

std::string GrowingFile::rows(const std::string &name, std::size_t begin, std::size_t n) const {
  const Handle columns = impl->open_columns(name), type(H5Dget_type(columns));
  std::vector<hsize_t> count = impl->extent(columns), first(count.size(), 0);
  if (begin > count[0] || n > count[0] - begin)
    throw RunError(impl->path + ": " + name + " has " + std::to_string(count[0]) +
                   " rows, and its index refers to more");
  first[0] = begin;
  count[0] = n;
  std::size_t bytes = H5Tget_size(type);
  for (const hsize_t factor : count)
    bytes *= factor;
  std::string content(bytes, '\0');
  if (n == 0)
    return content;
  const Handle space(H5Dget_space(columns)),
      memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  impl->checked(
      H5Sselect_hyperslab(space, H5S_SELECT_SET, first.data(), nullptr, count.data(), nullptr));
  impl->checked(H5Dread(columns, type, memory, space, H5P_DEFAULT, content.data()));
  return content;
}

std::int64_t GrowingFile::integer(const std::string &name, std::size_t row) const {
  const std::string bytes = rows(name, row, 1);
  std::int64_t number = 0;
  if (bytes.size() != sizeof number)
    throw RunError(impl->path + ": " + name + " is no column of integers");
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

void GrowingFile::create_text(const std::string &group, const std::string &name,
                              const std::string &text) {
  const Handle parent(impl->open_group(group)), type(H5Tcopy(H5T_C_S1)),
      space(H5Screate(H5S_SCALAR));
  H5Tset_size(type, text.size());
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const Handle attribute(
      impl->checked(H5Acreate2(parent, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT)));
  impl->checked(H5Awrite(attribute, type, text.data()));
}

void GrowingFile::set_integers(const std::string &group, const std::string &name,
                               const std::vector<std::int64_t> &values) {
  const Handle parent(impl->open_group(group));
  const hsize_t n = values.size();
  const Handle space(n == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &n, nullptr));
  // H5Aopen_by_name() returns attributes that HDF5 1.10 cannot write.
  const Handle attribute(impl->checked(
      H5Aexists(parent, name.c_str()) > 0
          ? H5Aopen(parent, name.c_str(), H5P_DEFAULT)
          : H5Acreate2(parent, name.c_str(), H5T_NATIVE_INT64, space, H5P_DEFAULT, H5P_DEFAULT)));
  impl->checked(H5Awrite(attribute, H5T_NATIVE_INT64, values.data()));
}

std::vector<std::string> GrowingFile::names(const std::string &group) const {
  const Handle parent(impl->open_group(group));
  H5G_info_t info{};
  impl->checked(H5Gget_info(parent, &info));
  std::vector<std::string> found;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    const auto name_of = [&](char *text, std::size_t size) {
      return impl->checked(
          H5Lget_name_by_idx(parent, ".", H5_INDEX_NAME, H5_ITER_INC, i, text, size, H5P_DEFAULT));
    };
    std::string &name = found.emplace_back(static_cast<std::size_t>(name_of(nullptr, 0)), '\0');
    name_of(name.data(), name.size() + 1);
  }
  return found;
}

void GrowingFile::complete() {
  errno = 0;
  impl->checked(H5Fflush(*impl->open_handle, H5F_SCOPE_GLOBAL));
  impl->open_handle.reset();
  impl->changing->commit();
}

} // namespace percussion
