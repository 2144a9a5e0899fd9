// The API's page, from /openapi.json alone: each path with its fields, an example to copy, and its answers.
import { byId, html } from "./dom";
import { fillHeader } from "./header";
import { request } from "./server";

interface Schema {
  $ref?: string;
  enum?: unknown[];
  anyOf?: Schema[];
  const?: unknown;
  type?: string;
  items?: Schema;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  examples?: unknown[];
}

interface Answer {
  description: string;
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  description?: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Answer>;
}

interface Api {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
}

const JSON_TYPE = "application/json";

function resolved(api: Api, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split("/").at(-1);
  return (name ? api.components.schemas[name] : schema) ?? {};
}

function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split("/").at(-1)!;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return schema.type === "array" ? `${typeOf(schema.items ?? {})}[]` : (schema.type ?? "any");
}

/** A description, whose backticks hold code. */
function prose(text: string): (Node | string)[] {
  return text.split("`").map((part, place) => (place % 2 ? html("code", {}, part) : part));
}

/** A row for each field, and below it those of the object that it holds, such as `scope.lines`. */
function rows(api: Api, schema: Schema, prefix = ""): HTMLElement[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const needed = schema.required?.includes(name) ? " (required)" : "";
    const row = html(
      "tr",
      {},
      html("td", {}, html("code", {}, prefix + name), needed),
      html("td", {}, typeOf(field)),
      html("td", {}, ...prose(field.description ?? "")),
    );
    const held = [field, ...(field.anyOf ?? [])].map((one) => one.items ?? one).filter((one) => one.$ref);
    const list = field.type === "array" ? "[]" : "";
    return [row, ...held.flatMap((one) => rows(api, resolved(api, one), `${prefix}${name}${list}.`))];
  });
}

function fields(api: Api, schema: Schema): HTMLElement {
  const names = ["Field", "Type", "Meaning"].map((name) => html("th", { scope: "col" }, name));
  const head = html("thead", {}, html("tr", {}, ...names));
  return html("div", { class: "wide" }, html("table", {}, head, html("tbody", {}, ...rows(api, schema))));
}

function section(api: Api, path: string, method: string, told: Operation): HTMLElement {
  const made = html("section", {}, html("h2", {}, `${method.toUpperCase()} ${path}`));
  made.append(html("p", {}, ...prose(told.description ?? "")));
  const body = resolved(api, told.requestBody?.content[JSON_TYPE]?.schema);
  if (body.properties) made.append(fields(api, body));
  for (const example of body.examples ?? [])
    made.append(html("pre", { tabindex: "0" }, JSON.stringify(example, null, 2)));
  for (const [status, answer] of Object.entries(told.responses)) {
    const details = html("details", {}, html("summary", {}, `${status} ${answer.description}`));
    const schema = answer.content?.[JSON_TYPE]?.schema;
    if (schema) details.append(fields(api, resolved(api, schema)));
    made.append(details);
  }
  return made;
}

fillHeader();
const api = (await (await request("/openapi.json")).json()) as Api;
byId("paths").append(
  ...Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => section(api, path, method, told)),
  ),
);
