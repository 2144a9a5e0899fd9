// Bundles the pages' scripts into the server's static files, with the licenses of what is bundled and a manifest of
// hashes. `--check` writes nothing and fails where the files on disk are not what the sources give.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../fastedit/serve/static/bundle");
const sha256 = (data) => createHash("sha256").update(data).digest("hex");

// Every file that decides what a bundle holds.
function sources() {
  const names = ["build.mjs", "package-lock.json", "tsconfig.json"];
  for (const name of readdirSync(join(here, "src")).sort()) names.push(`src/${name}`);
  return Object.fromEntries(names.map((name) => [name, sha256(readFileSync(join(here, name)))]));
}

async function scripts() {
  const built = await build({
    absWorkingDir: here,
    entryPoints: ["theme", "playground", "status", "docs"].map((page) => `src/${page}.ts`),
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2023",
    minify: true,
    legalComments: "none", // LICENSES.txt has them whole
    metafile: true,
    write: false,
  });
  const files = Object.fromEntries(
    built.outputFiles.map((file) => [file.path.slice(out.length + 1), file.contents]),
  );
  return { files, inputs: Object.keys(built.metafile.inputs) };
}

function licenses(inputs) {
  const packages = new Set(
    inputs.map((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]).filter(Boolean),
  );
  const texts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const text = readFileSync(join(folder, "LICENSE"), "utf8").trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

const { files, inputs } = await scripts();
files["LICENSES.txt"] = Buffer.from(licenses(inputs));
const hashes = Object.fromEntries(Object.entries(files).map(([name, data]) => [name, sha256(data)]));
const manifest = { sources: sources(), files: hashes };
files["manifest.json"] = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);

if (process.argv.includes("--check")) {
  const stale = Object.entries(files).filter(([name, data]) => !readFileSync(join(out, name)).equals(data));
  if (stale.length) {
    console.error(`not what the sources give: ${stale.map(([name]) => name).join(", ")}; run make pages`);
    process.exit(1);
  }
} else {
  mkdirSync(out, { recursive: true });
  for (const [name, data] of Object.entries(files)) writeFileSync(join(out, name), data);
}
