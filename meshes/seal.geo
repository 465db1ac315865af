// Half of the section of a round seal that stands on (0, 0), in triangles.
DefineConstant[ R = 5 ];      // mm
DefineConstant[ size = 0.4 ]; // mm
Point(1) = {0, 0, 0, size};
Point(2) = {R, R, 0, size};
Point(3) = {0, 2*R, 0, size};
Point(4) = {0, R, 0, size};
Circle(1) = {1, 4, 2};
Circle(2) = {2, 4, 3};
Line(3) = {3, 1};
Curve Loop(1) = {1, 2, 3};
Plane Surface(1) = {1};
Physical Curve("skin") = {1, 2};
Physical Curve("middle") = {3};
Physical Surface("seal") = {1};
