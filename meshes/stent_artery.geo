// A longitudinal section of the wall of an artery, 24 mm long and 2 mm thick, whose axis is y = 0 and
// whose inner radius is 2 mm: quadrilaterals.
// gmsh -2 stent_artery.geo -format msh41
Point(1) = {0, 2, 0};
Point(2) = {24, 2, 0};
Point(3) = {24, 4, 0};
Point(4) = {0, 4, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 97;
Transfinite Curve {2, 4} = 9;
Transfinite Surface {1};
Recombine Surface {1};
Physical Curve("lumen") = {1};
Physical Curve("ends") = {2, 4};
Physical Surface("artery") = {1};
