// The ring of ring.geo, its inner circle named too.
// gmsh -2 ring_self.geo -format msh41
Include "ring.geo";
Physical Curve("inner") = {around + 1 : 2*around};
