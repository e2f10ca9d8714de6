#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# enter.sh [OPTION...] NODE COMMAND [ARGUMENT...]
# What launchers take for ssh: runs a command on a simulated node. Like ssh it leaves out none of the quoting: a shell
# reads the words again. The node's name is its network namespace's and becomes its host name.
while case $1 in -*) true ;; *) false ;; esac; do shift; done
node=$1
shift
exec ip netns exec "$node" unshare --uts sh -c 'hostname "$0" && eval "$*"' "$node" "$@"
