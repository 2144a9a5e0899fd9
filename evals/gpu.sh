#!/bin/sh
# Tests of the kernels, then their benchmark, then whole edits: evals/gpu.sh FOLDER TESTS.. Ends with 1 if any failed.
# Of each part a line at the end says how it went; each leaves its own JSON, and none waits for another to succeed.
folder=$1
shift
mkdir -p "$folder"
said=""
part() { # NAME SECONDS COMMAND..
    name=$1
    seconds=$2
    shift 2
    timeout -k 10 "$seconds" "$PYTHON" "$@"
    code=$?
    case $code in
    0) said="$said$name: passed\n" ;;
    124 | 137) said="$said$name: took more than $seconds s\n" ;;
    *) said="$said$name: failed ($code)\n" ;;
    esac
    [ $code -eq 0 ] || failed=1
}
failed=0
part tests 240 -m pytest -q -n 4 --dist worksteal -p no:cacheprovider --junitxml "$folder/tests.xml" "$@"
part kernels 120 -m evals.kernels --quick --json "$folder/kernels-quick.json"
part edits 160 -m evals.gpu --quick --json "$folder/gpu-quick.json"
printf "$said"
exit $failed
