#!/bin/sh
# Tests of the kernels, then their benchmark, then whole edits: evals/gpu.sh FOLDER TESTS.. Ends with 1 if any failed.
folder=$1
shift
mkdir -p "$folder"
failed=0
timeout 240 "$PYTHON" -m pytest -q -p no:cacheprovider --junitxml "$folder/tests.xml" "$@" || failed=1
timeout 120 "$PYTHON" -m evals.kernels --quick --json "$folder/kernels-quick.json" || failed=1
timeout 170 "$PYTHON" -m evals.gpu --quick --json "$folder/gpu-quick.json" || failed=1
exit $failed
