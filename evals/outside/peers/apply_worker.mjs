// Runs in a folder with the npm package `diff`; each line of standard input is a JSON object with applier, message and
// text, each answer the text or null.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const { applyPatch } = createRequire(`${process.cwd()}/`)('diff');

for await (const line of createInterface({ input: process.stdin })) {
  const { applier, message, text } = JSON.parse(line);
  let found = null;
  try {
    const made = applyPatch(text, message, { fuzzFactor: applier.endsWith('fuzz 3') ? 3 : 0 });
    if (made !== false) found = made;
  } catch {
    // How it refuses a diff that it cannot parse.
  }
  process.stdout.write(`${JSON.stringify(found)}\n`);
}
