#pragma once

#include <hdf5.h>
#include <string>
#include <vector>

/**
 * Reading HDF5 without trust. FCLib's own library ends the process where a dataset is missing and
 * writes past its arrays where one is too long; so what it is going to read is read here first.
 * Every error is an FclibError that names the file, the object, what was found and what is needed.
 */
namespace percussion::hdf5 {

/// While it lives, HDF5 does not print its errors.
class Silence {
public:
  Silence();
  ~Silence();
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

private:
  H5E_auto2_t function_ = nullptr;
  void *data_ = nullptr;
};

/// An identifier of HDF5 and the function that closes it.
class Handle {
public:
  Handle(hid_t id, herr_t (*closer)(hid_t)) : id_(id), close_(closer) {}
  ~Handle();
  Handle(Handle &&other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;

  explicit operator bool() const { return id_ >= 0; }
  operator hid_t() const { return id_; }
  /// Close now. False if that fails, as it does where the file cannot be written completely.
  bool close();

private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// "path: object: found this; needed: that".
[[noreturn]] void fail(const std::string &path, const std::string &object, const std::string &found,
                       const std::string &needed);

/// Open the file at `path` with H5F_ACC_RDONLY or H5F_ACC_RDWR.
Handle open_file(const std::string &path, unsigned int access);

/// A group of an open file. All names are relative to the group.
class Group {
public:
  /// The root of an open file; `path` is for messages.
  Group(hid_t file, const std::string &path);

  bool has(const std::string &name) const; ///< a link of that name, be it broken
  /// The same of what need not be there. FCLib also takes every name that begins so for it, and
  /// ends the process when it looks for the name itself: such a name alone is an error.
  bool has_optional(const std::string &name) const;
  Group group(const std::string &name) const;
  std::vector<std::string> names() const; ///< of all that the group holds

  /// Datasets of that length, or of a length in that range. Integers are int as in FCLib: one that
  /// is too large becomes the largest.
  int integer(const std::string &name) const;
  std::vector<int> integers(const std::string &name, long long least, long long most) const;
  std::vector<double> reals(const std::string &name, long long length) const;
  std::vector<double> reals(const std::string &name, long long least, long long most) const;
  std::string text(const std::string &name) const; ///< "" where there is none

  [[noreturn]] void fail(const std::string &name, const std::string &found,
                         const std::string &needed) const;

private:
  Group(hid_t location, const std::string &path, const std::string &name);

  std::string full_name(const std::string &name) const;
  Handle dataset(const std::string &name, H5T_class_t type_class, const char *type_name) const;
  template <typename Number>
  std::vector<Number> read(const std::string &name, const Handle &dataset, hid_t type,
                           long long least, long long most) const;

  std::string path_, name_;
  Handle id_;
};

} // namespace percussion::hdf5
