"""Strain energies recomputed from the displacements, for all elements and laws that files determine."""

import itertools
import re
import unittest

from runs import CertifiedRun, certify, change_array, compute

# A skew block in cells that are no parallelepipeds; `cubes = 1` makes quadrilaterals and hexahedra.
GEOMETRY = """
DefineConstant[ cubes = 0 ];
Point(1) = {0, 0, 0};
Point(2) = {2, 0, 0};
Point(3) = {2.4, 1.2, 0};
Point(4) = {0.1, 1, 0};
For k In {1:4}
  Line(k) = {k, k % 4 + 1};
EndFor
Transfinite Curve{1:4} = 3;
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Surface{1};
If (cubes) Recombine Surface{1}; EndIf
"""
PLANE = 'Physical Curve("foot") = {1};\nPhysical Surface("block") = {1};\n'
SPACE = """
If (cubes)
  swept[] = Extrude {0, 0.2, 1.5} { Surface{1}; Layers{2}; Recombine; };
Else
  swept[] = Extrude {0, 0.2, 1.5} { Surface{1}; Layers{2}; };
EndIf
Physical Surface("foot") = {1};
Physical Volume("block") = {swept[1]};
"""
CASE = """
subsection Mesh
  set File = block.geo
end
subsection Material
  set Density = 1000
end
subsection Initial state
  set Velocity x = 4*x*y
  set Velocity {up} = -3 + 4*x
end
subsection Contact
  subsection ground
    set Region = foot
    set Surface = {surface}
  end
end
subsection Time
  set Scheme = moreau-jean-fremond
  set End = 0.02
  set Step = 1e-3
end
subsection Output
  set Number of instants = 4
end
"""
MODULI = {"Material/Young modulus": "2e6", "Material/Poisson ratio": "0.4"}
LAWS = {"linear elastic": MODULI, "neo-hooke": MODULI, "St. Venant-Kirchhoff": MODULI,
        "ogden": {"Material/C1": "3e5", "Material/C2": "1e5", "Material/D": "1e6"}}
CHECK = "strain energy from displacements"


class StrainEnergy(CertifiedRun):
    """Blocks that fall turning and bending on the ground."""

    def compute_block(self, dim, cubes, **settings):
        """Runs a case; returns its folder."""
        name = f"{dim}-{cubes}-{'-'.join(settings.values())}".replace(" ", "-")
        (self.folder / "block.geo").write_text(GEOMETRY + (SPACE if dim == 3 else PLANE), encoding="utf-8")
        case, folder = self.folder / "block.prm", self.folder / name
        surface, up = ("half-space", "z") if dim == 3 else ("half-plane", "y")
        case.write_text(CASE.format(surface=surface, up=up), encoding="utf-8")
        entries = {f"Material/{entry}": value for entry, value in settings.items()}
        compute(case, folder, {"Mesh/Parameters": f"cubes = {cubes}", **entries,
                               **LAWS[settings.get("Law", "linear elastic")]})
        return folder

    def assert_checked(self, folder):
        """Expects that the check passes at an instant at which contacts press and bodies are strained."""
        self.assertRegex(self.assert_passes(folder, "--all"), CHECK + r" +\S+ +\S+ +passes")

    def expect_energies(self, dim, cubes, elements):
        for element, law in itertools.product(elements, ("linear elastic", "neo-hooke", "ogden")):
            with self.subTest(dim=dim, cubes=cubes, element=element, law=law):
                self.assert_checked(self.compute_block(dim, cubes, Element=element, Law=law))

    def test_simplices(self):
        for dim in (2, 3):
            self.expect_energies(dim, 0, ("standard", "macro-cells", "quadratic",
                                          "quadratic mean dilatation"))

    def test_quadrilaterals_and_hexahedra(self):
        for dim in (2, 3):
            self.expect_energies(dim, 1, ("standard", "mean dilatation", "quadratic",
                                          "quadratic mean dilatation"))

    def test_plane_stress(self):
        self.assert_checked(self.compute_block(2, 0, Element="quadratic", Plane="stress"))

    def test_large_strain_without_a_volume_part(self):
        self.assert_checked(self.compute_block(2, 1, Element="quadratic", Law="St. Venant-Kirchhoff"))

    def test_a_middle_that_moves_fails(self):
        """A displacement of the last node, in the middle of a cell, changes the energy of its cell."""
        for cubes, element in itertools.product((0, 1), ("quadratic", "quadratic mean dilatation")):
            with self.subTest(cubes=cubes, element=element):
                folder = self.compute_block(2, cubes, Element=element, Law="neo-hooke")
                change_array(folder / "solution-000002.vtu", "displacement",
                             lambda array: (len(array("displacement")) - 1, 1), lambda x: x + 1e-4)
                outcome = certify(folder)
                self.assertEqual(outcome.returncode, 1)
                self.assertRegex(outcome.stdout, CHECK + r" .* FAILS\n +solution-000002.vtu")

    def test_other_elements_are_named(self):
        folder = self.compute_block(2, 1, Element="incompatible modes")
        text = re.sub(r"\s+", " ", self.assert_passes(folder, "--all"))
        self.assertIn("the strain energy of the element incompatible modes is not computed here", text)


if __name__ == "__main__":
    unittest.main()
