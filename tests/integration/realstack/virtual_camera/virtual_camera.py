"""The real picamera2 on libcamera's "virtual" pipeline: one NV12 stream and no raw one."""

import time
from typing import Any

import libcamera
import picamera2
from picamera2.allocators.dmaallocator import DmaAllocator

FRAME_S = 1 / 30
"""The pipeline completes requests at once; a sensor takes so long for a frame."""


class Nv12Allocator(DmaAllocator):
    """Gives frame buffers the two planes that the virtual pipeline writes."""

    def allocate(self, libcamera_config: Any, use_case: Any) -> None:
        """Allocate as ever, then tell libcamera where the second plane begins."""
        super().allocate(libcamera_config, use_case)
        for stream_config in libcamera_config:
            luma = stream_config.stride * stream_config.size.height
            stream = stream_config.stream
            self.frame_buffers[stream] = [
                self._with_two_planes(buffer, luma) for buffer in self.frame_buffers[stream]
            ]

    def _with_two_planes(self, buffer: Any, luma: int) -> Any:
        file = buffer.planes[0].fd
        planes = [libcamera.FrameBuffer.Plane(), libcamera.FrameBuffer.Plane()]
        for plane, offset, length in zip(planes, (0, luma), (luma, luma // 2), strict=True):
            plane.fd, plane.offset, plane.length = file, offset, length
        both = libcamera.FrameBuffer(planes)
        copied = both.planes[0].fd  # libcamera duplicates what it is given
        self.mapped_buffers_used.pop(file)
        self.mapped_buffers_used[copied] = False
        self.libcamera_fds.remove(file)
        self.libcamera_fds.append(copied)
        self.mapped_buffers[both] = self.mapped_buffers.pop(buffer)
        return both

    def acquire(self, buffers: Any) -> None:
        """Take buffers at the pace of a sensor."""
        time.sleep(FRAME_S)
        super().acquire(buffers)


class VirtualPicamera2(picamera2.Picamera2):
    """Picamera2 as ever, but for the allocator and the raw modes that a virtual camera lacks."""

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("allocator", Nv12Allocator())
        super().__init__(*args, **options)

    def _get_raw_modes(self) -> list[dict[str, Any]]:
        still = self.camera.generate_configuration([libcamera.StreamRole.StillCapture]).at(0)
        return [{"format": "NV12", "size": (still.size.width, still.size.height)}]

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """The one mode."""
        return [dict(self._raw_modes[0], bit_depth=8)]

    def start_(self) -> None:
        """Start; requests that complete before that is noted would be lost."""
        with self.request_lock:
            super().start_()
