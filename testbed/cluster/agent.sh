#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What ssh is to the launchers of MPI libraries: agent [OPTION]... NODE WORD...
# A shell on the node, in the caller's folder, with little of the caller's environment, runs the
# words joined by blanks. Exit status 255, as ssh's, where the node can't be reached.
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

# What a login would set for the libraries' sake; the sanitizers' settings, for the tests' sake.
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
