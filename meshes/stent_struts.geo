// Six struts of a stent, 2.2 mm x 0.5 mm each, in the artery of stent_artery.geo, 0.1 mm from its
// wall: quadrilaterals.
// gmsh -2 stent_struts.geo -format msh41
struts = 6;
inside[] = {};
outside[] = {};
For i In {0 : struts - 1}
  x = 2 + 4*i; // of its middle
  p = 4*i;
  Point(p + 1) = {x - 1.1, 1.4, 0};
  Point(p + 2) = {x + 1.1, 1.4, 0};
  Point(p + 3) = {x + 1.1, 1.9, 0};
  Point(p + 4) = {x - 1.1, 1.9, 0};
  Line(p + 1) = {p + 1, p + 2};
  Line(p + 2) = {p + 2, p + 3};
  Line(p + 3) = {p + 3, p + 4};
  Line(p + 4) = {p + 4, p + 1};
  Curve Loop(i + 1) = {p + 1, p + 2, p + 3, p + 4};
  Plane Surface(i + 1) = {i + 1};
  Transfinite Curve {p + 1, p + 3} = 11;
  Transfinite Curve {p + 2, p + 4} = 4;
  Transfinite Surface {i + 1};
  Recombine Surface {i + 1};
  inside[] += p + 1;
  outside[] += {p + 2, p + 3, p + 4};
EndFor
Physical Curve("inside") = {inside[]};
Physical Curve("outside") = {outside[]};
Physical Surface("stent") = {1 : struts};
