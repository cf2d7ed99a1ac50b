#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# The first process of the guest. It makes a root file system from the host's tree and a tmpfs over it, and then carries
# out the commands of nandscape. The kernel's command line sets NANDSCAPE_ROOT, the host's tree, and NANDSCAPE_SESSION,
# a folder of the host for commands and their output.
#
# On the console, nandscape sends "run NUMBER" and gets "done NUMBER STATUS". The command is in NUMBER.command, and its
# output goes to NUMBER.output. "end" switches the guest off.
b=/bin/busybox

if [ "$1" != serve ]; then
    $b mount -t proc proc /proc
    $b mount -t sysfs sysfs /sys
    $b mount -t devtmpfs devtmpfs /dev
    $b mount -t hostfs -o ro,"$NANDSCAPE_ROOT" host /host
    $b mount -t tmpfs tmpfs /over
    $b mkdir /over/upper /over/work
    $b mount -t overlay -o lowerdir=/host,upperdir=/over/upper,workdir=/over/work root /root || exec $b sh
    for place in proc sys dev; do
        $b mkdir -p /root/$place
        $b mount --move /$place /root/$place
    done
    for place in tmp run dev/shm mnt root; do
        $b mkdir -p /root/$place
        $b mount -t tmpfs tmpfs /root/$place
    done
    $b mkdir -p /root/dev/pts /root/run/nandscape/session
    $b mount -t devpts devpts /root/dev/pts
    $b mount -t hostfs -o "$NANDSCAPE_SESSION" session /root/run/nandscape/session
    $b cp $b /init /root/run/nandscape
    $b ln -s busybox /root/run/nandscape/sh
    exec $b switch_root /root /run/nandscape/busybox sh /run/nandscape/init serve
fi

b=/run/nandscape/busybox
session=/run/nandscape/session
shell=/bin/sh
[ -x $shell ] || shell=/run/nandscape/sh
# By default, fio takes the time from the processor's counter, which knows nothing of simulated time.
if real=$(PATH=/usr/local/bin:/usr/bin:/bin command -v fio); then
    $b mkdir /run/nandscape/bin
    printf '#!/run/nandscape/sh\nexec %s --clocksource=clock_gettime "$@"\n' "$real" >/run/nandscape/bin/fio
    $b chmod +x /run/nandscape/bin/fio
fi
export PATH=/run/nandscape/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8
unset NANDSCAPE_ROOT NANDSCAPE_SESSION
exec 3<>/dev/hvc0
$b stty raw -echo <&3
cd /root
echo ready >&3
while read -r word number <&3; do
    case $word in
    run)
        $shell $session/"$number".command >$session/"$number".output 2>&1 </dev/null 3>&-
        echo "done $number $?" >&3
        ;;
    end)
        $b sync
        $b poweroff -f
        ;;
    esac
done
