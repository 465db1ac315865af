// The same mesh in every format of Gmsh, complete and damaged.

#include <percussion/input/mesh_fingerprint.h>

#include <gmsh.h>

#include "input/gmsh_files.h"
#include <algorithm>
#include <sstream>

namespace {
using namespace percussion;
using test::GmshMeshes;

struct Format {
  double version;
  bool binary;
};

constexpr Format formats[] = {{2.2, false}, {2.2, true}, {4.1, false}, {4.1, true}};

std::string read(const std::string &file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class GmshFormats : public GmshMeshes {
protected:
  /// Makes 4 × 2 squares with positions exact in 16 digits, in two surfaces, an edge and a corner.
  /// In format 4.1 the edge and one surface are in two groups.
  void SetUp() override {
    gmsh::initialize(0, nullptr, false);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::model::add("block");
    gmsh::model::addDiscreteEntity(0, 1);
    gmsh::model::addDiscreteEntity(1, 1);
    gmsh::model::addDiscreteEntity(2, 1);
    gmsh::model::addDiscreteEntity(2, 2);
    std::vector<std::size_t> tags;
    std::vector<double> coordinates;
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t i = 0; i < 5; ++i) {
        tags.push_back(10 * j + i + 1);
        coordinates.insert(coordinates.end(), {0.25 * double(i), 0.5 * double(j), 0});
      }
    gmsh::model::mesh::addNodes(2, 1, tags, coordinates);
    gmsh::model::mesh::addElementsByType(1, 15, {}, {1});
    gmsh::model::mesh::addElementsByType(1, 1, {}, {1, 2, 2, 3, 3, 4, 4, 5});
    for (const int surface : {1, 2}) {
      std::vector<std::size_t> nodes;
      for (std::size_t j = 0; j < 2; ++j)
        for (std::size_t i = surface == 1 ? 0 : 2; i < (surface == 1 ? 2u : 4u); ++i) {
          const std::size_t corner = 10 * j + i + 1;
          nodes.insert(nodes.end(), {corner, corner + 1, corner + 11, corner + 10});
        }
      gmsh::model::mesh::addElementsByType(surface, 3, {}, nodes);
    }
    add_group(0, {1}, "corner");
    add_group(1, {1}, "bottom");
    add_group(2, {1, 2}, "block");
    for (const Format &format : formats)
      write_as(format, file_of(format));
    add_group(1, {1}, "sole");
    add_group(2, {2}, "right half");
    for (const Format &format : formats)
      write_as(format, file_of(format, "shared"));
    gmsh::finalize();
  }

  static void write_as(const Format &format, const std::string &file) {
    gmsh::option::setNumber("Mesh.MshFileVersion", format.version);
    gmsh::option::setNumber("Mesh.Binary", format.binary ? 1 : 0);
    gmsh::write(file);
  }

  static void add_group(int dimension, const std::vector<int> &entities, const std::string &name) {
    gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, entities),
                                 name);
  }

  std::string file_of(const Format &format, const std::string &name = "block") const {
    return (folder / (name + std::to_string(format.version).substr(0, 3) +
                      (format.binary ? "_binary.msh" : ".msh")))
        .string();
  }

  /// Returns the message for a refused file; "" if it is read. Exceptions other than InputError
  /// fail.
  std::string refusal(const std::string &content) const {
    std::string words;
    const std::string file = write(content, "damaged.msh");
    EXPECT_NO_THROW({
      try {
        read_mesh<2>(file);
      } catch (const InputError &error) {
        words = error.what();
        EXPECT_NE(words, "");
      }
    });
    return words;
  }
};

TEST_F(GmshFormats, GiveTheSameMesh) {
  const auto first = read_mesh<2>(file_of(formats[0]));
  EXPECT_EQ(first->triangulation.n_active_cells(), 8u);
  EXPECT_EQ(first->triangulation.n_vertices(), 15u);
  EXPECT_EQ(first->region_names(), (std::vector<std::string>{"block", "bottom", "corner"}));
  EXPECT_EQ(first->region("block").n_elements, 8u);
  EXPECT_EQ(first->region("bottom").faces.size(), 4u);
  EXPECT_TRUE(first->remarks.empty());
  for (const Format &format : formats) {
    const auto mesh = read_mesh<2>(file_of(format));
    EXPECT_EQ(fingerprint(*mesh), fingerprint(*first)) << file_of(format);
    EXPECT_EQ(mesh->triangulation.get_vertices(), first->triangulation.get_vertices());
    EXPECT_EQ(mesh->remarks, first->remarks) << file_of(format);
    for (const auto &[name, region] : first->regions) {
      EXPECT_EQ(mesh->region(name).measure, region.measure) << name;
      EXPECT_EQ(mesh->region(name).cells, region.cells) << name;
    }
  }
}

