/** Which command starts the language server, and whether what it starts is one that this extension knows. */

/** The oldest server that speaks this extension's protocol. */
export const OLDEST = "0.1.0";

export interface Places {
  /** The setting `fastedit.command`: a program and its arguments. */
  readonly command: readonly string[];
  /** The setting `fastedit.pythonPath`. */
  readonly pythonPath: string;
  /** The environment that this extension has made for itself, if it has. */
  readonly bundled: string | undefined;
  /** The Python extension's interpreter for this workspace, if there is one. */
  readonly interpreter: string | undefined;
}

const AS_MODULE = ["-c", "from fastedit.cli import main; main()"];

/** What to try, in order. Whoever sets something gets that and nothing else. */
export function candidates(places: Places): string[][] {
  if (places.command.length) return [[...places.command]];
  if (places.pythonPath) return [[places.pythonPath, ...AS_MODULE]];
  const pythons = [places.bundled, places.interpreter].filter((path) => path !== undefined && path !== "");
  return [...pythons.map((path) => [path as string, ...AS_MODULE]), ["fastedit"]];
}

/** The version in the output of `fastedit --version`; undefined for the output of anything else. */
export function versionIn(output: string): string | undefined {
  return /^fastedit (\d+\.\d+\.\d+\S*)\s*$/m.exec(output)?.[1];
}

/** What came of asking a program for its version. */
export interface Answer {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: unknown;
  /** Whether it was stopped because it took too long. */
  readonly killed?: boolean;
}

/** Why a program is not a server we know; undefined where it is. */
export function problemWith(program: string, answer: Answer, patienceMs: number): string | undefined {
  const { stdout = "", stderr = "", code, killed } = answer;
  if (killed) return `${program} did not answer within ${patienceMs / 1000} s`;
  if (code === "ENOENT") return `${program} does not exist`;
  if (code) return `${program} has no fastedit (${stderr.trim().split("\n").at(-1) || `it failed: ${code}`})`;
  const version = versionIn(stdout);
  if (!version) return `${program} is not fastedit`;
  return isTooOld(version) ? `${program} is fastedit ${version}, older than ${OLDEST}` : undefined;
}

export function isTooOld(version: string): boolean {
  const [found, wanted] = [numbers(version), numbers(OLDEST)];
  for (let i = 0; i < 3; i++) {
    const difference = (found[i] ?? 0) - (wanted[i] ?? 0);
    if (difference) return difference < 0;
  }
  return false;
}

function numbers(version: string): number[] {
  return version
    .split(/[.+-]/)
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0);
}
