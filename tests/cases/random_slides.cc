// Blocks that are thrown on tables and slide, by any law, scheme and discretisation.

#include "cases/sliding.h"
#include <random>

namespace {

using namespace sliding;

/// Laws, schemes, discretisations and meshes drawn with a fixed seed: a block is thrown on a table
/// and slides, and no contact does positive work.
class RandomSlides : public Sliding {
protected:
  std::string draw(const std::vector<std::string> &values) {
    return values[random() % values.size()];
  }

  /// Writes a block that is thrown on a table, with meshes of other edges in each draw.
  void write_thrown(int dim) {
    const unsigned int n = 2 + random() % 3, m = 4 + random() % 5;
    const std::string down = dim == 2 ? "y" : "z", more = dim == 2 ? "" : "0, ";
    if (dim == 2) {
      write_rectangle("block", 0.53, 1e-3, 1., 0.5, n, 2);
      write_rectangle("table", 0., -0.5, 2., 0.5, m, 2);
    } else {
      write_box("block", {0.53, 0.21, 1e-3}, dealii::Point<3>(1., 0.6, 0.5), n, 2);
      write_box("table", {0., 0., -0.5}, dealii::Point<3>(2., 1.2, 0.5), m, 3);
    }
    write("case.prm", R"(subsection Mesh
  set File = block.geo, table.geo
end
subsection Material
  set Density = 1000
  set Young modulus = 1e6
  set Poisson ratio = 0.3
end
subsection Boundary conditions
  set Gravity = 0, )" + more +
                          R"(-9.81
  subsection table bottom
    set Displacement x = 0
    set Displacement y = 0
)" + (dim == 2 ? "" : "    set Displacement z = 0\n") +
                          R"(  end
end
subsection Initial state
  set Velocity x = if()" + down +
                          R"( > 5e-4, 1, 0)
  set Velocity )" + down + " = if(" +
                          down +
                          R"( > 5e-4, -0.5, 0)
end
subsection Contact
  subsection c
    set Region = block bottom
    set Surface = region
    set Against = table top
  end
end
subsection Time
  set Scheme = pdas-leapfrog
  set End = 0.12
  set Step = 2e-3
end
)");
  }

  /// Advances the block to the end, and expects that no contact gains energy.
  template <int dim>
  void expect_no_gain(const Assignments &assignments) const {
    std::string drawn = std::to_string(dim) + "D";
    for (const auto &assignment : assignments)
      drawn += ", " + assignment;
    Slide<dim> slide(folder, assignments);
    double pressed = 0;
    while (slide.time() < slide.c.span.end - 1e-9) {
      slide.advance();
      pressed += slide.force;
    }
    EXPECT_GT(pressed, 0.) << drawn;
    EXPECT_LT(slide.largest_work, 1e-13 * slide.largest_energy) << drawn;
    EXPECT_LT(slide.largest_friction_work, 1e-13 * slide.largest_energy) << drawn;
  }

  std::mt19937 random{20260};
};

TEST_F(RandomSlides, NoContactDoesPositiveWork) {
  for (unsigned int k = 0; k < 24; ++k) {
    const int dim = k % 6 == 5 ? 3 : 2;
    write_thrown(dim);
    const std::string scheme = draw({"moreau-jean-fremond", "pdas-leapfrog", "fremond-gonzalez"});
    Assignments drawn = {"Time/Scheme=" + scheme,
                         "Contact/c/Friction coefficient=" + draw({"0", "0.2", "0.8"}),
                         "Contact/c/Discretisation=" +
                             draw({"mortar", "mortar of region", "nodes", "nodes of both sides"}),
                         "Material/Law=" + draw({"linear elastic", "neo-hooke"})};
    if (draw({"block", "table"}) == "table")
      drawn.insert(drawn.end(), {"Contact/c/Region=table top", "Contact/c/Against=block bottom"});
    drawn.push_back("Time/Step=" + draw({"2e-3", "1e-3"}));
    const std::string restitution = draw({"0", "0.5", "1", "persistent"});
    if (restitution == "persistent") {
      drawn.emplace_back("Contact/c/Impact law=persistent-dissipative");
    } else {
      drawn.emplace_back("Contact/c/Impact law=dissipative");
      drawn.emplace_back("Contact/c/Restitution=" + restitution);
    }
    dim == 2 ? expect_no_gain<2>(drawn) : expect_no_gain<3>(drawn);
  }
}

} // namespace
