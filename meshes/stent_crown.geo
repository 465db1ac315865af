// A quarter of a crown of a stent about the z axis, in hexahedra: three struts of a zigzag of six
// waves, with round bends at z = 0 and at the other end. The planes y = 0 and x = 0 are planes of
// symmetry; the quarter has x < 0 and y < 0, so that pictures show its inside.
DefineConstant[ R = 0.61 ];             // mm, radius of the middle of the struts
DefineConstant[ w = 0.08, t = 0.08 ];   // mm, width and thickness of the struts
DefineConstant[ bend = 0.1 ];           // mm, radius of the middle of the bends
DefineConstant[ slope = 8 ];            // degrees, between a strut and the axis
DefineConstant[ in_bend = 2, in_strut = 3, across = 2, through = 2 ]; // cells
delta = slope * Pi / 180;
beta = Pi / 2 - delta;                  // by which a bend turns
pitch = R * Pi / 6;                     // of half a wave along the circumference
length = (pitch - 2*bend*Sin(beta)) / Sin(delta); // of the straight piece
height = 2*bend*(1 - Cos(beta)) + length*Cos(delta);
m = 2*in_bend + in_strut;               // cells along half a wave
n = 3*m;
inner[] = {};
outer[] = {};
flanks[] = {};
For i In {0 : n}
  wave = (i == n) ? 2 : Floor(i / m);
  j = i - wave*m;
  // The middle of the strut (s, z) in the unrolled surface, and the angle of its tangent.
  If (j <= in_bend)
    a = beta*j/in_bend;
    s = bend*Sin(a);
    z = bend*(1 - Cos(a));
  ElseIf (j < in_bend + in_strut)
    a = beta;
    s = bend*Sin(beta) + (j - in_bend)/in_strut*length*Sin(delta);
    z = bend*(1 - Cos(beta)) + (j - in_bend)/in_strut*length*Cos(delta);
  Else
    a = beta*(m - j)/in_bend;
    s = pitch - bend*Sin(a);
    z = height - bend*(1 - Cos(a));
  EndIf
  up = (wave == 1) ? -1 : 1;
  z = (wave == 1) ? height - z : z;
  s += wave*pitch;
  For corner In {0 : 3}
    side = (corner < 2) ? -0.5 : 0.5;
    r = (corner == 0 || corner == 3) ? R - t/2 : R + t/2;
    angle = (s - side*w*up*Sin(a)) / R;
    Point(4*i + corner + 1) = {-r*Cos(angle), -r*Sin(angle), z + side*w*Cos(a)};
  EndFor
  For corner In {0 : 3}
    Line(10*i + corner + 1) = {4*i + corner + 1, 4*i + (corner + 1) % 4 + 1};
  EndFor
  Curve Loop(10*i + 1) = {10*i + 1, 10*i + 2, 10*i + 3, 10*i + 4};
  Plane Surface(10*i + 1) = {10*i + 1};
  Transfinite Curve{10*i + 1, 10*i + 3} = through + 1;
  Transfinite Curve{10*i + 2, 10*i + 4} = across + 1;
  Transfinite Surface{10*i + 1};
  Recombine Surface{10*i + 1};
EndFor
For i In {0 : n - 1}
  For corner In {0 : 3}
    Line(10*i + corner + 5) = {4*i + corner + 1, 4*(i + 1) + corner + 1};
    Transfinite Curve{10*i + corner + 5} = 2;
  EndFor
  For corner In {0 : 3}
    Curve Loop(10*i + corner + 2) = {10*i + corner + 1, 10*i + (corner + 1) % 4 + 5, -(10*(i + 1) + corner + 1), -(10*i + corner + 5)};
    Surface(10*i + corner + 2) = {10*i + corner + 2};
    Transfinite Surface{10*i + corner + 2};
    Recombine Surface{10*i + corner + 2};
  EndFor
  Surface Loop(i + 1) = {10*i + 1, 10*(i + 1) + 1, 10*i + 2, 10*i + 3, 10*i + 4, 10*i + 5};
  Volume(i + 1) = {i + 1};
  Transfinite Volume{i + 1};
  flanks[] += {10*i + 2, 10*i + 4};
  outer[] += {10*i + 3};
  inner[] += {10*i + 5};
EndFor
Physical Surface("inner") = {inner[]};
Physical Surface("outer") = {outer[]};
Physical Surface("flanks") = {flanks[]};
Physical Surface("first") = {1};
Physical Surface("last") = {10*n + 1};
Physical Volume("stent") = {1 : n};
