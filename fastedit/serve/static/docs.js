// The API's page, from /openapi.json alone: each path with its fields, an example to copy, and its answers.
const made = (tag, text = "", ...inside) => {
  const element = Object.assign(document.createElement(tag), { textContent: text });
  element.append(...inside);
  return element;
};

function resolved(api, schema) {
  const name = schema?.$ref?.split("/").at(-1);
  return name ? api.components.schemas[name] : (schema ?? {});
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.anyOf) return [...new Set(schema.anyOf.map(typeOf))].join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  return schema.type === "array" ? `${typeOf(schema.items ?? {})}[]` : (schema.type ?? "any");
}

function fields(schema) {
  const table = made("table");
  table.createTHead().append(made("tr", "", made("th", "field"), made("th", "type"), made("th", "meaning")));
  const rows = table.createTBody();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const needed = schema.required?.includes(name) ? " (required)" : "";
    rows.append(made("tr", "", made("td", name + needed), made("td", typeOf(field)), made("td", field.description)));
  }
  return table;
}

function operation(api, path, method, told) {
  const section = made("section", "", made("h2", `${method.toUpperCase()} ${path}`), made("p", told.description));
  const body = resolved(api, told.requestBody?.content["application/json"]?.schema);
  if (body.properties) section.append(fields(body));
  for (const example of body.examples ?? []) section.append(made("pre", JSON.stringify(example, null, 2)));
  for (const [status, answer] of Object.entries(told.responses)) {
    const schema = answer.content?.["application/json"]?.schema;
    const details = made("details", "", made("summary", `${status} ${answer.description}`));
    if (schema) details.append(fields(resolved(api, schema)));
    section.append(details);
  }
  return section;
}

const answer = await fetch("/openapi.json");
const api = await answer.json();
document.getElementById("paths").append(
  ...Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, told]) => operation(api, path, method, told)),
  ),
);
