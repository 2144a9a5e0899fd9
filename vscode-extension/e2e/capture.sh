#!/bin/sh
# The README's picture and animation, from the screenshots of `npm run e2e`: the real engine, each step for 2 s.
set -e
cd "$(dirname "$0")/out"
media=../../../docs/media
steps="1-opened 2-proposed 3-accepted-one 4-decided 5-taken-back"
mkdir -p "$media"
for step in $steps; do printf "file '%s.png'\nduration 2\n" "$step"; done >steps.txt
echo "file '5-taken-back.png'" >>steps.txt # the last duration counts only before another frame
palette="split[a][b];[a]palettegen=max_colors=64[p];[b][p]paletteuse=dither=none"
ffmpeg -y -loglevel error -f concat -i steps.txt -vf "scale=960:-1:flags=lanczos,$palette" "$media/vscode.gif"
cp 2-proposed.png "$media/vscode.png"
