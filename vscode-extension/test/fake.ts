/** An editor's buffer as the tests need one: it takes edits of characters, tells of what each step changed, and undoes. */

import { LineEdit, TextEdit, splitLines, toTextEdits } from "../src/model/lines";

const EOL = "\n";

export class FakeBuffer {
  lines: string[];
  onChange: (changes: readonly TextEdit[]) => void = () => {};
  private undone: TextEdit[][] = [];
  private done: TextEdit[][] = [];

  constructor(text: string) {
    this.lines = splitLines(text);
  }

  get text(): string {
    return this.lines.join(EOL);
  }

  /** One undo step of edits that all refer to the buffer before, in its order. */
  edit(edits: readonly TextEdit[]): void {
    this.done.push(this.apply(edits));
    this.undone = [];
  }

  editLines(edits: readonly LineEdit[]): void {
    if (edits.length) this.edit(toTextEdits(this.lines, edits, EOL));
  }

  undo(): boolean {
    return this.step(this.done, this.undone);
  }

  redo(): boolean {
    return this.step(this.undone, this.done);
  }

  private step(from: TextEdit[][], to: TextEdit[][]): boolean {
    const edits = from.pop();
    if (edits) to.push(this.apply(edits));
    return edits !== undefined;
  }

  /** Applies from the last to the first, as editors do; the edits that take them back, in the buffer's order. */
  private apply(edits: readonly TextEdit[]): TextEdit[] {
    const starts: number[] = [];
    const taken: string[] = [];
    const fromLast = [...edits].reverse();
    for (const edit of fromLast) {
      const text = this.text;
      const [start, end] = [this.offset(edit.start), this.offset(edit.end)];
      starts.unshift(start);
      taken.unshift(text.slice(start, end));
      this.lines = splitLines(text.slice(0, start) + edit.text + text.slice(end));
    }
    this.onChange(fromLast);
    let shift = 0;
    return edits.map((edit, i) => {
      const start = (starts[i] as number) + shift;
      shift += edit.text.length - (taken[i] as string).length;
      return {
        start: this.position(start),
        end: this.position(start + edit.text.length),
        text: taken[i] as string,
      };
    });
  }

  offset(position: { line: number; character: number }): number {
    const before = this.lines.slice(0, position.line).reduce((sum, line) => sum + line.length + 1, 0);
    return before + position.character;
  }

  position(offset: number): { line: number; character: number } {
    const before = splitLines(this.text.slice(0, offset));
    return { line: before.length - 1, character: (before.at(-1) as string).length };
  }
}
