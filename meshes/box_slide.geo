// A block of 40 mm x 15 mm x 25 mm in hexahedra: the sliding block of Acary & Collins-Craft (2024),
// section 5.3, in space.
DefineConstant[ size = 2.5 ]; // mm
Point(1) = {0, 0, 0};
Point(2) = {40, 0, 0};
Point(3) = {40, 15, 0};
Point(4) = {0, 15, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Transfinite Curve{1, 3} = Ceil(40 / size - 1e-6) + 1;
Transfinite Curve{2, 4} = Ceil(15 / size - 1e-6) + 1;
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Surface{1};
Recombine Surface{1};
out[] = Extrude {0, 0, 25} { Surface{1}; Layers{Ceil(25 / size - 1e-6)}; Recombine; };
// out: top, volume, then the sides over the lines 1 to 4
Physical Surface("ground contact") = {1};
Physical Surface("top") = {out[0]};
Physical Surface("front") = {out[2]};
Physical Surface("left") = {out[5]};
Physical Volume("block") = {out[1]};
