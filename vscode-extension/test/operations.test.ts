import { expect, test } from "vitest";

import { Schema, nameOf, openFields } from "../src/model/operations";

const SCHEMA: Schema = {
  description: "Rename a function.",
  properties: {
    op: { const: "rename" },
    attributes: { type: "string", description: "which ones", enum: ["known", "all"], default: "known" },
    new: { type: "string", description: "the new name" },
    strings: { type: "boolean", description: "in strings too", default: false },
    target: { type: "string", description: "what to rename" },
    after: { type: ["string", "null"], description: "where it goes", default: null },
    value: { description: "any value" },
  },
  required: ["op", "target", "new", "value"],
};

test("an operation asks for the fields that are open, required ones first", () => {
  expect(nameOf(SCHEMA)).toBe("rename");
  const names = (given: object): string[] =>
    openFields(SCHEMA, { op: "rename", ...given }).map(({ name }) => name);
  expect(names({})).toEqual(["new", "target", "value", "attributes", "strings", "after"]);
  expect(names({ target: "load@4", value: 1 })).toEqual(["new", "attributes", "strings", "after"]);
});

test("a field says what it takes, and what it is where nothing is said", () => {
  const fields = Object.fromEntries(openFields(SCHEMA, {}).map((field) => [field.name, field]));
  expect(fields.attributes?.choices).toEqual(["known", "all"]);
  expect(fields.attributes?.doc).toBe("which ones (known)");
  expect(fields.strings?.choices).toEqual(["true", "false"]);
  expect(fields.after?.doc).toBe("where it goes");
});

test("what is typed becomes a value of the field's type", () => {
  const parse = (name: string, text: string): unknown =>
    openFields(SCHEMA, {})
      .find((field) => field.name === name)
      ?.parse(text);
  expect(parse("strings", "true")).toBe(true);
  expect(parse("new", "3")).toBe("3");
  expect(parse("value", "3")).toBe(3);
  expect(parse("value", "plain words")).toBe("plain words");
});
