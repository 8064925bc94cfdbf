// To be preloaded where the kernel has no I2C: the bus of the display, with something that
// acknowledges all writes.
//
// Stands in for /dev/i2c-1. What is written to the bus goes to the file that FAKE_I2C_LOG names,
// each message as its length (two bytes, low one first) and its bytes; fake_oled.py of
// tests/hardware makes a picture of them.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char BUS[] = "/dev/i2c-1";
static dev_t log_device;
static ino_t log_inode;

static int is_bus(const char *path) { return path != NULL && strcmp(path, BUS) == 0; }

typedef int (*open_function)(const char *, int, ...);

static int open_log(open_function real) {
  const char *path = getenv("FAKE_I2C_LOG");
  if (path == NULL) {
    errno = ENOENT;
    return -1;
  }
  int file = real(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  struct stat status;
  if (file >= 0 && fstat(file, &status) == 0) {
    log_device = status.st_dev;
    log_inode = status.st_ino;
  }
  return file;
}

static int is_log(int file) {
  struct stat status;
  return log_inode != 0 && fstat(file, &status) == 0 && status.st_dev == log_device &&
         status.st_ino == log_inode;
}

#define DEFINE_OPEN(NAME)                                        \
  int NAME(const char *path, int flags, ...) {                   \
    mode_t mode = 0;                                             \
    if (flags & (O_CREAT | O_TMPFILE)) {                         \
      va_list rest;                                              \
      va_start(rest, flags);                                     \
      mode = va_arg(rest, mode_t);                               \
      va_end(rest);                                              \
    }                                                            \
    open_function real = (open_function)dlsym(RTLD_NEXT, #NAME); \
    return is_bus(path) ? open_log(real) : real(path, flags, mode); \
  }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

static int write_message(int file, const unsigned char *first, size_t first_length,
                         const unsigned char *rest, size_t rest_length) {
  size_t length = first_length + rest_length;
  unsigned char record[2 + 0xFFFF];
  if (length > 0xFFFF) return -1;
  record[0] = length & 0xFF;
  record[1] = length >> 8;
  memcpy(record + 2, first, first_length);
  memcpy(record + 2 + first_length, rest, rest_length);
  return write(file, record, 2 + length) == (ssize_t)(2 + length) ? 0 : -1;
}

static int transfer(int file, const struct i2c_rdwr_ioctl_data *all) {
  for (unsigned int at = 0; at < all->nmsgs; at++) {
    const struct i2c_msg *message = &all->msgs[at];
    if (message->flags & I2C_M_RD) {
      memset(message->buf, 0, message->len);
    } else if (write_message(file, message->buf, message->len, NULL, 0) != 0) {
      return -1;
    }
  }
  return (int)all->nmsgs;
}

static int smbus(int file, const struct i2c_smbus_ioctl_data *wanted) {
  if (wanted->read_write != I2C_SMBUS_WRITE) return 0;
  const unsigned char *block = NULL;
  size_t length = 0;
  if (wanted->data != NULL && wanted->size == I2C_SMBUS_I2C_BLOCK_DATA) {
    length = wanted->data->block[0];
    block = wanted->data->block + 1;
  } else if (wanted->data != NULL && wanted->size == I2C_SMBUS_BYTE_DATA) {
    length = 1;
    block = &wanted->data->byte;
  }
  return write_message(file, &wanted->command, 1, block, length);
}

int ioctl(int file, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (is_log(file)) {
    switch (request) {
      case I2C_SLAVE:
      case I2C_SLAVE_FORCE:
        return 0;
      case I2C_FUNCS:
        *(unsigned long *)argument = I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
        return 0;
      case I2C_RDWR:
        return transfer(file, argument);
      case I2C_SMBUS:
        return smbus(file, argument);
    }
  }
  int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
  return real(file, request, argument);
}
