// A box of 0.4 x 0.4 x 0.4 above the plate, in hexahedra.
Point(1) = {2, 0.1, 0.0002};
Point(2) = {2, 0.5, 0.0002};
Point(3) = {2.4, 0.5, 0.0002};
Point(4) = {2.4, 0.1, 0.0002};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = 3;
Transfinite Surface {1};
Recombine Surface {1};
box[] = Extrude {0, 0, 0.4} { Surface{1}; Layers{2}; Recombine; };
Physical Surface("sole") = {1};
Physical Volume("box") = {box[1]};
