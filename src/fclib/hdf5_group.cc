#include "hdf5_group.h"

#include <percussion/fclib/fclib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace percussion::hdf5 {
namespace {

/// Why the operating system does not let a file be read; "" if it does.
std::string obstacle(const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error)
    return error.message();
  if (fs::is_directory(status))
    return "a directory";
  if (!fs::is_regular_file(status))
    return "not a regular file";
  if (!std::ifstream(path))
    return std::strerror(errno);
  if (fs::file_size(path, error) == 0)
    return "an empty file";
  return "";
}

/// False if there is no memory, as where damage has made the size. More than n is asked for where
/// FCLib is going to: it ends the process if it does not get it.
template <typename Container>
bool resize(Container &x, std::size_t n, std::size_t capacity) {
  try {
    x.reserve(capacity);
    x.resize(n);
  } catch (const std::exception &) {
    return false;
  }
  return true;
}

std::string count(long long n) { return n == 1 ? "1 number" : std::to_string(n) + " numbers"; }

} // namespace

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Handle::~Handle() { close(); }

bool Handle::close() {
  const hid_t id = id_;
  id_ = -1;
  return id < 0 || close_(id) >= 0;
}

void fail(const std::string &path, const std::string &object, const std::string &found,
          const std::string &needed) {
  throw FclibError(path + (object.empty() ? "" : ": " + object) + ": found " + found +
                   "; needed: " + needed);
}

Handle open_file(const std::string &path, unsigned int access) {
  if (const std::string found = obstacle(path); !found.empty())
    fail(path, "", found, "a readable HDF5 file");
  if (H5Fis_hdf5(path.c_str()) <= 0)
    fail(path, "", "something else than HDF5", "an HDF5 file");
  Handle file(H5Fopen(path.c_str(), access, H5P_DEFAULT), H5Fclose);
  if (!file)
    fail(path, "", "HDF5 that cannot be opened (cut short, damaged or in use)",
         "a complete HDF5 file");
  return file;
}

Group::Group(hid_t file, const std::string &path)
    : path_(path), id_(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose) {
  if (!id_)
    fail("/", "no group that can be opened", "a group");
}

Group::Group(hid_t location, const std::string &path, const std::string &name)
    : path_(path), name_(name), id_(location, H5Gclose) {}

std::string Group::full_name(const std::string &name) const {
  return name_.empty() ? name : name_ + "/" + name;
}

void Group::fail(const std::string &name, const std::string &found,
                 const std::string &needed) const {
  hdf5::fail(path_, full_name(name), found, needed);
}

bool Group::has(const std::string &name) const {
  return H5Lexists(id_, name.c_str(), H5P_DEFAULT) > 0;
}

bool Group::has_optional(const std::string &name) const {
  if (has(name))
    return true;
  for (const std::string &other : names())
    if (other.compare(0, name.size(), name) == 0)
      fail(other, "a name that FCLib mistakes for \"" + name + "\"",
           "\"" + name + "\" too, or another name");
  return false;
}

Group Group::group(const std::string &name) const {
  if (!has(name))
    fail(name, "nothing", "a group");
  Group child(H5Gopen2(id_, name.c_str(), H5P_DEFAULT), path_, full_name(name));
  if (!child.id_)
    fail(name, "something else than a group, or a damaged one", "a group");
  return child;
}

std::vector<std::string> Group::names() const {
  std::vector<std::string> result;
  H5G_info_t info{};
  if (H5Gget_info(id_, &info) < 0)
    fail(".", "a group that cannot be listed", "a group");
  for (hsize_t k = 0; k < info.nlinks; ++k) {
    const auto get = [&](char *name, std::size_t size) {
      return H5Lget_name_by_idx(id_, ".", H5_INDEX_NAME, H5_ITER_INC, k, name, size, H5P_DEFAULT);
    };
    const ssize_t length = get(nullptr, 0);
    if (length < 0)
      fail(".", "a group that cannot be listed", "a group");
    std::string name(static_cast<std::size_t>(length) + 1, '\0');
    get(name.data(), name.size());
    name.pop_back();
    result.push_back(name);
  }
  return result;
}

Handle Group::dataset(const std::string &name, H5T_class_t type_class,
                      const char *type_name) const {
  if (!has(name))
    fail(name, "nothing", std::string("a dataset of ") + type_name);
  Handle dataset(H5Dopen2(id_, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset)
    fail(name, "something else than a dataset, or a damaged one",
         std::string("a dataset of ") + type_name);
  const Handle type(H5Dget_type(dataset), H5Tclose);
  if (H5Tget_class(type) != type_class)
    fail(name, "data of another type", type_name);
  return dataset;
}

template <typename Number>
std::vector<Number> Group::read(const std::string &name, const Handle &dataset, hid_t type,
                                long long least, long long most) const {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  const long long length = H5Sget_simple_extent_npoints(space);
  if (length < least || length > most)
    fail(name, count(length), (least < most ? std::to_string(least) + " to " : "") + count(most));
  std::vector<Number> values;
  if (!resize(values, static_cast<std::size_t>(length), static_cast<std::size_t>(most)))
    fail(name, "room for " + count(most), "no more than the memory holds");
  if (length > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(name, "data that cannot be read (cut short, damaged or by an unknown filter)",
         count(length));
  return values;
}

std::vector<int> Group::integers(const std::string &name, long long least, long long most) const {
  return read<int>(name, dataset(name, H5T_INTEGER, "integers"), H5T_NATIVE_INT, least, most);
}

int Group::integer(const std::string &name) const { return integers(name, 1, 1)[0]; }

std::vector<double> Group::reals(const std::string &name, long long least, long long most) const {
  return read<double>(name, dataset(name, H5T_FLOAT, "real numbers"), H5T_NATIVE_DOUBLE, least,
                      most);
}

std::vector<double> Group::reals(const std::string &name, long long length) const {
  return reals(name, length, length);
}

std::string Group::text(const std::string &name) const {
  if (!has_optional(name))
    return "";
  const Handle text = dataset(name, H5T_STRING, "characters");
  const Handle type(H5Dget_type(text), H5Tclose), space(H5Dget_space(text), H5Sclose);
  // FCLib takes the storage of any other text for the text.
  if (H5Tis_variable_str(type) != 0 || H5Sget_simple_extent_ndims(space) > 1 ||
      H5Sget_simple_extent_npoints(space) != 1)
    fail(name, "text of variable length or several texts", "one text of fixed length");
  std::string characters;
  if (!resize(characters, H5Tget_size(type), 0) ||
      H5Dread(text, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, characters.data()) < 0)
    fail(name, "text that cannot be read", "characters");
  return characters.substr(0, characters.find('\0'));
}

} // namespace percussion::hdf5
