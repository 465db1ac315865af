#include "hdf5_group.h"

#include <percussion/base/file.h>
#include <percussion/fclib/fclib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace percussion::hdf5 {
namespace {

/// Returns the properties of a file in memory. HDF5 prints no errors from here on: the exceptions
/// contain them.
Handle memory_properties() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(properties, 1 << 16, false);
  return properties;
}

/// Resizes a container. Returns false if the memory does not suffice, e.g. if a damaged file has an
/// absurd length.
template <typename Container>
bool resize(Container &values, std::size_t n) {
  try {
    values.resize(n);
  } catch (const std::exception &) {
    return false;
  }
  return true;
}

Handle simple_space(hsize_t length) { return H5Screate_simple(1, &length, nullptr); }

} // namespace

void fail(const std::string &path, const std::string &object, const std::string &found,
          const std::string &needed) {
  throw FclibError(path + (object.empty() ? "" : ": " + object) + ": found " + found +
                   "; needed: " + needed);
}

std::string count(std::size_t n) { return n == 1 ? "1 number" : std::to_string(n) + " numbers"; }

Handle load(const std::string &path) {
  std::optional<std::string> bytes = read_file(path);
  if (std::error_code error; !bytes && std::filesystem::is_other(path, error))
    fail(path, "", "a device or a pipe", "a regular file");
  if (!bytes || bytes->empty())
    fail(path, "", bytes ? "an empty file" : std::strerror(errno), "a readable HDF5 file");
  if (bytes->compare(0, 4, "\x89HDF") != 0)
    fail(path, "", "something else than HDF5", "an HDF5 file");
  const Handle properties = memory_properties();
  H5Pset_file_image(properties, bytes->data(), bytes->size());
  // HDF5 insists that there is no file of the image's name.
  Handle file(H5Fopen((path + "/image").c_str(), H5F_ACC_RDWR, properties));
  if (!file)
    fail(path, "", "HDF5 that cannot be opened (cut short, damaged or in use)",
         "a complete HDF5 file");
  return file;
}

Handle create(const std::string &path) {
  return H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, memory_properties());
}

std::string content_of(const Handle &file, const std::string &path) {
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string bytes;
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  if (size <= 0 || !resize(bytes, static_cast<std::size_t>(size)) ||
      H5Fget_file_image(file, bytes.data(), bytes.size()) != size)
    fail(path, "", "a file that HDF5 cannot complete", "more memory");
  return bytes;
}

Group::Group(const Handle &file, const std::string &path)
    : file_path(path), id(H5Gopen2(file, "/", H5P_DEFAULT)) {}

Group::Group(Handle group, const std::string &path, const std::string &group_name)
    : file_path(path), prefix(group_name + "/"), id(std::move(group)) {}

void Group::fail(const std::string &name, const std::string &found,
                 const std::string &needed) const {
  hdf5::fail(file_path, prefix + name, found, needed);
}

bool Group::has_link(const std::string &name) const {
  if (H5Lexists(id, name.c_str(), H5P_DEFAULT) <= 0)
    return false;
  H5L_info_t info{};
  H5Lget_info(id, name.c_str(), &info, H5P_DEFAULT);
  if (info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT)
    fail(name, "a link to another file", "an object of this file");
  return true;
}

Group Group::group(const std::string &name) const {
  if (!has_link(name))
    fail(name, "nothing", "a group");
  Handle child(H5Gopen2(id, name.c_str(), H5P_DEFAULT));
  if (!child)
    fail(name, "something else than a group, or a damaged one", "a group");
  return {std::move(child), file_path, prefix + name};
}

Handle Group::dataset(const std::string &name, H5T_class_t type_class, const char *content) const {
  const std::string needed = std::string("a dataset of ") + content;
  if (!has_link(name))
    fail(name, "nothing", needed);
  Handle dataset(H5Dopen2(id, name.c_str(), H5P_DEFAULT));
  if (!dataset)
    fail(name, "something else than a dataset, or a damaged one", needed);
  const Handle properties(H5Dget_create_plist(dataset));
  if (H5Pget_external_count(properties) > 0 || H5Pget_layout(properties) == H5D_VIRTUAL)
    fail(name, "data in another file", "data in this file");
  if (H5Tget_class(Handle(H5Dget_type(dataset))) != type_class)
    fail(name, "data of another type", content);
  return dataset;
}

template <typename Number>
std::vector<Number> Group::read(const std::string &name, const Handle &dataset, hid_t type,
                                std::size_t minimum, std::size_t maximum) const {
  const hssize_t extent = H5Sget_simple_extent_npoints(Handle(H5Dget_space(dataset)));
  const auto length = static_cast<std::size_t>(extent);
  if (extent < 0 || length < minimum || length > maximum)
    fail(name, count(length),
         (minimum < maximum ? std::to_string(minimum) + " to " : "") + count(maximum));
  std::vector<Number> values;
  if (!resize(values, length))
    fail(name, count(length), "no more than fit in memory");
  if (length > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(name, "data that cannot be read (cut short, damaged or by an unknown filter)",
         count(length));
  return values;
}

int Group::integer(const std::string &name, int minimum) const {
  const int value = integers(name, 1, 1).front();
  if (value < minimum)
    fail(name, std::to_string(value), "at least " + std::to_string(minimum));
  return value;
}

std::vector<int> Group::integers(const std::string &name, std::size_t minimum,
                                 std::size_t maximum) const {
  return read<int>(name, dataset(name, H5T_INTEGER, "integers"), H5T_NATIVE_INT, minimum, maximum);
}

std::vector<double> Group::reals(const std::string &name, std::size_t minimum,
                                 std::size_t maximum) const {
  return read<double>(name, dataset(name, H5T_FLOAT, "real numbers"), H5T_NATIVE_DOUBLE, minimum,
                      maximum);
}

std::string Group::text(const std::string &name) const {
  if (!has_link(name))
    return "";
  const Handle text = dataset(name, H5T_STRING, "characters"), type(H5Dget_type(text));
  std::string characters;
  if (H5Tis_variable_str(type) != 0 || !resize(characters, H5Tget_size(type)) ||
      H5Sget_simple_extent_npoints(Handle(H5Dget_space(text))) != 1 ||
      H5Dread(text, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()) < 0)
    fail(name, "text that cannot be read", "one text of fixed length");
  return characters.substr(0, characters.find('\0'));
}

Group Group::create(const std::string &name) const {
  if (has_link(name))
    H5Ldelete(id, name.c_str(), H5P_DEFAULT);
  Handle child(H5Gcreate2(id, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!child)
    fail(name, "a group that HDF5 cannot create", "more memory");
  return {std::move(child), file_path, prefix + name};
}

void Group::write(const std::string &name, hid_t type, const Handle &space,
                  const void *data) const {
  const Handle dataset(
      H5Dcreate2(id, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (!dataset || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    fail(name, "a dataset that HDF5 cannot write", "more memory");
}

void Group::write(const std::string &name, const std::vector<int> &values) const {
  write(name, H5T_NATIVE_INT, simple_space(values.size()), values.data());
}

void Group::write(const std::string &name, const std::vector<double> &values) const {
  write(name, H5T_NATIVE_DOUBLE, simple_space(values.size()), values.data());
}

void Group::write(const std::string &name, const std::string &text) const {
  const Handle type(H5Tcopy(H5T_C_S1));
  H5Tset_size(type, text.size() + 1);
  write(name, type, H5Screate(H5S_SCALAR), text.c_str());
}

} // namespace percussion::hdf5
