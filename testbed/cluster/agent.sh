#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Stands in for ssh: agent [OPTION]... NODE WORD...
# A shell on the node runs the words, joined by blanks, in the caller's folder and with little of the
# caller's environment. Exit status 255, as of ssh, if the node can't be reached.
set -u

refuse() {
  echo "emulated-cluster: $1" >&2
  exit 255
}

here="${0%/*}/private"
nodes() { cd "$here" && echo ./*.pid | sed 's,\./\([^ ]*\)\.pid,\1,g'; }

while :; do
  case "${1-}" in
    -[bceiJlLmoOpRSwFW]) shift 2 || refuse "option $1 needs a value" ;;
    -*) shift ;;
    *) break ;;
  esac
done
[ $# -ge 2 ] || refuse "the agent needs a node and a command; got '$*'"
node="${1##*@}"
shift
read -r pid 2> /dev/null < "$here/$node.pid" ||
  refuse "no node '$node'; there are: $(nodes)"

# The variables that a login sets and libraries need, and those of sanitizers, for the tests.
# shellcheck disable=SC2016 # expanded on the node
exec nsenter -t "$pid" -n -u -i -m -p -- env -i \
  HOME="${HOME-/}" USER="${USER-root}" LOGNAME="${LOGNAME-root}" SHELL=/bin/sh LANG=C PATH="$PATH" \
  ${LD_LIBRARY_PATH:+LD_LIBRARY_PATH="$LD_LIBRARY_PATH"} \
  ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} ${UBSAN_OPTIONS:+UBSAN_OPTIONS="$UBSAN_OPTIONS"} \
  /bin/sh -c '
    cd "$0" 2> /dev/null || {
      echo "emulated-cluster: node $(uname -n) does not see $0: its /tmp is its own; --share it" >&2
      exit 255
    }
    exec /bin/sh -c "$*"' "$PWD" "$@"
