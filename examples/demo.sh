#!/bin/sh
# `make demo`: edits of a small file from the command line, each command shown as a user would type it. Takes the folder
# of `fastedit`.
PATH=$(cd "$1" && pwd):$PATH
examples=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export FASTEDIT_STATE="$folder/state"
cp "$examples/settings.py" "$examples/sketch.txt" "$folder"
cd "$folder" || exit

run() {
  printf '\n$ %s\n' "$1"
  eval "$1"
  echo "(exit code $?)"
}

run "fastedit apply settings.py -u sketch.txt --policy model --diff --verify"
run "fastedit apply settings.py -u sketch.txt --write"
run "fastedit log"
run "fastedit undo settings.py"
run "fastedit apply settings.py -i 'add parameter encoding=\"utf-8\" to load' --diff"
run "fastedit apply settings.py -i 'rename load to read' --diff"
run "fastedit apply missing.py -i 'rename load to read'"
