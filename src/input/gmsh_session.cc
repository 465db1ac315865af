#include "gmsh_session.h"

#include <percussion/base/error.h>

#include <gmsh.h>

#include <cstdio>
#include <functional>

namespace percussion {
namespace {

/// Lines of the log that begin with this label, without it.
std::vector<std::string> logged(const std::string &label) {
  std::vector<std::string> log, lines;
  gmsh::logger::get(log);
  for (const auto &line : log)
    if (line.rfind(label, 0) == 0)
      lines.push_back(line.substr(label.size()));
  return lines;
}

/// Do it; what Gmsh throws or only logs as an error becomes an InputError.
void expect_success(const std::string &failure, const std::function<void()> &act) {
  std::string exception;
  try {
    act();
  } catch (const std::bad_alloc &) {
    throw;
  } catch (...) { // Gmsh throws what it likes
    exception = "no reason given";
  }
  const auto errors = logged("Error: ");
  if (!errors.empty())
    throw InputError(failure + " (" + errors.front() + ")");
  if (!exception.empty())
    throw InputError(failure + " (" + exception + ")");
}

/// Command line that sets the parameters of a script before it is read.
std::vector<std::string> command_line(const GmshSource &source) {
  std::vector<std::string> words = {"gmsh"};
  for (const auto &[name, value] : source.parameters) {
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", value);
    words.insert(words.end(), {"-setnumber", name, text});
  }
  return words;
}

} // namespace

GmshSession::GmshSession(const GmshSource &from) : source(from) {
  auto words = command_line(source);
  std::vector<char *> arguments;
  for (auto &word : words)
    arguments.push_back(word.data());
  gmsh::initialize(static_cast<int>(arguments.size()), arguments.data(), false);
  gmsh::option::setNumber("General.Terminal", 0);
  gmsh::option::setNumber("General.NumThreads", 1);
  gmsh::option::setNumber("Mesh.RandomSeed", 1);
  gmsh::logger::start();
}

GmshSession::~GmshSession() {
  gmsh::logger::stop();
  gmsh::finalize();
}

void GmshSession::open() {
  expect_success(is_geometry(source.file) ? "Gmsh cannot read this geometry"
                                          : "Gmsh cannot read this mesh",
                 [&] { gmsh::open(source.file); });
}

void GmshSession::mesh(unsigned int dim) {
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, static_cast<int>(dim));
  if (!types.empty())
    return;
  gmsh::option::setNumber("Mesh.ElementOrder", 1);
  gmsh::option::setNumber("General.NumThreads", 1); // the geometry may have changed it
  expect_success("Gmsh cannot mesh this geometry",
                 [&] { gmsh::model::mesh::generate(static_cast<int>(dim)); });
}

std::vector<std::string> GmshSession::warnings() const { return logged("Warning: "); }

} // namespace percussion
