// Half of the section of the incident bar: x is the radius, y the axis of all bars.
DefineConstant[ R = 10 ];   // mm
DefineConstant[ bottom = -805 ]; // mm
DefineConstant[ L = 800 ];   // mm
DefineConstant[ N = 4 ];   // elements along the radius
DefineConstant[ M = 320 ];   // layers along the length
Point(1) = {0, bottom, 0};
across[] = Extrude {R, 0, 0} { Point{1}; Layers{N}; };
bar[] = Extrude {0, L, 0} { Line{across[1]}; Layers{M}; Recombine; };
Physical Curve("incident back") = {across[1]};
Physical Curve("incident front") = {bar[0]};
Physical Surface("incident bar") = {bar[1]};
