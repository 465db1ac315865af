// A square block of 1 m in triangles of 0.1 m, tilted by 20 degrees; its lowest corner is at (4, 0).
// gmsh -2 rubber_block.geo -format msh41
DefineConstant[ along = 10 ]; // elements of an edge
DefineConstant[ angle = 20 ]; // degrees, counter-clockwise
c = Cos(angle*Pi/180);
s = Sin(angle*Pi/180);
Point(1) = {4, 0, 0};
Point(2) = {4 + c, s, 0};
Point(3) = {4 + c - s, s + c, 0};
Point(4) = {4 - s, c, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve {1 : 4} = along + 1;
Transfinite Surface {1} AlternateLeft;
Physical Curve("sides") = {1 : 4};
Physical Surface("rubber") = {1};
