// To be preloaded where the kernel has no dma-heap: picamera2 takes its buffers from there.
//
// Stands in for /dev/dma_heap/linux,cma with memory files. Also zeroes what C++ allocates, because
// libcamera 0.4.0 leaves the status of a virtual camera's frames uninitialised, and picamera2
// waits for ever for a frame that looks cancelled.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/dma-heap.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char HEAP[] = "/dev/dma_heap/linux,cma";
enum { PAGE = 4096 };

static int is_heap(const char *path) { return path != NULL && strcmp(path, HEAP) == 0; }

static int fake_heap(void) { return memfd_create("fake-dma-heap", MFD_CLOEXEC); }

static mode_t mode_of(int flags, va_list rest) {
  return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define DEFINE_OPEN(NAME)                                               \
  int NAME(const char *path, int flags, ...) {                          \
    va_list rest;                                                       \
    va_start(rest, flags);                                              \
    mode_t mode = mode_of(flags, rest);                                 \
    va_end(rest);                                                       \
    if (is_heap(path)) return fake_heap();                              \
    int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, #NAME);      \
    return real(path, flags, mode);                                     \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

#define DEFINE_OPENAT(NAME)                                             \
  int NAME(int folder, const char *path, int flags, ...) {              \
    va_list rest;                                                       \
    va_start(rest, flags);                                              \
    mode_t mode = mode_of(flags, rest);                                 \
    va_end(rest);                                                       \
    if (is_heap(path)) return fake_heap();                              \
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, #NAME); \
    return real(folder, path, flags, mode);                             \
  }
DEFINE_OPENAT(openat)
DEFINE_OPENAT(openat64)

static int allocate(struct dma_heap_allocation_data *wanted) {
  int buffer = memfd_create("fake-dma-buffer", MFD_CLOEXEC);
  if (buffer < 0) return -1;
  if (ftruncate(buffer, (wanted->len + PAGE - 1) / PAGE * PAGE) != 0) {
    close(buffer);
    return -1;
  }
  wanted->fd = buffer;
  return 0;
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  // Python passes the number as a signed one
  switch ((unsigned int)request) {
    case (unsigned int)DMA_HEAP_IOCTL_ALLOC:
      return allocate(argument);
    case (unsigned int)DMA_BUF_IOCTL_SYNC:
    case (unsigned int)DMA_BUF_SET_NAME_A:
    case (unsigned int)DMA_BUF_SET_NAME_B:
      return 0;
  }
  int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
  return real(file, request, argument);
}

// operator new(size_t)
void *_Znwm(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (memory == NULL) abort();
  return memory;
}
