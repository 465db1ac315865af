// Bodies that ties join.

#include "cases/bonded_blocks.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace {

class TiedBlocks : public bonded_blocks::BondedBlocks {};

/// Entries that tie the blocks instead.
const std::vector<std::string> tied = {
    "Contact/glue/Tied until=10", "Contact/glue/Bond strength=0", "Contact/glue/Fracture energy=0",
    "Contact/glue/Shear bond strength=0", "Contact/glue/Shear fracture energy=0"};

/// Ties hold a body that hangs from the static preload on.
TEST_F(TiedBlocks, HoldAHangingBodyFromItsPreloadOn) {
  write(
      "hanging.geo",
      R"(Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 0.5, 0}; Point(4) = {0, 0.5, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Transfinite Curve{1, 3} = 5; Transfinite Curve{2, 4} = 3;
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Transfinite Surface{1}; Recombine Surface{1};
Physical Surface("hanging") = {1}; Physical Curve("glued") = {3};
)");
  write("hanging.prm", R"(subsection Mesh
  set File = hanging.geo
end
subsection Material
  set Law           = neo-hooke
  set Density       = 1
  set Young modulus = 100
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, -1
end
subsection Initial state
  set Static preload  = true
  set Preload gravity = true
end
subsection Contact
  subsection ceiling
    set Region     = glued
    set Point      = 0, 0.5
    set Normal     = 0, -1
    set Tied until = 10
  end
end
subsection Time
  set Theta = 0.5
  set Step  = 0.01
  set End   = 1
end
)");
  const auto table = run({}, "hanging.prm");
  EXPECT_GT(table.at("strain")[0], 1e-4);
  EXPECT_LT(largest(table.at("kinetic")), 1e-16 * table.at("strain")[0]);
}

TEST_F(TiedBlocks, AreOneBody) {
  write("one.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 1, 0.5};
Rectangle(2) = {0, 0.5, 0, 1, 0.5};
Coherence;
Transfinite Curve{1, 3, 6} = 5; Transfinite Curve{2, 4, 5, 7} = 3;
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("all") = {1, 2};
Physical Curve("base") = {1}; Physical Curve("top") = {6};
)");
  const std::string two_blocks = read("case.prm");
  const auto contact = two_blocks.find("subsection Contact"),
             time = two_blocks.find("subsection Time");
  std::string one_block = two_blocks.substr(0, contact) + two_blocks.substr(time);
  one_block.replace(one_block.find("blocks.geo"), 10, "one.geo");
  write("one.prm", one_block);
  const auto one = run({"Constants/shear=0.05"}, "one.prm", "one");
  Entries entries = tied;
  entries.insert(entries.end(), {"Constants/shear=0.05", "Mesh/Parameters=n=4, m=4"});
  for (const std::string discretisation : {"mortar", "nodes"}) {
    Entries all = entries;
    all.push_back("Contact/glue/Discretisation=" + discretisation);
    const auto two = run(all, "case.prm", "two");
    expect_balance(two);
    for (std::size_t i = 0; i < one.at("total").size(); ++i)
      for (const std::string energy : {"kinetic", "strain"})
        ASSERT_NEAR(two.at(energy)[i], one.at(energy)[i], 1e-10 * largest(one.at("total")))
            << discretisation << ' ' << i;
  }
}

/// Tied meshes that do not match transmit uniform tension exactly.
TEST_F(TiedBlocks, PassThePatchTest) {
  for (const std::string file : {"case.prm", "boxes.prm"}) {
    Entries entries = tied;
    entries.insert(entries.end(), {"Time/Inertia=none", "Time/Theta=1", "Constants/lift=1e-4",
                                   "Material/Law=linear elastic", "Material/Poisson ratio=0"});
    const auto table = run(entries, file);
    EXPECT_NEAR(table.at("total").back(), 0.5 * 100. * 1e-8, 1e-10 * 0.5 * 100. * 1e-8) << file;
  }
}

/// Without inertia ties close the gaps that rows of large strains leave.
TEST_F(TiedBlocks, BalanceInStatics) {
  Entries entries = tied;
  entries.insert(entries.end(), {"Time/Inertia=none", "Time/Theta=1", "Constants/shear=0.05"});
  const auto table = run(entries);
  EXPECT_LT(largest(table.at("balance_residual")), 1e-13 * largest(table.at("total")));
  EXPECT_GT(table.at("strain").back(), 0.01);
}

