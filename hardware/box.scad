// Box for the display and the three buttons of Stadtblick, to be printed without supports.
//
//   openscad -D 'part="box"' -o box.stl hardware/box.scad
//   openscad -D 'part="lid"' -o lid.stl hardware/box.scad
//   openscad -D 'part="front"' -o hardware/box-front.svg hardware/box.scad
//
// The last one is the front as a drawing at full size, to cut and drill another box by.
// Measure your display and your buttons first, and change the values below: modules of the same
// name differ by a millimetre. All lengths are in mm. The front lies on the printer's bed.

part = "both"; // "box", "lid", "both" or "front"

// Display of 0.96 inch. For one of 1.3 inch: [36, 34], [31, 17], 2
module_wh = [28, 28]; // its circuit board, with play
window_wh = [24, 13]; // what is seen of its glass
window_up = 2;        // middle of the glass above the middle of the board

// Push buttons of 16 mm with a nut behind the front
button_hole = 16.4;
button_pitch = 32;
labels = ["SCAN", "NEXT", "OK"];

inner = [104, 72, 38]; // room for the buttons' terminals and the wires
wall = 2.4;
corner = 4;
screw = 2.6;     // hole for a self-tapping screw of 3 mm
screw_lid = 3.4; // hole in the lid
wires_wh = [14, 7]; // slot for ten wires

$fn = 48;
outer = [inner.x + 2 * wall, inner.y + 2 * wall];
display_y = 16;
buttons_y = -19;
post = 8;

module rounded(size, height, radius) {
  linear_extrude(height) offset(radius) square([size.x - 2 * radius, size.y - 2 * radius], center = true);
}

module at_posts() {
  for (x = [-1, 1], y = [-1, 1])
    translate([x * (inner.x - post) / 2, y * (inner.y - post) / 2, 0]) children();
}

// Seen from behind, as it lies on the bed: left and right are mirrored
module front_cuts() {
  translate([0, display_y + window_up, -1]) linear_extrude(wall + 2) square(window_wh, center = true);
  for (i = [0:2]) {
    x = (1 - i) * button_pitch;
    translate([x, buttons_y, -1]) cylinder(d = button_hole, h = wall + 2);
    translate([x, buttons_y + button_hole / 2 + 6, -0.01]) mirror([1, 0, 0])
      linear_extrude(0.8) text(labels[i], size = 5, halign = "center", valign = "center", $fn = 8);
  }
}

// Frame around the display's board, which is held in it by tape or hot glue
module display_frame() {
  translate([0, display_y, wall]) linear_extrude(2) difference() {
    square([module_wh.x + 3, module_wh.y + 3], center = true);
    square(module_wh, center = true);
    translate([0, module_wh.y / 2]) square([14, 8], center = true); // its pins
  }
}

module box() {
  difference() {
    union() {
      difference() {
        rounded(outer, inner.z + wall, corner);
        translate([0, 0, wall]) rounded(inner, inner.z + 1, corner - wall);
      }
      at_posts() translate([-post / 2, -post / 2, 0]) cube([post, post, inner.z + wall]);
      display_frame();
    }
    front_cuts();
    at_posts() translate([0, 0, wall + 6]) cylinder(d = screw, h = inner.z);
    translate([-wires_wh.x / 2, inner.y / 2 - 1, inner.z + wall - wires_wh.y])
      cube([wires_wh.x, wall + 2, wires_wh.y + 1]);
  }
}

module lid() {
  difference() {
    rounded(outer, wall, corner);
    at_posts() translate([0, 0, -1]) cylinder(d = screw_lid, h = wall + 2);
  }
}

if (part == "box" || part == "both") box();
if (part == "lid") lid();
if (part == "front") mirror([1, 0, 0]) projection(cut = true) translate([0, 0, -0.4]) box();
if (part == "both") translate([0, outer.y + 8, 0]) lid();
