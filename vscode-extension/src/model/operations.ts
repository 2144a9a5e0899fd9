/** The typed operations of the server, read from their JSON schemas. */

export interface Schema {
  readonly description: string;
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
}

interface Property {
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly default?: unknown;
}

/** What `fastedit.operations` answers; `suggested` are values of fields, by what stands at the cursor. */
export interface Listed {
  readonly operations: readonly Schema[];
  readonly suggested: Readonly<Record<string, string>>;
}

/** An operation as JSON, whole or with some of its fields. */
export interface Operation {
  readonly op: string;
  readonly [field: string]: unknown;
}

export interface Field {
  readonly name: string;
  readonly doc: string;
  readonly required: boolean;
  /** What it can be, where that is a list. */
  readonly choices: readonly string[];
  /** The value of a text that was typed or picked. */
  readonly parse: (text: string) => unknown;
}

export function nameOf(schema: Schema): string {
  return schema.properties.op?.const ?? "";
}

/** The fields that a part of an operation leaves open, required ones first. */
export function openFields(schema: Schema, given: Readonly<Record<string, unknown>>): Field[] {
  const fields = Object.entries(schema.properties)
    .filter(([name]) => name !== "op" && !(name in given))
    .map(([name, property]) => field(name, property, schema.required.includes(name)));
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

function field(
  name: string,
  { description = "", type, enum: listed, default: usual }: Property,
  required: boolean,
): Field {
  const types = typeof type === "string" ? [type] : (type ?? []);
  const doc = usual === undefined || usual === null ? description : `${description} (${usual})`;
  const made = { name, doc, required, parse: (text: string): unknown => text };
  if (types.includes("boolean"))
    return { ...made, choices: ["true", "false"], parse: (text) => text === "true" };
  return { ...made, choices: listed ?? [], ...(types.length ? {} : { parse: jsonOrText }) };
}

/** A field of any type takes JSON, and what is none as text. */
function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
