// The lower half of a cylinder of radius 8 mm that stands on y = 0: triangles, of size s where it
// touches.
// gmsh -2 cattaneo_upper.geo -format msh41
DefineConstant[ s = 0.05 ]; // mm
R = 8;
fine = 0.13; // rad; up to here the size is s
Point(1) = {0, 0, 0, s};
Point(2) = {R*Sin(fine), R*(1 - Cos(fine)), 0, s};
Point(3) = {R, R, 0, 1.2};
Point(4) = {0, R, 0, 1.2};
Point(5) = {-R, R, 0, 1.2};
Point(6) = {-R*Sin(fine), R*(1 - Cos(fine)), 0, s};
Circle(1) = {6, 4, 1};
Circle(2) = {1, 4, 2};
Circle(3) = {2, 4, 3};
Line(4) = {3, 4};
Line(5) = {4, 5};
Circle(6) = {5, 4, 6};
Curve Loop(1) = {1, 2, 3, 4, 5, 6};
Plane Surface(1) = {1};
Physical Curve("lower side") = {1, 2};
Physical Curve("pressed") = {4, 5};
Physical Surface("upper cylinder") = {1};
