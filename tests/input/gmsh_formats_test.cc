// The same mesh in every format of Gmsh, whole and damaged.

#include <percussion/input/mesh_fingerprint.h>

#include <gmsh.h>

#include "io/gmsh_files.h"
#include <algorithm>
#include <random>
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
  /// 4 × 2 squares with places that text of 16 digits holds, in two surfaces of which one is in two
  /// groups, an edge that is in two groups, and a corner.
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
    add_group(1, {1}, "sole");
    add_group(2, {1, 2}, "block");
    add_group(2, {2}, "right half");
    for (const Format &format : formats) {
      gmsh::option::setNumber("Mesh.MshFileVersion", format.version);
      gmsh::option::setNumber("Mesh.Binary", format.binary ? 1 : 0);
      gmsh::write(file_of(format));
    }
    gmsh::finalize();
  }

  static void add_group(int dimension, const std::vector<int> &entities, const std::string &name) {
    gmsh::model::setPhysicalName(dimension, gmsh::model::addPhysicalGroup(dimension, entities),
                                 name);
  }

  std::string file_of(const Format &format) const {
    return (folder / ("block" + std::to_string(format.version).substr(0, 3) +
                      (format.binary ? "_binary.msh" : ".msh")))
        .string();
  }

  /// How the file is refused; "" if it is read. Everything else than InputError fails.
  std::string refusal(const std::string &content) const {
    std::string words;
    const std::string file = write(content, "damaged.msh");
    EXPECT_NO_THROW({
      try {
        read_gmsh<2>(file);
      } catch (const InputError &error) {
        words = error.what();
        EXPECT_NE(words, "");
      }
    });
    return words;
  }
};

TEST_F(GmshFormats, GiveTheSameMesh) {
  const auto first = read_gmsh<2>(file_of(formats[0]));
  EXPECT_EQ(first->triangulation.n_active_cells(), 8u);
  EXPECT_EQ(first->triangulation.n_vertices(), 15u);
  EXPECT_EQ(first->region_names(),
            (std::vector<std::string>{"block", "bottom", "corner", "right half", "sole"}));
  EXPECT_EQ(first->region("block").n_elements, 8u);
  EXPECT_EQ(first->region("right half").n_elements, 4u);
  EXPECT_EQ(first->region("bottom").faces.size(), 4u);
  EXPECT_EQ(first->region("sole").vertices, first->region("bottom").vertices);
  for (const Format &format : formats) {
    const auto mesh = read_gmsh<2>(file_of(format));
    EXPECT_EQ(fingerprint(*mesh), fingerprint(*first)) << file_of(format);
    EXPECT_EQ(mesh->triangulation.get_vertices(), first->triangulation.get_vertices());
    EXPECT_EQ(mesh->remarks, first->remarks) << file_of(format);
    for (const auto &[name, region] : first->regions)
      EXPECT_EQ(mesh->region(name).measure, region.measure) << name;
  }
  ASSERT_EQ(first->remarks.size(), 1u);
  EXPECT_EQ(first->remarks.front().substr(0, 22), "4 cells are in region ");
}

TEST_F(GmshFormats, ReadTheSameInThisProcessAndInAnother) {
  for (const Format &format : formats) {
    const GmshSource source{file_of(format), {}};
    EXPECT_EQ(fingerprint(*make_mesh<2>(read_gmsh_model_here(source, 2))),
              fingerprint(*make_mesh<2>(read_gmsh_model(source, 2))));
  }
}

TEST_F(GmshFormats, NameTheLineOfARegionOfNothing) {
  for (const Format &format : formats) {
    std::string text = read(file_of(format));
    const auto at = text.find("$EndPhysicalNames");
    ASSERT_NE(at, std::string::npos);
    const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n');
    text.insert(at, "1 99 \"nothing\"\n");
    text.replace(text.find("$PhysicalNames\n5") + 15, 1, "6");
    EXPECT_NE(
        refusal(text).find("region 'nothing' (line " + std::to_string(line) + ") has no elements"),
        std::string::npos)
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
    EXPECT_NE(words.find("the file ends inside of its section $Elements"), std::string::npos)
        << words;
  }
}

