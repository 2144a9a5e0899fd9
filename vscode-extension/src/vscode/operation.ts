/** Asks for an operation and its fields. */

import * as vscode from "vscode";

import { Field, Listed, Operation, Schema, nameOf, openFields } from "../model/operations";

/** The whole operation, of which `given` may be a part. Undefined where the person leaves. */
export async function askOperation(listed: Listed, given?: Operation): Promise<Operation | undefined> {
  const known = listed.operations.find((schema) => nameOf(schema) === given?.op);
  const schema = known ?? (await pickOperation(listed.operations));
  if (!schema) return undefined;
  const operation: Record<string, unknown> & Operation = { ...(known && given), op: nameOf(schema) };
  const ask = async (fields: readonly Field[]): Promise<boolean> => {
    for (const field of fields) {
      const value = await askField(operation.op, field, listed.suggested[field.name]);
      if (value === undefined) return false;
      operation[field.name] = field.parse(value);
    }
    return true;
  };
  const fields = openFields(schema, operation);
  if (!(await ask(fields.filter(({ required }) => required)))) return undefined;
  const wanted = await pickOptional(operation.op, fields);
  return wanted && (await ask(wanted)) ? operation : undefined;
}

async function pickOperation(operations: readonly Schema[]): Promise<Schema | undefined> {
  const picks = operations.map((schema) => ({ label: nameOf(schema), detail: schema.description, schema }));
  const options = { title: "FastEdit: operation", matchOnDetail: true };
  return (await vscode.window.showQuickPick(picks, options))?.schema;
}

/** Those of the fields that need not be given that the person wants to give. */
async function pickOptional(operation: string, fields: readonly Field[]): Promise<Field[] | undefined> {
  const picks = fields
    .filter(({ required }) => !required)
    .map((field) => ({ label: field.name, detail: field.doc, field }));
  if (!picks.length) return [];
  const placeHolder = "Tick what else you want to say, or go on";
  const options = { title: `FastEdit: ${operation}`, placeHolder, canPickMany: true } as const;
  return (await vscode.window.showQuickPick(picks, options))?.map(({ field }) => field);
}

async function askField(operation: string, field: Field, value = ""): Promise<string | undefined> {
  const title = `FastEdit: ${operation}, ${field.name}`;
  if (field.choices.length)
    return vscode.window.showQuickPick([...field.choices], { title, placeHolder: field.doc });
  return vscode.window.showInputBox({
    title,
    prompt: field.doc,
    value,
    validateInput: (text) => (text.trim() ? undefined : "Give it a value"),
  });
}
