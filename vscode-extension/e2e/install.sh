#!/bin/sh
# Puts a real VS Code that runs in a browser (code-server) into .editor: 330 MB, a few minutes, a C++ compiler.
# The browser is Debian's Chromium (editors/install.sh), or the one that CHROMIUM names.
set -e
VERSION=4.100.3 # the newest for Node 20
cd "$(dirname "$0")/.."
if [ ! -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
  echo "no Chromium: run editors/install.sh as root, or set CHROMIUM to a browser's path" >&2
  exit 1
fi
[ -f ".editor/complete-$VERSION" ] && exit
rm -rf .editor
mkdir .editor
cd .editor
echo '{ "name": "editor", "private": true }' >package.json
quiet="--no-audit --no-fund --loglevel=error"
npm install $quiet --ignore-scripts "code-server@$VERSION"
cd node_modules/code-server
(cd lib/vscode && npm install $quiet --omit=dev --ignore-scripts)
(cd lib/vscode/extensions && npm install $quiet --omit=dev --ignore-scripts)
# Exits with 1 on node-pty's post-install step, by when what is needed is built.
(cd lib/vscode && npm rebuild $quiet node-pty @vscode/spdlog native-watchdog 2>&1) >rebuild.log ||
  [ -f lib/vscode/node_modules/node-pty/build/Release/pty.node ] || { cat rebuild.log >&2 && exit 1; }
ln -sfn node_modules lib/vscode/node_modules.asar
# It gives its own second process 10 s to start, which a busy machine may not.
sed -i 's/timeoutInterval = 10000/timeoutInterval = 600000/' out/node/wrapper.js
cd ../..
npm rebuild $quiet argon2
node node_modules/code-server/out/node/entry.js --version
touch "complete-$VERSION"