/// Whatever the bytes: a mesh or a message, never the end of this process.
TEST_F(GmshFormats, SurviveWrongBytes) {
  std::mt19937 generator(3);
  std::size_t refused = 0;
  for (const Format &format : formats) {
    const std::string whole = read(file_of(format));
    for (unsigned int i = 0; i < 12; ++i) {
      std::string damaged = whole;
      for (unsigned int j = 0; j < 3; ++j)
        damaged[40 + generator() % (whole.size() - 40)] = static_cast<char>(generator());
      refused += refusal(damaged).empty() ? 0 : 1;
    }
    std::string noise = whole.substr(0, whole.find("$Nodes") + 7);
    for (unsigned int i = 0; i < 500; ++i)
      noise += static_cast<char>(generator());
    EXPECT_NE(refusal(noise), "");
  }
  EXPECT_GT(refused, 12u);
}

TEST_F(GmshFormats, DeclareNoMoreThanTheyHold) {
  std::string text = read(file_of(formats[0]));
  const std::string nodes = "$Nodes\n15\n";
  ASSERT_NE(text.find(nodes), std::string::npos);
  text.replace(text.find(nodes), nodes.size(), "$Nodes\n1000000000000000000\n");
  EXPECT_NE(refusal(text).find("declares 1000000000000000000 entries and has room for"),
            std::string::npos)
      << refusal(text);
}

TEST_F(GmshFormats, DeclareNoLessThanNothing) {
  for (const Format &format : {formats[0], formats[2]}) {
    std::string text = read(file_of(format));
    const auto number =
        text.find(format.version > 4 ? ' ' : '\n', text.find("$Elements\n") + 9) + 1;
    text.insert(number, "-");
    const std::string words = refusal(text);
    EXPECT_NE(words.find("the section $Elements (line "), std::string::npos) << words;
    EXPECT_NE(words.find(") declares -"), std::string::npos) << words;
  }
}

/// Gmsh crashes on them.
TEST_F(GmshFormats, NameElementsWithoutTheirNodes) {
  for (const Format &format : {formats[0], formats[2]}) {
    std::string text = read(file_of(format));
    const auto end = text.find("\n$EndElements"), last = text.find_last_of(" \n", end - 3);
    const auto element = text.rfind('\n', end - 1) + 1;
    const auto line = 1 + std::count(text.begin(), text.begin() + std::ptrdiff_t(element), '\n');
    const std::string tag = text.substr(element, text.find(' ', element) - element);
    text.replace(last + 1, end - last - 1, "777 ");
    EXPECT_EQ(refusal(text), "element " + tag + " in line " + std::to_string(line) +
                                 " has node 777, which the file does not hold; write the file "
                                 "again");
  }
}

TEST_F(GmshFormats, BeginWithoutAByteOrderMark) {
  EXPECT_NE(refusal("\xEF\xBB\xBF" + read(file_of(formats[0])))
                .find("the file begins with a byte order mark"),
            std::string::npos);
}

TEST_F(GmshFormats, OtherThanTheseAreRefused) {
  const std::string text = read(file_of(formats[2]));
  EXPECT_NE(refusal("$MeshFormat\n3 0 8\n" + text.substr(text.find("$EndMesh")))
                .find("the mesh is in Gmsh's format 3"),
            std::string::npos);
  EXPECT_NE(refusal("$MeshFormat\nfour\n$EndMeshFormat\n").find("line 2 is not the version"),
            std::string::npos);
  EXPECT_NE(refusal("Point(1) = {0, 0, 0};\nExit;\n").find("this is not a Gmsh mesh"),
            std::string::npos);
}

} // namespace
