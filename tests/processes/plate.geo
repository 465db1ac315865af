// A plate of 4 x 0.6 x 0.2, in one row of hexahedra along x.
Point(1) = {0, 0, -0.2};
Point(2) = {0, 0.6, -0.2};
Point(3) = {0, 0.6, 0};
Point(4) = {0, 0, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1, 3} = 2;
Transfinite Curve {2, 4} = 2;
Transfinite Surface {1};
Recombine Surface {1};
plate[] = Extrude {4, 0, 0} { Surface{1}; Layers{20}; Recombine; };
Physical Surface("bottom") = {plate[2]};
Physical Surface("top") = {plate[4]};
Physical Volume("plate") = {plate[1]};
