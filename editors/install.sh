#!/bin/sh
# Installs the editors that the tests drive, from Debian: Neovim, Emacs with eglot, and Chromium, in which VS Code runs.
set -e
missing=""
for package in neovim emacs-nox elpa-eglot chromium; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q '^install ok' || missing="$missing $package"
done
[ -z "$missing" ] && exit
if [ "$(id -u)" != 0 ]; then
  echo "not installed:$missing; run this as root" >&2
  exit 1
fi
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
