"""A little source in every language of the corpus."""

SOURCES = {
    "python": '''from __future__ import annotations

import logging
import os.path
from collections import Counter, deque
from typing import Any

logger = logging.getLogger(__name__)
LIMIT = 10
NAMES = ["first", "second"]
TABLE = {
    "alpha": 1,
    "beta": 2,
}


class Store(Base):
    """Keeps values."""

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self._values)

    @cached
    async def load(self, path: str, mode="r", strict: bool = False):
        # value = path.strip()
        if not path:
            return None
        with open(path, mode) as handle:
            text = handle.read()
        if self.limit > 3 and strict:
            text = text.strip()
        self.update(text, 4)
        logger.info("loaded %s from %s" % (text, path))
        label = "{} at {}".format(path, mode)
        return Counter(text)


def merge(left, right, *, deep=None):
    """Both in one."""
    merged = dict(left)
    for key in right:
        if key in merged:
            continue
        merged[key] = right[key]  # the later wins
    return merged


async def fetch(url: str, timeout=30) -> bytes:
    reply = session.get(url, timeout)
    if reply.status == 404:
        pass
    return reply.body
''',
    "javascript": """import { readFile, writeFile } from './files.js';
const path = require('path');

// const unused = path.join('a', 'b');
export default class Store {
  constructor(options) {
    this.options = options;
  }

  async load(name, mode = 'r') {
    const text = await readFile(name, 10);
    if (text === null) {
      return [];
    }
    this.update(text, mode);
    return text;
  }
}

function merge(left, right) {
  const merged = { ...left };
  let count = 0;
  if (left.size > 2) {
    count = right.size;
  }
  log.info(`merged ${count}`);
  publish(merged, count);
  return merged;
}

const table = {
  alpha: 1,
  beta: 2
};
const names = ["first", "second"];
""",
    "typescript": """import { Injectable, Module } from '@angular/core';
import type { Options } from './options';

export interface Store {
  name: string;
  size: number;
}

export class Loader {
  private load(name: string, mode: string = 'r'): string {
    const text = read(name, mode);
    if (text === undefined) {
      return '';
    }
    this.update(text);
    return text;
  }

  reset(hard) {
    this.count = 0;
    this.notify(hard, 3);
  }
}

export function merge(left: Options, right: Options) {
  const limit: number = 10;
  publish(left, right);
  return combine(left, right, limit);
}
""",
    "go": """package store

import "fmt"

// Store keeps values.
type Store struct {
	name string
	size int
}

func (s *Store) Load(path string, strict bool) (string, error) {
	limit := 10
	if path == "" {
		return "", errEmpty
	}
	text := read(path, limit)
	fmt.Println("loaded", text)
	return text, nil
}

func merge(left int, right int) int {
	if left > 3 && right < 2 {
		return left
	}
	total := left + right
	return total
}
""",
    "rust": """use std::collections::{HashMap, HashSet};
use crate::store::Value;

pub struct Store {
    name: String,
    size: usize,
}

impl Store {
    pub fn load(&self, path: &str, limit: usize) -> usize {
        let text = read(path, 10);
        if limit == 0 {
            return 0;
        }
        self.update(text);
        limit
    }

    fn reset(&mut self, hard: bool) -> bool {
        self.size = 0;
        return hard;
    }
}
""",
    "java": """package org.example;

import java.util.List;
import java.util.Map;

public class Store {
    private int limit = 10;

    @Override
    public String load(String path, int mode) {
        // String unused = path.trim();
        if (path == null) {
            return "";
        }
        String text = read(path, 4);
        update(text, mode);
        return text;
    }

    private void reset(boolean hard) {
        this.limit = 0;
        notifyAll(hard);
    }
}
""",
    "c": """#include <stdio.h>
#include "store.h"

struct store {
	int size;
	char *name;
};

static int load(const char *path, int mode)
{
	int limit = 10;
	/* int unused = 3; */
	if (path == NULL) {
		return -1;
	}
	update(path, mode);
	return limit;
}
""",
    "cpp": """#include <string>
using std::string;

int load(const string &path, int mode = 0) {
  int limit = 10;
  if (path.size() > 3 && mode != 2) {
    limit = 20;
  }
  update(path, mode);
  return limit;
}

void reset(bool hard) {
  // log(hard);
  notify(hard, 4);
}
""",
    "json": """{
  "name": "store",
  "version": "1.0.0",
  "private": true,
  "files": [
    "dist",
    "src"
  ],
  "keywords": ["small", "fast"],
  "scripts": {
    "build": "tsc",
    "test": "node test.js"
  }
}
""",
    "yaml": """name: store
version: 2
# debug: true
server:
  host: localhost
  port: 8080
  timeout: 30

steps:
  - uses: checkout
  - run: make test
labels: [small, fast]
""",
    "toml": """[project]
name = "store"
version = "1.0.0"
# debug = true
keywords = ["small", "fast"]

[tool.lint]
width = 100
strict = true
""",
    "css": """/* The page. */
.store {
  color: red;
  margin: 0;
}

#head {
  /* padding: 1px; */
  width: 100px;
  height: auto;
}
""",
    "markdown": """# Store

Keeps values in a file, and tells what changed since.

- small and fast
- no other packages needed

<!-- the end of the page -->
Run it with the usual command.
""",
    "shell": """#!/bin/sh
# set -x
name=store
limit=10
if [ -z "$name" ]; then
  echo "no name given"
  exit 1
fi
make build
cp "$name" /tmp/store
""",
}
SOURCES["tsx"] = SOURCES["typescript"]
