/** Lines of an editor's buffer, and edits of whole lines. Knows nothing of VS Code. */

const MANY = 10_000; // more than a call takes as arguments everywhere

export interface Position {
  readonly line: number;
  readonly character: number;
}

/** Replaces the text from `start` to `end` by `text`. */
export interface TextEdit {
  readonly start: Position;
  readonly end: Position;
  readonly text: string;
}

/** Replaces the lines `start` up to but not including `stop`, counted from 0, by `lines`. */
export interface LineEdit {
  readonly start: number;
  readonly stop: number;
  readonly lines: readonly string[];
}

/**
 * The lines as an editor counts them: text that ends with a line end has an empty last line.
 * Form feed and U+2028 end no line.
 */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

export function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}

/** The lines after an edit; a buffer has at least one line. */
export function withEdit(lines: readonly string[], edit: LineEdit): string[] {
  const edited = lines.slice(0, edit.start).concat(edit.lines, lines.slice(edit.stop));
  return edited.length ? edited : [""];
}

/** The same within `lines`, which are given back; only very many new lines make others. */
export function edited(lines: string[], edit: LineEdit): string[] {
  if (edit.lines.length > MANY) return withEdit(lines, edit);
  lines.splice(edit.start, edit.stop - edit.start, ...edit.lines);
  if (!lines.length) lines.push("");
  return lines;
}

/**
 * Edits of whole lines, in their order, as the edits of characters that an editor takes, of which none overlaps
 * another: an edit takes the line ends behind its lines, and those before them where the last line has none behind.
 */
export function toTextEdits(lines: readonly string[], edits: readonly LineEdit[], eol: string): TextEdit[] {
  const texts: TextEdit[] = [];
  let [next, endTaken] = [lines.length, true];
  for (const edit of [...edits].reverse()) {
    endTaken &&= edit.stop === next && edit.stop > 0;
    texts.unshift(endTaken ? beforeEnd(lines, edit, eol) : withEnd(edit, eol));
    next = edit.start;
  }
  return texts;
}

function withEnd({ start, stop, lines }: LineEdit, eol: string): TextEdit {
  const text = lines.map((line) => line + eol).join("");
  return { start: { line: start, character: 0 }, end: { line: stop, character: 0 }, text };
}

function beforeEnd(lines: readonly string[], edit: LineEdit, eol: string): TextEdit {
  const end = endOf(lines, edit.stop - 1);
  if (!edit.start) return { start: { line: 0, character: 0 }, end, text: edit.lines.join(eol) };
  return { start: endOf(lines, edit.start - 1), end, text: edit.lines.map((line) => eol + line).join("") };
}

/**
 * A change of characters as a change of whole lines, without lines it leaves as they are.
 * `lines` are those before the change.
 */
export function toLineEdit(lines: readonly string[], change: TextEdit): LineEdit {
  const { start, end, text } = change;
  if (start.character === 0 && end.character === 0 && (text === "" || /[\r\n]$/.test(text))) {
    return { start: start.line, stop: end.line, lines: splitLines(text).slice(0, -1) };
  }
  const before = (lines[start.line] ?? "").slice(0, start.character);
  const after = (lines[end.line] ?? "").slice(end.character);
  return trimmed(lines, {
    start: start.line,
    stop: Math.min(end.line + 1, lines.length),
    lines: splitLines(before + text + after),
  });
}

function trimmed(lines: readonly string[], edit: LineEdit): LineEdit {
  const limit = Math.min(edit.stop - edit.start, edit.lines.length);
  let head = 0;
  while (head < limit && lines[edit.start + head] === edit.lines[head]) head++;
  let tail = 0;
  while (tail < limit - head && lines[edit.stop - 1 - tail] === edit.lines.at(-1 - tail)) tail++;
  return {
    start: edit.start + head,
    stop: edit.stop - tail,
    lines: edit.lines.slice(head, edit.lines.length - tail),
  };
}

function endOf(lines: readonly string[], line: number): Position {
  return { line, character: (lines[line] ?? "").length };
}