TEST_F(GmshFormats, OfVersion4HaveGroupsInCommon) {
  for (const Format &format : formats) {
    const std::string file = file_of(format, "shared");
    if (format.version < 4) {
      EXPECT_NE(refusal(read(file)).find("which format 2.2 does not tell apart"),
                std::string::npos);
      continue;
    }
    const auto mesh = read_mesh<2>(file);
    EXPECT_EQ(mesh->triangulation.n_active_cells(), 8u);
    EXPECT_EQ(mesh->region("block").cells.size(), 8u);
    EXPECT_EQ(mesh->region("right half").cells, (std::vector<unsigned int>{4, 5, 6, 7}));
    EXPECT_EQ(mesh->region("sole").nodes, mesh->region("bottom").nodes);
    EXPECT_EQ(mesh->region("sole").faces.size(), 4u);
  }
}

TEST_F(GmshFormats, NameARegionOfNothing) {
  for (const Format &format : formats) {
    std::string text = read(file_of(format));
    const auto at = text.find("$EndPhysicalNames");
    ASSERT_NE(at, std::string::npos);
    text.insert(at, "1 99 \"nothing\"\n");
    text.replace(text.find("$PhysicalNames\n3") + 15, 1, "4");
    EXPECT_NE(refusal(text).find("region 'nothing' has no elements"), std::string::npos)
        << refusal(text);
  }
}

TEST_F(GmshFormats, AreRefusedWhereTheyAreCutOff) {
  for (const Format &format : formats) {
    const std::string whole = read(file_of(format));
    for (const double share : {0.05, 0.2, 0.4, 0.6, 0.8, 0.98}) {
      const auto size = static_cast<std::size_t>(share * double(whole.size()));
      EXPECT_NE(refusal(whole.substr(0, size)), "") << file_of(format) << " up to " << size;
    }
    const std::string words = refusal(whole.substr(0, whole.size() - 20));
    EXPECT_NE(words.find("it is cut off; write it again"), std::string::npos) << words;
  }
}

TEST_F(GmshFormats, NameMissingNodes) {
  std::string text = read(file_of(formats[2]));
  const auto end = text.find("\n$EndElements"), last = text.find_last_of(" \n", end - 3);
  text.replace(last + 1, end - last - 1, "777 ");
  EXPECT_NE(refusal(text).find("Gmsh cannot read this mesh (Unknown node 777 in element "),
            std::string::npos)
      << refusal(text);
}

TEST_F(GmshFormats, OtherThanTheseAreRefused) {
  const std::string text = read(file_of(formats[2]));
  EXPECT_NE(refusal("$MeshFormat\n3 0 8\n" + text.substr(text.find("$EndMesh")))
                .find("the mesh is in Gmsh's format 3"),
            std::string::npos);
  for (const std::string none :
       {"$MeshFormat\nfour\n$EndMeshFormat\n", "\n$MeshFormat\n4.1 0 8\n", "", "$MeshFormat"})
    EXPECT_NE(refusal(none).find("this is not a Gmsh mesh: it does not begin with"),
              std::string::npos)
        << refusal(none);
}

/// Returns a text with the line ends of Windows.
std::string windows_text(const std::string &text) {
  std::string windows;
  for (const char c : text)
    windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return windows;
}

TEST_F(GmshFormats, MayHaveLineEndsOfWindowsAndAByteOrderMark) {
  for (const Format &format : formats) {
    const std::string text = read(file_of(format)), windows = windows_text(text);
    if (format.binary) {
      EXPECT_NE(refusal(windows).find("a transfer as a text has damaged it"), std::string::npos)
          << refusal(windows);
      continue;
    }
    const auto mesh = read_mesh<2>(file_of(format));
    for (const std::string &other : {windows, "\xEF\xBB\xBF" + text, "\xEF\xBB\xBF" + windows}) {
      const auto same = read_mesh<2>(write(other, "other.msh"));
      EXPECT_EQ(same->region_names(), mesh->region_names());
      EXPECT_EQ(same->triangulation.get_vertices(), mesh->triangulation.get_vertices());
      EXPECT_EQ(body_dimension({(folder / "other.msh").string(), {}}), 2u);
    }
    std::string returns = text;
    std::replace(returns.begin(), returns.end(), '\n', '\r');
    EXPECT_NE(refusal(returns).find("its lines end in carriage returns alone"), std::string::npos)
        << refusal(returns);
    const std::string damaged = refusal(windows.substr(0, windows.size() - 40));
    EXPECT_NE(damaged.find("it is cut off"), std::string::npos) << damaged;
    const std::string no_names = windows_text(
        text.substr(0, text.find("$PhysicalNames")) +
        text.substr(text.find("$EndPhysicalNames\n") + std::string("$EndPhysicalNames\n").size()));
    EXPECT_EQ(read_mesh<2>(write(no_names, "no_names.msh"))->region("body").n_elements, 8u);
  }
}

/// Gmsh would execute the file.
TEST_F(GmshFormats, AreNoScripts) {
  const std::string sign = (folder / "run").string();
  EXPECT_NE(refusal("SystemCall \"touch " + sign + "\";\n").find("this is not a Gmsh mesh"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(sign));
}

} // namespace
