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

function fields(schema: Schema): HTMLElement {
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const needed = schema.required?.includes(name) ? " (required)" : "";
    return html(
      "tr",
      {},
      html("td", {}, html("code", {}, name), needed),
      html("td", {}, typeOf(field)),
      html("td", {}, field.description ?? ""),
    );
  });
  const head = html(
    "tr",
    {},
    ...["Field", "Type", "Meaning"].map((name) => html("th", { scope: "col" }, name)),
  );
  return html(
    "div",
    { class: "wide" },
    html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows)),
  );
}

function section(api: Api, path: string, method: string, told: Operation): HTMLElement {
  const made = html("section", {}, html("h2", {}, `${method.toUpperCase()} ${path}`));
  made.append(html("p", {}, told.description ?? ""));
  const body = resolved(api, told.requestBody?.content[JSON_TYPE]?.schema);
  if (body.properties) made.append(fields(body));
  for (const example of body.examples ?? []) made.append(html("pre", {}, JSON.stringify(example, null, 2)));
  for (const [status, answer] of Object.entries(told.responses)) {
    const details = html("details", {}, html("summary", {}, `${status} ${answer.description}`));
    const schema = answer.content?.[JSON_TYPE]?.schema;
    if (schema) details.append(fields(resolved(api, schema)));
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
