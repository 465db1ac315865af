#pragma once

#include <array>
#include <pybind11/numpy.h>
#include <vector>

namespace percussion::python {

namespace py = pybind11;

enum class Access { read, write };

/// An array that shows memory of the library, which `owner` keeps alive. Strides are in bytes.
template <typename T>
py::array_t<T> strided_view(const T *data, std::vector<py::ssize_t> shape,
                            std::vector<py::ssize_t> strides, py::handle owner,
                            Access access = Access::read) {
  py::array_t<T> array(std::move(shape), std::move(strides), data, owner);
  if (access == Access::read)
    py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return array;
}

/// n numbers one after the other.
template <typename T>
py::array_t<T> view(const T *data, std::size_t n, py::handle owner, Access access = Access::read) {
  return strided_view(data, {static_cast<py::ssize_t>(n)}, {sizeof(T)}, owner, access);
}

/// n rows of m numbers one after the other.
template <typename T>
py::array_t<T> view(const T *data, std::size_t n, std::size_t m, py::handle owner,
                    Access access = Access::read) {
  return strided_view(data, {static_cast<py::ssize_t>(n), static_cast<py::ssize_t>(m)},
                      {static_cast<py::ssize_t>(m * sizeof(T)), sizeof(T)}, owner, access);
}

} // namespace percussion::python
