#include <percussion/base/error.h>
#include <percussion/input/child_process.h>
#include <percussion/input/gmsh_bytes.h>
#include <percussion/input/gmsh_model.h>

#include <csignal>
#include <filesystem>
#include <new>

namespace percussion {
namespace {

const std::string way_out = ": it is damaged; write it again from its geometry (gmsh -2 case.geo)";

/// A sound file needs far less of both. Meshing a geometry takes what it takes.
ChildLimits limits_of(const std::string &file) {
  if (is_geometry(file))
    return {};
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  const std::uint64_t bytes = error ? 0 : size;
  return {(std::uint64_t{1} << 30) + 200 * bytes, 60 + bytes / 100000};
}

// The first letter of an answer says what follows.
constexpr char is_model = 'm', is_complaint = 'c', is_failure = 'f', is_memory = 'o';

/// Never throws: the child has nobody to catch it.
std::string answer(const GmshSource &source, unsigned int dim) {
  try {
    return is_model + to_bytes(read_gmsh_model_here(source, dim));
  } catch (const InputError &error) {
    return is_complaint + std::string(error.what());
  } catch (const std::bad_alloc &) {
    return std::string(1, is_memory);
  } catch (const std::exception &error) {
    return is_failure + std::string(error.what());
  } catch (...) {
    return std::string(1, is_failure);
  }
}

/// What to say of a child that did not answer.
std::string obituary(const ChildOutcome &outcome, const std::string &file) {
  const std::string end = is_geometry(file) ? "; simplify it, or mesh it with another algorithm "
                                              "(Mesh.Algorithm)"
                                            : way_out;
  if (outcome.signal == SIGXCPU)
    return "Gmsh does not come to an end with this file" + end;
  if (outcome.signal != 0)
    return "Gmsh crashes on this file (signal " + std::to_string(outcome.signal) + ")" + end;
  return "Gmsh gives up on this file" + end;
}

} // namespace

GmshModel read_gmsh_model(const GmshSource &source, unsigned int dim) {
  const ChildOutcome outcome =
      run_in_child([&] { return answer(source, dim); }, limits_of(source.file));
  if (!outcome.ended || outcome.answer.empty())
    throw InputError(obituary(outcome, source.file));
  const std::string content = outcome.answer.substr(1);
  switch (outcome.answer.front()) {
  case is_model:
    return model_of_bytes(content);
  case is_memory:
    throw InputError("Gmsh asks for more memory than this file can need" + way_out);
  case is_complaint:
    throw InputError(content);
  default:
    throw InputError("Gmsh fails on this file (" + content + ")" + way_out);
  }
}

} // namespace percussion
