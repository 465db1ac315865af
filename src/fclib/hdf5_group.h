#pragma once

#include <hdf5.h>
#include <string>
#include <utility>
#include <vector>

/// HDF5 files in memory, with checks while they are read. Every error is an FclibError that names
/// the file, the object, the content found and the content needed.
namespace percussion::hdf5 {

/// Owner of an HDF5 identifier of any kind.
class Handle {
public:
  Handle(hid_t identifier) : id(identifier) {}
  Handle(Handle &&moved) noexcept : id(std::exchange(moved.id, -1)) {}
  ~Handle() {
    if (id >= 0)
      H5Idec_ref(id);
  }

  explicit operator bool() const { return id >= 0; }
  operator hid_t() const { return id; }

private:
  hid_t id;
};

/// Throws FclibError: "path: object: found this; needed: that".
[[noreturn]] void fail(const std::string &path, const std::string &object, const std::string &found,
                       const std::string &needed);

/// Returns "1 number", "5 numbers".
std::string count(std::size_t n);

/// Loads a file. Changes in memory do not change the file.
Handle load(const std::string &path);
/// Creates a file in memory; `path` is for messages.
Handle create(const std::string &path);
/// Returns the content of a file in memory.
std::string content_of(const Handle &file, const std::string &path);

/// Group of an open file. Names are relative to the group; `path` is the path of the file.
class Group {
public:
  /// Opens the root group.
  Group(const Handle &file, const std::string &path);

  bool has_link(const std::string &name) const; ///< true if there is a link of this name, possibly
                                                ///< a broken one
  Group group(const std::string &name) const;

  /// Return datasets of the given length, or of a length within the given range. Integers that do
  /// not fit an int become the nearest int.
  int integer(const std::string &name, int minimum) const;
  std::vector<int> integers(const std::string &name, std::size_t minimum,
                            std::size_t maximum) const;
  std::vector<double> reals(const std::string &name, std::size_t minimum,
                            std::size_t maximum) const;
  std::vector<double> reals(const std::string &name, std::size_t length) const {
    return reals(name, length, length);
  }
  std::string text(const std::string &name) const; ///< empty if there is none

  Group create(const std::string &name) const; ///< replaces an object of this name
  void write(const std::string &name, int value) const { write(name, std::vector<int>{value}); }
  void write(const std::string &name, const std::vector<int> &values) const;
  void write(const std::string &name, const std::vector<double> &values) const;
  void write(const std::string &name, const std::string &text) const;

  [[noreturn]] void fail(const std::string &name, const std::string &found,
                         const std::string &needed) const;

private:
  Group(Handle group, const std::string &path, const std::string &group_name);

  Handle dataset(const std::string &name, H5T_class_t type_class, const char *content) const;
  template <typename Number>
  std::vector<Number> read(const std::string &name, const Handle &dataset, hid_t type,
                           std::size_t minimum, std::size_t maximum) const;
  void write(const std::string &name, hid_t type, const Handle &space, const void *data) const;

  std::string file_path, prefix; ///< prefix: beginning of the names of the group's members, for
                                 ///< messages
  Handle id;
};

} // namespace percussion::hdf5
