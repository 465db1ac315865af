#include "mesh_bytes.h"

#include <percussion/base/child_process.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace percussion {
namespace {

class Writer {
public:
  void number(std::uint64_t n) { append(&n, sizeof n); }

  /// Appends contiguous values: a string or a vector.
  template <typename Values>
  void values(const Values &list) {
    static_assert(std::is_trivially_copyable_v<typename Values::value_type>);
    number(list.size());
    append(list.data(), list.size() * sizeof(typename Values::value_type));
  }

  std::string bytes;

private:
  void append(const void *begin, std::size_t n) {
    bytes.append(static_cast<const char *>(begin), n);
  }
};

[[noreturn]] void throw_inconsistent() {
  throw ChildFailure("the data are inconsistent: the file is damaged");
}

/// Reader that never reads beyond the end of the bytes.
class Reader {
public:
  explicit Reader(const std::string &all) : at(all.data()), end(at + all.size()) {}

  std::uint64_t number() {
    std::uint64_t n = 0;
    copy(&n, 1, sizeof n);
    return n;
  }

  template <typename Values>
  Values values() {
    constexpr std::size_t size = sizeof(typename Values::value_type);
    const std::uint64_t n = number();
    if (n > static_cast<std::uint64_t>(end - at) / size)
      throw_inconsistent();
    Values list(static_cast<std::size_t>(n), typename Values::value_type{});
    copy(list.data(), list.size(), size);
    return list;
  }

  bool is_at_end() const { return at == end; }

private:
  void copy(void *to, std::size_t n, std::size_t size) {
    if (static_cast<std::size_t>(end - at) < n * size)
      throw_inconsistent();
    if (n > 0)
      std::memcpy(to, at, n * size);
    at += n * size;
  }

  const char *at, *end;
};

/// True if elements of a dimension can have this number of corners; elements of the body must be
/// simplices or hypercubes.
bool is_possible(const MeshGroup &group) {
  constexpr std::pair<unsigned int, unsigned int> possible[] = {{0, 1}, {1, 2}, {2, 3},
                                                                {2, 4}, {3, 4}, {3, 8}};
  return std::find(std::begin(possible), std::end(possible),
                   std::pair{group.dimension, group.n_corners}) != std::end(possible);
}

bool is_consistent(const MeshGroup &group, const MeshModel &model) {
  const auto is_node = [&](unsigned int corner) { return corner < model.nodes.size(); };
  return is_possible(group) && !group.tags.empty() &&
         group.corners.size() == group.n_corners * group.tags.size() &&
         std::all_of(group.arrays.begin(), group.arrays.end(),
                     [&](const auto &array) { return array.second.size() == group.tags.size(); }) &&
         std::all_of(group.corners.begin(), group.corners.end(), is_node) &&
         std::all_of(model.groups.begin(), model.groups.end(), [&](const MeshGroup &other) {
           return other.dimension != group.dimension || other.n_corners == group.n_corners;
         });
}

bool is_consistent(const MeshModel &model, unsigned int dim) {
  const auto is_finite = [](const std::array<double, 3> &x) {
    return std::isfinite(x[0]) && std::isfinite(x[1]) && std::isfinite(x[2]);
  };
  const auto has_lower_dimension = [](const MeshGroup &a, const MeshGroup &b) {
    return a.dimension < b.dimension;
  };
  return (model.order == 1 || model.order == 2) && model.tags.size() == model.nodes.size() &&
         !model.groups.empty() && model.groups.back().dimension == dim &&
         std::all_of(model.nodes.begin(), model.nodes.end(), is_finite) &&
         std::is_sorted(model.groups.begin(), model.groups.end(), has_lower_dimension) &&
         std::all_of(model.groups.begin(), model.groups.end(),
                     [&](const MeshGroup &group) { return is_consistent(group, model); });
}

} // namespace

std::string to_bytes(const MeshModel &model) {
  Writer writer;
  writer.values(model.tags);
  writer.values(model.nodes);
  writer.number(model.order);
  writer.number(model.is_axisymmetric);
  writer.number(model.groups.size());
  for (const MeshGroup &group : model.groups) {
    writer.values(group.name);
    writer.number(group.dimension);
    writer.number(group.n_corners);
    writer.values(group.tags);
    writer.values(group.corners);
    writer.number(group.arrays.size());
    for (const auto &[name, values] : group.arrays) {
      writer.values(name);
      writer.values(values);
    }
  }
  writer.number(model.remarks.size());
  for (const std::string &remark : model.remarks)
    writer.values(remark);
  return std::move(writer.bytes);
}

MeshModel to_model(const std::string &bytes, unsigned int dim) {
  Reader reader(bytes);
  MeshModel model;
  model.tags = reader.values<std::vector<std::size_t>>();
  model.nodes = reader.values<std::vector<std::array<double, 3>>>();
  model.order = static_cast<unsigned int>(reader.number());
  model.is_axisymmetric = reader.number() != 0;
  for (std::uint64_t n = reader.number(); n > 0; --n) {
    MeshGroup group;
    group.name = reader.values<std::string>();
    group.dimension = static_cast<unsigned int>(reader.number());
    group.n_corners = static_cast<unsigned int>(reader.number());
    group.tags = reader.values<std::vector<std::size_t>>();
    group.corners = reader.values<std::vector<unsigned int>>();
    for (std::uint64_t k = reader.number(); k > 0; --k) {
      const auto name = reader.values<std::string>();
      group.arrays[name] = reader.values<std::vector<double>>();
    }
    model.groups.push_back(std::move(group));
  }
  for (std::uint64_t n = reader.number(); n > 0; --n)
    model.remarks.push_back(reader.values<std::string>());
  if (!reader.is_at_end() || !is_consistent(model, dim))
    throw_inconsistent();
  return model;
}

} // namespace percussion
