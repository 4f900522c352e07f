#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks the format of the C++ files, the shell scripts, that the Python files parse, the documents, and the words.
# New files count too, unless git ignores them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# files PATTERN...: those of the working tree; one that was deleted is still known to git.
files() {
  local file
  git ls-files -z --cached --others --exclude-standard -- "$@" | sort -zu |
    while IFS= read -r -d '' file; do
      if [[ -f "$file" ]]; then printf '%s\0' "$file"; fi
    done
}

status=0
if command -v clang-format-19 > /dev/null; then
  files '*.hpp' '*.cpp' | xargs -0r clang-format-19 --dry-run -Werror || status=1
else
  echo "no clang-format-19: the format of the C++ files is not checked" >&2
fi
files '*.sh' .ci/run | xargs -0r shellcheck || status=1
# py_compile would write files among the sources.
files '*.py' | xargs -0r python3 -c '
import sys
for name in sys.argv[1:]:
    compile(open(name).read(), name, "exec")' || status=1
# A unity build hides a missing header, and older versions of fmt have join in another one.
if files '*.hpp' '*.cpp' | xargs -0r grep -lE '\bfmt::[a-z]' | xargs grep -L '#include <fmt/' | grep .; then
  echo "these use fmt without a header of it" >&2
  status=1
fi
if files '*.hpp' '*.cpp' | xargs -0r grep -l 'fmt::join' | xargs grep -L 'fmt/ranges.h' | grep .; then
  echo "these use fmt::join without fmt/ranges.h" >&2
  status=1
fi
python3 ci/check_docs.py || status=1
python3 ci/check_words.py || status=1
exit "$status"
