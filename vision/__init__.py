"""The eye: a photo in, a reading out. numpy and OpenCV alone; knows no hardware and no points."""
