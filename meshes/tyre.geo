// A tyre without a rim: a hollow torus in hexahedra. Its axle is turned from the horizontal
// direction y by `tilt` about x, and its lowest point is at z = 0.
DefineConstant[ R = 0.3, r = 0.1, wall = 0.02 ]; // m: to the middle of the tube, of the tube outside
DefineConstant[ tilt = 0.5 ];                    // rad
DefineConstant[ around = 3, across = 2, along = 9 ]; // cells of a quarter tube, its wall, a quarter
height = R * Cos(tilt) + r;
y = Cos(tilt); // the axle
z = Sin(tilt);
Point(1) = {0, 0, height};
Point(2) = {R, 0, height};
For i In {0:3}
  c = Cos(i * Pi / 2);
  s = Sin(i * Pi / 2);
  Point(10 + i) = {R + (r - wall) * c, (r - wall) * s * y, height + (r - wall) * s * z};
  Point(20 + i) = {R + r * c, r * s * y, height + r * s * z};
EndFor
sections[] = {};
For i In {0:3}
  j = (i + 1) % 4;
  Circle(10 + i) = {10 + i, 2, 10 + j};
  Circle(20 + i) = {20 + i, 2, 20 + j};
  Line(30 + i) = {10 + i, 20 + i};
EndFor
For i In {0:3}
  j = (i + 1) % 4;
  Curve Loop(40 + i) = {30 + i, 20 + i, -(30 + j), -(10 + i)};
  Plane Surface(40 + i) = {40 + i};
  sections[] += {40 + i};
EndFor
Transfinite Curve{10:13, 20:23} = around + 1;
Transfinite Curve{30:33} = across + 1;
Transfinite Surface{sections[]};
Recombine Surface{sections[]};
// Round the axle, by quarters; out[]: of each section its end, its volume and its four sides.
tyre[] = {};
outside[] = {};
For k In {1:4}
  out[] = Extrude { {0, y, z}, {0, 0, height}, Pi / 2 } { Surface{sections[]}; Layers{along}; Recombine; };
  sections[] = {};
  For i In {0:3}
    sections[] += {out[6 * i]};
    tyre[] += {out[6 * i + 1]};
    outside[] += {out[6 * i + 3]};
  EndFor
EndFor
Physical Surface("tread") = {outside[]};
Physical Volume("rubber") = {tyre[]};
