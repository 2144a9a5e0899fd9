// What all editors of the playground share: languages by file name, colours from the style sheet, accessible names.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { css } from "@codemirror/lang-css";
import { go } from "@codemirror/lang-go";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { python } from "@codemirror/lang-python";
import { yaml } from "@codemirror/lang-yaml";
import {
  HighlightStyle,
  indentUnit,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from "@codemirror/language";
import { c, cpp, csharp, java } from "@codemirror/legacy-modes/mode/clike";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";

// Of some languages a full grammar would take a tenth of the bundle each; a tokenizer colours them as well.
const tokenized = (parser: StreamParser<unknown>) => (): Extension => StreamLanguage.define(parser);
const LANGUAGES: [RegExp, () => Extension][] = [
  [/\.pyi?$/, python],
  [/\.[mc]?jsx?$/, () => javascript({ jsx: true })],
  [/\.[mc]?tsx?$/, () => javascript({ jsx: true, typescript: true })],
  [/\.go$/, go],
  [/\.rs$/, tokenized(rust)],
  [/\.java$/, tokenized(java)],
  [/\.[ch]$/, tokenized(c)],
  [/\.(cc|cpp|cxx|hh|hpp)$/, tokenized(cpp)],
  [/\.cs$/, tokenized(csharp)],
  [/\.(ba|z)?sh$/, tokenized(shell)],
  [/\.toml$/, tokenized(toml)],
  [/\.json$/, json],
  [/\.ya?ml$/, yaml],
  [/\.(css|scss)$/, css],
];

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: "var(--syntax-keyword)" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--syntax-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--syntax-number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  {
    tag: [
      tags.function(tags.variableName),
      tags.function(tags.propertyName),
      tags.definition(tags.propertyName),
    ],
    color: "var(--syntax-name)",
  },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace], color: "var(--syntax-type)" },
  { tag: [tags.meta, tags.annotation], color: "var(--syntax-number)" },
]);

const THEME = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--panel)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", border: "none" },
  ".cm-activeLine": { backgroundColor: "transparent" },
  "&.cm-focused .cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--text) 4%, transparent)" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-placeholder": { color: "var(--soft)", whiteSpace: "pre-wrap" },
});

function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')!.content;
}

/** Extensions of every editor; `label` is its name for screen readers. */
export function common(path: string, label: string): Extension[] {
  const language = LANGUAGES.find(([name]) => name.test(path))?.[1]() ?? [];
  return [
    EditorView.cspNonce.of(nonce()),
    EditorView.contentAttributes.of({ "aria-label": label }),
    THEME,
    syntaxHighlighting(HIGHLIGHT),
    lineNumbers(),
    language,
  ];
}

/** A state to type in. Escape then Tab leaves the editor, as everywhere in CodeMirror. */
export function typed(
  text: string,
  path: string,
  label: string,
  hint: string,
  changed: () => void,
): EditorState {
  return EditorState.create({
    doc: text,
    extensions: [
      common(path, label),
      history(),
      indentUnit.of("    "),
      highlightActiveLine(),
      placeholder(hint),
      keymap.of([...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"), ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed();
      }),
    ],
  });
}

/** Extensions of text that is only read; it still takes the focus, to be scrolled by key. */
export function readOnly(path: string, label: string): Extension[] {
  return [
    ...common(path, label),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: "0", role: "textbox", "aria-readonly": "true" }),
  ];
}
