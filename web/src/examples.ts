// What one can start from: one example for each kind of edit.
import type { File } from "./ask";

export interface Example {
  name: string;
  files: File[];
  message: string;
  instruction?: string;
}

const SETTINGS: File = {
  path: "settings.py",
  text: `import json


def load(path):
    with open(path) as handle:
        return json.load(handle)


def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    return merged


def settings(path, overrides):
    base = load(path)
    return merge(base, overrides)
`,
};

const CACHES: File = {
  path: "caches.py",
  text: `class Memory:
    def load(self):
        return read(self.path)

    def drop(self):
        self.path = None


class Disk:
    def load(self):
        return read(self.path)

    def close(self):
        self.path = None
`,
};

const QUEUE: File = {
  path: "queue.ts",
  text: `export class Queue<T> {
  private items: T[] = [];

  push(item: T): void {
    this.items.push(item);
  }

  pop(): T | undefined {
    return this.items.shift();
  }

  get size(): number {
    return this.items.length;
  }
}
`,
};

const LIMITS: File = { path: "limits.json", text: '{\n  "retries": 3,\n  "timeout": 30\n}\n' };

export const EXAMPLES: Example[] = [
  {
    name: "Sketch",
    files: [SETTINGS],
    message: `import json
import os

# ... existing code ...

def merge(base, extra):
    merged = dict(base)
    merged.update(extra)
    merged.pop("version", None)
    return merged


def settings(path, overrides):
    base = load(os.path.expanduser(path))
    # ... existing code ...
`,
  },
  {
    name: "Sketch with two readings",
    files: [CACHES],
    message: "    def load(self):\n        return read(self.path).strip()\n\n    # ... existing code ...\n",
  },
  {
    name: "Diff of two files",
    files: [QUEUE, LIMITS],
    message: `--- a/queue.ts
+++ b/queue.ts
@@ -1,6 +1,9 @@
 export class Queue<T> {
   private items: T[] = [];
 
+  constructor(private readonly limit = Infinity) {}
+
   push(item: T): void {
+    if (this.size >= this.limit) throw new RangeError("the queue is full");
     this.items.push(item);
   }
 
--- a/limits.json
+++ b/limits.json
@@ -1,4 +1,4 @@
 {
   "retries": 3,
-  "timeout": 30
+  "timeout": 60
 }
`,
  },
  {
    name: "SEARCH/REPLACE blocks",
    files: [SETTINGS],
    message: `I'll make both functions safer:

settings.py
<<<<<<< SEARCH
    with open(path) as handle:
      return json.load(handle)
=======
    with open(path, encoding="utf-8") as handle:
      return json.load(handle)
>>>>>>> REPLACE

settings.py
<<<<<<< SEARCH
    merged.update(extra)
=======
    merged.update(extra or {})
>>>>>>> REPLACE
`,
  },
  {
    name: "apply_patch with a new file",
    files: [QUEUE],
    message: `*** Begin Patch
*** Update File: queue.ts
@@ export class Queue<T> {
   pop(): T | undefined {
+    if (this.size === 0) throw new EmptyQueue();
     return this.items.shift();
   }
*** Add File: errors.ts
+export class EmptyQueue extends Error {}
*** End Patch
`,
  },
  {
    name: "Tool call",
    files: [SETTINGS],
    message: `{
  "path": "settings.py",
  "old_string": "    return merge(base, overrides)",
  "new_string": "    return merge(base, overrides or {})"
}
`,
  },
  {
    name: "Typed operations",
    files: [SETTINGS],
    message: `[
  { "path": "settings.py", "op": "rename", "target": "load", "new": "read_json" },
  { "path": "settings.py", "op": "add-import", "module": "os" }
]
`,
  },
  { name: "Instruction", files: [SETTINGS], message: "", instruction: "rename load to read_json" },
  {
    name: "A hunk without a place",
    files: [SETTINGS],
    message: `settings.py
<<<<<<< SEARCH
    merged.replace(extra)
    return merged
=======
    return merged | extra
>>>>>>> REPLACE
`,
  },
];
