#!/bin/sh
# Builds the sdist and, from it, the wheel; installs the wheel into an empty environment and edits a file there.
# The environments are gone afterwards; the packages stay in dist/.
set -eu
python=${PYTHON:-python3}
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset PYTHONPATH # else the sources would be found instead of what was installed
rm -rf "$root/dist"
"$python" -m venv "$work/build"
"$work/build/bin/pip" install --quiet build
"$work/build/bin/python" -m build --outdir "$root/dist" "$root" > "$work/build.log" 2>&1 || {
  cat "$work/build.log"
  exit 1
}

"$python" -m venv "$work/run"
"$work/run/bin/pip" install --quiet "$root"/dist/*.whl
cd "$work"
cat > sample.py <<'SAMPLE'
def load(path):
    return open(path).read()


print(load("settings"))
SAMPLE
export FASTEDIT_STATE="$work/state"
run/bin/fastedit --version
run/bin/fastedit apply sample.py -i "rename load to read" --write
grep -q 'print(read("settings"))' sample.py
run/bin/fastedit undo sample.py
# Without the extra there is no torch, and an edit that needs a model says so.
! run/bin/fastedit apply sample.py -i "make it faster" 2> said
grep -q "pip install '.\[local\]'" said
"$work/run/bin/pip" install --quiet "$(echo "$root"/dist/*.whl)[local]"
run/bin/fastedit apply sample.py -i "rename load to read" --policy model --force --diff # the weights are there
run/bin/python -c "
from importlib.metadata import files
names = [str(file) for file in files('fastedit-engine')]
wanted = ['fastedit/py.typed', 'fastedit_kernels/py.typed', 'fastedit_lsp/py.typed', 'licenses/LICENSE', 'nano/DATA_CARD.md']
missing = [name for name in wanted if not any(file.endswith(name) for file in names)]
assert not missing, missing"
echo "packages: $(cd "$root/dist" && echo *)"
