// SPDX-License-Identifier: MIT OR GPL-2.0
/*
 * An I2C bus with an SSD1306 display at address 0x3c, for tests: what Debian's i2c-stub lacks are plain
 * I2C transfers. The display's memory, 8 pages of 128 columns, is debugfs/i2c-oled/memory; whether it
 * is switched on, debugfs/i2c-oled/on.
 */
#include <linux/debugfs.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>

#define ADDRESS 0x3c
#define COLUMNS 128
#define PAGES 8
#define CONTROL_COMMAND 0x00
#define CONTROL_DATA 0x40

static DEFINE_MUTEX(lock);
static u8 memory[PAGES][COLUMNS];
static struct debugfs_blob_wrapper memory_file = { .data = memory, .size = sizeof(memory) };
static u32 is_on;
static u8 column, first_column, last_column = COLUMNS - 1;
static u8 page, first_page, last_page = PAGES - 1;
/* The command in work, and those of its arguments that have come */
static u8 command, arguments[2], wanted, arrived;

static u8 arguments_of(u8 byte)
{
	switch (byte) {
	case 0x21: /* columns, from and to */
	case 0x22: /* pages, from and to */
		return 2;
	case 0x20: /* order of filling: luma chooses rows */
	case 0x81: /* contrast */
	case 0x8d: /* charge pump */
	case 0xa8: case 0xd3: case 0xd5: case 0xd9: case 0xda: case 0xdb:
		return 1;
	}
	return 0;
}

static void obey(void)
{
	switch (command) {
	case 0x21:
		column = first_column = arguments[0] % COLUMNS;
		last_column = arguments[1] % COLUMNS;
		break;
	case 0x22:
		page = first_page = arguments[0] % PAGES;
		last_page = arguments[1] % PAGES;
		break;
	case 0xae:
		is_on = 0;
		break;
	case 0xaf:
		is_on = 1;
		break;
	}
}

static void take_command(u8 byte)
{
	if (arrived < wanted) {
		arguments[arrived++] = byte;
	} else {
		command = byte;
		wanted = arguments_of(byte);
		arrived = 0;
	}
	if (arrived == wanted)
		obey();
}

static void take_data(u8 byte)
{
	memory[page][column] = byte;
	if (column++ != last_column)
		return;
	column = first_column;
	page = page == last_page ? first_page : page + 1;
}

static int transfer(struct i2c_adapter *bus, struct i2c_msg *messages, int count)
{
	int at, byte;

	mutex_lock(&lock);
	for (at = 0; at < count; at++) {
		const struct i2c_msg *message = &messages[at];

		if (message->addr != ADDRESS) {
			count = -ENXIO;
			break;
		}
		if (message->flags & I2C_M_RD) {
			memset(message->buf, 0, message->len);
			continue;
		}
		for (byte = 1; byte < message->len; byte++) {
			if (message->buf[0] == CONTROL_DATA)
				take_data(message->buf[byte]);
			else if (message->buf[0] == CONTROL_COMMAND)
				take_command(message->buf[byte]);
		}
	}
	mutex_unlock(&lock);
	return count;
}

static u32 functionality(struct i2c_adapter *bus)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm algorithm = { .xfer = transfer, .functionality = functionality };
static struct i2c_adapter adapter = {
	.owner = THIS_MODULE, .algo = &algorithm, .name = "OLED for tests",
	/* As on the header of a Raspberry Pi */
	.nr = 1,
};
static struct dentry *folder;

static int __init begin(void)
{
	int error = i2c_add_numbered_adapter(&adapter);

	if (error)
		return error;
	folder = debugfs_create_dir("i2c-oled", NULL);
	debugfs_create_blob("memory", 0444, folder, &memory_file);
	debugfs_create_u32("on", 0444, folder, &is_on);
	return 0;
}

static void __exit end(void)
{
	debugfs_remove_recursive(folder);
	i2c_del_adapter(&adapter);
}

module_init(begin);
module_exit(end);
MODULE_DESCRIPTION("I2C bus with an SSD1306 display, for tests");
MODULE_LICENSE("Dual MIT/GPL");
