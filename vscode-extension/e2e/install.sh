#!/bin/sh
# Puts a real VS Code that runs in a browser (code-server) into .editor; takes 330 MB and about a minute.
set -e
cd "$(dirname "$0")/.."
mkdir -p .editor
cd .editor
[ -f package.json ] || npm init -y >/dev/null
npm install --ignore-scripts code-server@4.100.3
cd node_modules/code-server
(cd lib/vscode && npm install --omit=dev --ignore-scripts)
(cd lib/vscode/extensions && npm install --omit=dev --ignore-scripts)
# Exits with 1 on node-pty's post-install step; what is needed is built by then.
(cd lib/vscode && npm rebuild node-pty @vscode/spdlog native-watchdog) || true
ln -sfn node_modules lib/vscode/node_modules.asar
cd ../..
npm rebuild argon2
