# shellcheck shell=bash
# The installed program with the real picamera2, on libcamera's virtual camera that shows a table
# photo of our own. To be sourced by .ci/realstack, which sets $root.

camera_in_root=/opt/virtual-camera
# Environment that puts the virtual camera where picamera2 looks for one
camera_environment=(
  "PYTHONPATH=$camera_in_root"
  "LD_PRELOAD=$camera_in_root/fake_dma_heap.so"
  "LIBCAMERA_LOG_LEVELS=*:ERROR"
)

# A photo that is read without a question, so that the winner is certain, and of a plain table:
# newsprint looks like a calibration sheet that can hardly be made out
prepare_virtual_camera() {
  local folder=$root$camera_in_root
  [[ ! -e $folder/table.json ]] || return 0
  mkdir -p "$folder" "$root/usr/share/libcamera/pipeline/virtual"
  cp "$realstack"/virtual_camera/*.py "$realstack"/{look_through_camera,press_scan}.py "$folder"
  build_shim "$realstack/virtual_camera/fake_dma_heap.c" "$camera_in_root"
  in_root "$root" /opt/stadtblick/current/bin/stadtblick simulate --out "$camera_in_root/table" --condition normal --seed 8
  mv "$folder/table/normal-00008.jpg" "$folder/table.jpg"
  mv "$folder/table/normal-00008.json" "$folder/table.json"
  cp "$realstack/virtual_camera/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/"
}

as_user() { # COMMAND...: as the service runs it, but for its sandbox
  in_root "$root" setpriv --reuid=stadtblick --regid=stadtblick --init-groups \
    env HOME=/var/lib/stadtblick STADTBLICK_HOME=/var/lib/stadtblick \
    "${camera_environment[@]}" "$@"
}

misses_the_sheet() {
  local said
  said=$(as_user timeout 120 /opt/stadtblick/current/bin/stadtblick aim --json) || [[ $? == 1 ]] || return
  printf '%s\n' "$said"
  [[ $said == *'"no-sheet"'* ]]
}

test_scanning() {
  section "the real picamera2 on a virtual camera"
  prepare_virtual_camera
  check "a table is read through the camera, tile by tile" as_user timeout 120 \
    /opt/stadtblick/current/bin/python "$camera_in_root/look_through_camera.py" \
    "$camera_in_root/table.json"
  check "aiming looks through it and misses the sheet" misses_the_sheet
  section "stadtblick run: press, scan, winner"
  as_user timeout 180 /opt/stadtblick/current/bin/python "$camera_in_root/press_scan.py" \
    "$camera_in_root/table.json" picamera || fail "press, scan, winner"
  ok "the winner is shown after a press"
}