/// Symmetry conditions fix directions of ties on both sides, here one that is no row of a contact;
/// the ties are redundant there.
TEST_F(TiedBlocks, MeetASymmetryPlaneAtASlantedFace) {
  write(
      "slant.geo",
      R"(Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 0.7, 0}; Point(4) = {0, 0.4, 0};
Point(5) = {1, 1, 0}; Point(6) = {0, 1, 0}; Point(7) = {1, 0.7, 0}; Point(8) = {0, 0.4, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {8, 7}; Line(6) = {7, 5}; Line(7) = {5, 6}; Line(8) = {6, 8};
Transfinite Curve{1, 3} = 5; Transfinite Curve{5, 7} = 4; Transfinite Curve{2, 4, 6, 8} = 3;
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1}; Curve Loop(2) = {5, 6, 7, 8}; Plane Surface(2) = {2};
Transfinite Surface{1, 2}; Recombine Surface{1, 2};
Physical Surface("lower") = {1}; Physical Surface("upper") = {2};
Physical Curve("base") = {1}; Physical Curve("lower face") = {3}; Physical Curve("upper face") = {5};
Physical Curve("top") = {7}; Physical Curve("left") = {4, 8};
)");
  std::string text = read("case.prm");
  text.replace(text.find("blocks.geo"), 10, "slant.geo");
  const std::string held = "  subsection base\n";
  text.replace(text.find(held), held.size(),
               "  subsection left\n    set Displacement x = 0\n  end\n" + held);
  text.replace(
      text.find("    set Displacement x = shear"),
      text.find("    set Displacement y = lift") - text.find("    set Displacement x = shear"), "");
  write("slant.prm", text);
  const auto table = run(tied, "slant.prm");
  expect_balance(table);
  EXPECT_GT(table.at("strain").back(), 0.01);
  const auto nodes = [&] {
    Entries entries = tied;
    entries.emplace_back("Contact/glue/Discretisation=nodes");
    return run(entries, "slant.prm", "nodes");
  }();
  EXPECT_NEAR(nodes.at("strain").back(), table.at("strain").back(),
              0.1 * table.at("strain").back());
}

/// A body that is split and tied again is the body: along a line through it and along one that ends
/// inside, in 2D and in 3D.
TEST_F(TiedBlocks, AreOneBodyThatWasSplit) {
  const auto with = [&](const std::string &file, const std::string &mesh, bool has_contact) {
    std::string text = read(file);
    const auto contact = text.find("subsection Contact"), time = text.find("subsection Time");
    if (!has_contact)
      text.erase(contact, time - contact);
    const auto begin = text.find("set File = ") + 11;
    return text.replace(begin, text.find('\n', begin) - begin, mesh);
  };
  write("strip.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 0.4, 0.5}; Rectangle(2) = {0.4, 0, 0, 0.6, 0.5};
Rectangle(3) = {0, 0.5, 0, 0.4, 0.5}; Rectangle(4) = {0.4, 0.5, 0, 0.6, 0.5};
Coherence;
MeshSize{ PointsOf{ Surface{:}; } } = 0.2;
Physical Surface("all") = Surface{:};
left() = Curve In BoundingBox{-0.1, 0.4, -1, 0.5, 0.6, 1};
right() = Curve In BoundingBox{0.3, 0.4, -1, 1.1, 0.6, 1};
Physical Curve("whole") = {left(), right()}; Physical Curve("part") = {right()};
Physical Curve("base") = Curve In BoundingBox{-0.1, -0.1, -1, 1.1, 0.1, 1};
Physical Curve("top") = Curve In BoundingBox{-0.1, 0.9, -1, 1.1, 1.1, 1};
)");
  write("cube.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 0.4, 1, 0.5}; Box(2) = {0.4, 0, 0, 0.6, 1, 0.5};
Box(3) = {0, 0, 0.5, 0.4, 1, 0.5}; Box(4) = {0.4, 0, 0.5, 0.6, 1, 0.5};
Coherence;
MeshSize{ PointsOf{ Volume{:}; } } = 0.4;
Physical Volume("all") = Volume{:};
Physical Surface("part") = Surface In BoundingBox{0.3, -0.1, 0.4, 1.1, 1.1, 0.6};
Physical Surface("base") = Surface In BoundingBox{-0.1, -0.1, -0.1, 1.1, 1.1, 0.1};
Physical Surface("top") = Surface In BoundingBox{-0.1, -0.1, 0.9, 1.1, 1.1, 1.1};
)");
  for (const auto &[file, mesh, split] :
       {std::array<std::string, 3>{"case.prm", "strip.geo", "whole"},
        {"case.prm", "strip.geo", "part"},
        {"boxes.prm", "cube.geo", "part"}}) {
    const std::string whole_case = with(file, mesh, false), split_case = with(file, mesh, true);
    write("one.prm", whole_case);
    write("two.prm", split_case);
    const auto one = run({"Constants/shear=0.05"}, "one.prm", "one");
    Entries entries = tied;
    entries.insert(entries.end(),
                   {"Constants/shear=0.05", "Mesh/Split=" + split,
                    "Contact/glue/Region=" + split + " 1", "Contact/glue/Against=" + split + " 2"});
    const auto two = run(entries, "two.prm", "two");
    expect_balance(two);
    EXPECT_GT(largest(one.at("strain")), 0.01);
    for (std::size_t i = 0; i < one.at("total").size(); ++i)
      for (const std::string energy : {"kinetic", "strain"})
        ASSERT_NEAR(two.at(energy)[i], one.at(energy)[i], 1e-10 * largest(one.at("total")))
            << mesh << ' ' << split << ' ' << i;
  }
}

TEST_F(TiedBlocks, SeparateAfterTheTimeOfTheirTies) {
  Entries entries = tied;
  entries.front() = "Contact/glue/Tied until=0.5";
  const auto table = run(entries);
  expect_balance(table);
  EXPECT_EQ(table.at("work_fracture").back(), 0.);
  // The upper block takes its strain energy along, and the lower one springs back.
  const auto &strain = table.at("strain");
  EXPECT_GT(strain[50], 0.02);
  EXPECT_GT(largest(table.at("kinetic")), 0.3 * strain[50]);
}

} // namespace
