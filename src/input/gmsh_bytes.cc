#include <percussion/input/gmsh_bytes.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace percussion {
namespace {

class Writer {
public:
  template <typename Number>
  void put(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  }

  void put(const std::string &text) {
    put(std::uint64_t{text.size()});
    bytes += text;
  }

  std::string bytes;
};

class Reader {
public:
  explicit Reader(const std::string &from) : bytes(from) {}

  template <typename Number>
  Number get() {
    Number value;
    std::memcpy(&value, take(sizeof value), sizeof value);
    return value;
  }

  std::string text() {
    const auto size = count(1);
    return {take(size), size};
  }

  /// A number of things of which each takes at least so many bytes: never more than there are.
  std::size_t count(std::size_t least_bytes) {
    const auto n = get<std::uint64_t>();
    if (n > (bytes.size() - position) / least_bytes)
      throw std::runtime_error("incomplete");
    return n;
  }

  bool at_end() const { return position == bytes.size(); }

private:
  const char *take(std::size_t n) {
    if (n > bytes.size() - position)
      throw std::runtime_error("incomplete");
    position += n;
    return bytes.data() + position - n;
  }

  const std::string &bytes;
  std::size_t position = 0;
};

void put(Writer &out, const GmshElement &element) {
  out.put(std::uint64_t{element.tag});
  out.put(std::uint64_t{element.nodes.size()});
  for (const std::size_t node : element.nodes)
    out.put(std::uint64_t{node});
}

GmshElement get_element(Reader &in) {
  GmshElement element{in.get<std::uint64_t>(), {}};
  element.nodes.resize(in.count(sizeof(std::uint64_t)));
  for (std::size_t &node : element.nodes)
    node = in.get<std::uint64_t>();
  return element;
}

} // namespace

std::string to_bytes(const GmshModel &model) {
  Writer out;
  out.put(std::uint64_t{model.nodes.size()});
  for (const auto &[tag, x] : model.nodes) {
    out.put(std::uint64_t{tag});
    for (const double component : x)
      out.put(component);
  }
  out.put(std::uint64_t{model.groups.size()});
  for (const GmshGroup &group : model.groups) {
    out.put(group.name);
    out.put(std::uint32_t{group.dimension});
    out.put(std::uint64_t{group.elements.size()});
    for (const GmshElement &element : group.elements)
      put(out, element);
  }
  out.put(std::uint64_t{model.remarks.size()});
  for (const auto &remark : model.remarks)
    out.put(remark);
  return std::move(out.bytes);
}

GmshModel model_of_bytes(const std::string &bytes) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  Reader in(bytes);
  GmshModel model;
  for (std::size_t n = in.count(4 * word); n > 0; --n) {
    auto &x = model.nodes[in.get<std::uint64_t>()];
    for (double &component : x)
      component = in.get<double>();
  }
  for (std::size_t n = in.count(word); n > 0; --n) {
    GmshGroup group{in.text(), in.get<std::uint32_t>(), {}};
    for (std::size_t m = in.count(2 * word); m > 0; --m)
      group.elements.push_back(get_element(in));
    model.groups.push_back(std::move(group));
  }
  for (std::size_t n = in.count(word); n > 0; --n)
    model.remarks.push_back(in.text());
  if (!in.at_end())
    throw std::runtime_error("longer than a model");
  return model;
}

} // namespace percussion
