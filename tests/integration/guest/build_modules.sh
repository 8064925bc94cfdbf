#!/usr/bin/env bash
# In a Debian 13 root with kernel, headers and linux-source: builds gpio-sim, for amd64 also vimc, for
# arm64 a bus with a display, and installs them where modprobe looks.
#
#   build_modules.sh ARCHITECTURE
set -Eeuo pipefail

architecture=$1
headers=$(find /usr/src -maxdepth 1 -name "linux-headers-*-$architecture" | head -n 1)
release=${headers##*linux-headers-}
sources=/opt/modules
mkdir -p "$sources"
tar --extract --file=/usr/src/linux-source-6.12.tar.xz --directory="$sources" --strip-components=1 \
  linux-source-6.12/drivers/gpio linux-source-6.12/kernel/irq \
  linux-source-6.12/drivers/media/test-drivers/vimc

# Debian's kernel lacks the simulated interrupts that gpio-sim wants: they become part of it. What
# they call in the kernel is not exported to modules; its equivalent is.
gpio=$sources/gpio-sim
mkdir "$gpio"
cp "$sources"/drivers/gpio/{gpio-sim.c,*.h} "$sources/kernel/irq/irq_sim.c" "$gpio"
find "$sources/drivers/gpio" -name 'dev-sync-probe.[ch]' -exec cp {} "$gpio" \;
sed -i 's/handle_simple_irq(irq_to_desc(irqnum));/generic_handle_irq_safe(irqnum);/' "$gpio/irq_sim.c"
cat >"$gpio/Makefile" <<'MAKEFILE'
obj-m := gpio-simulator.o
gpio-simulator-y := gpio-sim.o irq_sim.o
ccflags-y += -DCONFIG_IRQ_SIM=1
MAKEFILE
if [[ -e $gpio/dev-sync-probe.c ]]; then
  sed -i 's/^gpio-simulator-y.*/& dev-sync-probe.o/' "$gpio/Makefile"
fi
vimc=$sources/drivers/media/test-drivers/vimc
# shellcheck disable=SC2016 # make replaces it
sed -i 's/\$(CONFIG_VIDEO_VIMC)/m/' "$vimc/Makefile"
oled=$sources/i2c-oled
mkdir "$oled"
cp "$(dirname "$0")/i2c-oled.c" "$oled"
printf 'obj-m := i2c-oled.o\n' >"$oled/Makefile"

modules=("$gpio/gpio-simulator.ko")
case $architecture in
  # The kernel of arm64 lacks the memory that cameras are opened with
  amd64) modules+=("$vimc/vimc.ko") ;;
  # and i2c-stub
  arm64) modules+=("$oled/i2c-oled.ko") ;;
esac
for module in "${modules[@]}"; do
  make --silent -C "$headers" M="$(dirname "$module")" modules
done
install -D --mode=644 --target-directory="/lib/modules/$release/updates" "${modules[@]}"
depmod "$release"
ls "/lib/modules/$release/updates"
