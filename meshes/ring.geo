// The ring of Barboteu et al. (2024), section 6.2: radii 9 m and 10 m, 128 x 13 nodes, its lowest
// point `gap` above the ground y = 0, where its symmetry axis x = 0 meets it. The paper's own gap
// contradicts its times; this one makes the impact begin after a step or two.
// gmsh -2 ring.geo -format msh41
// gmsh -2 ring.geo -format msh41 -setnumber quadrilaterals 1 -o ring_q4.msh
// gmsh -2 ring.geo -format msh41 -setnumber around 48 -setnumber layers 3 -o ring_coarse.msh
DefineConstant[ around = 128 ];       // nodes along a circle, an even number
DefineConstant[ layers = 12 ];        // elements through the thickness
DefineConstant[ gap = 0.045 ];        // m
DefineConstant[ quadrilaterals = 0 ]; // 0: triangles, their diagonals in alternating directions
outer = 10;
inner = 9;

// Every node of the circles is a point: Gmsh would place nodes along an arc to 1e-8 m only.
For i In {0 : around - 1}
  angle = 2*Pi*i/around; // from the lowest point
  Point(1 + i) = {outer*Sin(angle), gap + outer*(1 - Cos(angle)), 0};
  Point(1 + around + i) = {inner*Sin(angle), gap + outer - inner*Cos(angle), 0};
EndFor
For i In {0 : around - 1}
  j = (i + 1) % around;
  Line(1 + i) = {1 + i, 1 + j};
  Line(1 + around + i) = {1 + around + i, 1 + around + j};
  Line(1 + 2*around + i) = {1 + i, 1 + around + i};
EndFor
Transfinite Curve {1 : 2*around} = 2;
Transfinite Curve {1 + 2*around : 3*around} = layers + 1;
For i In {0 : around - 1}
  j = (i + 1) % around;
  Curve Loop(1 + i) = {1 + i, 1 + 2*around + j, -(1 + around + i), -(1 + 2*around + i)};
  Plane Surface(1 + i) = {1 + i};
  If(i % 2 == 0)
    Transfinite Surface {1 + i} AlternateLeft;
  Else
    Transfinite Surface {1 + i} AlternateRight;
  EndIf
EndFor
If(quadrilaterals)
  Recombine Surface {1 : around};
EndIf
Physical Curve("contact") = {1 : around};
Physical Surface("body") = {1 : around};
