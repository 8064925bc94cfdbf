# shellcheck shell=bash
# Programs of aarch64, the architecture of the Raspberry Pi, run by qemu. To be sourced after common.sh.

# The CPU of a Raspberry Pi 4. For its default one, qemu computes matrix products of OpenBLAS wrongly
export QEMU_CPU=cortex-a72

binfmt=/proc/sys/fs/binfmt_misc
# Each script has its own entry, so that none takes it from another one
binfmt_entry=stadtblick-aarch64-$$

# Has the kernel start aarch64 programs with qemu, in every root, until unregister_qemu
register_qemu() {
  need_tools qemu-aarch64-static=qemu-user-static
  [[ -e $binfmt/register ]] || mount -t binfmt_misc binfmt_misc "$binfmt"
  local magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
  local mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
  printf '%s\n' ":$binfmt_entry:M::$magic:$mask:$(command -v qemu-aarch64-static):F" \
    >"$binfmt/register"
}

unregister_qemu() { [[ ! -e $binfmt/$binfmt_entry ]] || echo -1 >"$binfmt/$binfmt_entry"; }
