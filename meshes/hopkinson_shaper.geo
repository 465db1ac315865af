// Half of the section of the pulse shaper, a disc: x is the radius, y the axis of all bars.
DefineConstant[ R = 5 ];   // mm
DefineConstant[ bottom = -805.5 ]; // mm
DefineConstant[ L = 0.5 ];   // mm
DefineConstant[ N = 4 ];   // elements along the radius
DefineConstant[ M = 2 ];   // layers along the length
Point(1) = {0, bottom, 0};
across[] = Extrude {R, 0, 0} { Point{1}; Layers{N}; };
bar[] = Extrude {0, L, 0} { Line{across[1]}; Layers{M}; Recombine; };
Physical Curve("shaper back") = {across[1]};
Physical Curve("shaper front") = {bar[0]};
Physical Surface("shaper") = {bar[1]};
