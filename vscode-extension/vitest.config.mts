import { defineConfig } from "vitest/config";

// The machine may be busy: patience is for a test that hangs, not for one that is slow.
export default defineConfig({
  test: { include: ["test/**/*.test.ts"], setupFiles: ["test/setup.ts"], testTimeout: 300_000 },
});
