#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Installs the missing packages of packages.txt. On systems other than Debian, or without the right to
# install, it lists them (exit status 2).
set -euo pipefail

list="$(dirname "${BASH_SOURCE[0]}")/packages.txt"

usage() {
  echo "usage: install_packages.sh [GROUP...]"
  echo "Installs the missing packages of these groups of scripts/packages.txt."
  echo "GROUP: $(known_groups) (default: all)"
}

known_groups() { sed -n 's/^\[\(.*\)\]$/\1/p' "$list" | paste -sd ' '; }

# The lines "package kind name" of the requested groups.
wanted() {
  awk -v groups=" $* " '/^\[/ { group = substr($0, 2, length($0) - 2); next }
    NF == 3 && $1 != "#" && (groups == "  " || index(groups, " " group " "))' "$list"
}

on_debian() { command -v dpkg-query > /dev/null && command -v apt-get > /dev/null; }

# A name may also be one that an installed package provides, as libpmi2-0t64 does libpmi2-0.
package_installed() {
  dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides},\n' |
    sed -n 's/ ([^)]*)//g; s/^installed / /p' | grep -F " $1," > /dev/null
}

# found KIND NAME: whether the machine has it, by a package or otherwise.
found() {
  case "$1" in
    command) command -v "$2" > /dev/null ;;
    module) pkg-config --exists "$2" 2> /dev/null ;;
    header) echo "#include <$2>" | c++ -std=c++20 -fsyntax-only -x c++ - 2> /dev/null ;;
    file) [[ -e "$2" ]] ;;
    python) python3 -c "import $2" 2> /dev/null ;;
  esac
}

# here PACKAGE KIND NAME|NAME...
here() {
  local name
  if on_debian; then
    for name in ${1//|/ }; do
      if package_installed "$name"; then return; fi
    done
    return 1
  fi
  for name in ${3//|/ }; do
    if found "$2" "$name"; then return; fi
  done
  return 1
}

# The first of the packages a|b that apt can install; a virtual one too, as libpmi2-0.
first_offered() {
  local name
  for name in ${1//|/ }; do
    if apt-get install -q -y --no-install-recommends --simulate "$name" > /dev/null 2>&1; then
      echo "$name"
      return
    fi
  done
  return 1
}

# Without a terminal nobody can type a password for sudo.
may_install() {
  ((EUID == 0)) || sudo -n true 2> /dev/null || { [[ -t 0 ]] && command -v sudo > /dev/null; }
}

become_root() {
  if ((EUID == 0)); then
    "$@"
  else
    sudo "$@"
  fi
}

for group in "$@"; do
  case "$group" in
    -h | --help)
      usage
      exit
      ;;
  esac
  if [[ " $(known_groups) " != *" $group "* ]]; then
    echo "install_packages.sh: no group '$group'; known: $(known_groups)" >&2
    exit 2
  fi
done

packages=() # the missing ones
tools=()    # what they contain
while read -r package kind name; do
  if ! here "$package" "$kind" "$name"; then
    packages+=("$package")
    tools+=("$kind ${name//|/ or }")
  fi
done < <(wanted "$@")
if ((${#packages[@]} == 0)); then exit; fi

if ! on_debian; then
  echo "install_packages.sh: this is no Debian system; make these available, then try again:" >&2
  printf '  %s\n' "${tools[@]}" >&2
  exit 2
fi
if ! may_install; then
  echo "install_packages.sh: this user can't install the missing packages; run as root:" >&2
  echo "  apt-get update && apt-get install ${packages[*]%%|*}" >&2
  exit 2
fi
become_root apt-get update -q
offered=()
for package in "${packages[@]}"; do
  if name="$(first_offered "$package")"; then
    offered+=("$name")
  else
    echo "not in this system's suites: $package" >&2
  fi
done
if ((${#offered[@]} == 0)); then exit; fi
echo "installing ${offered[*]}"
become_root env DEBIAN_FRONTEND=noninteractive \
  apt-get install -q -y --no-install-recommends "${offered[@]}"
