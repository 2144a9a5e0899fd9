/** The examples are always the same, so that a test fails for a change alone; `SEED=7 RUNS=60000 npm test` draws others. */

import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1), numRuns: Number(process.env.RUNS ?? 1000) });
