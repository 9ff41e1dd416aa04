/**
 * Reads one TypeScript file the way the rules of the tree need it: what it imports, what it
 * exports, its comments and its functions. The syntax comes from oxc-parser, so a word in a string
 * or in a template is never taken for a comment or an import.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Comment, parseSync, Visitor } from 'oxc-parser';

/** Import or re-export of one module by another. */
export interface ImportEdge {
  /**
   * Path of the imported file relative to the repository, or the specifier if it is not relative.
   */
  readonly target: string;
  /** Whether only types are imported, so that nothing is loaded at run time. */
  readonly isTypeOnly: boolean;
}

/** Exported declaration of a file. */
export interface ExportedName {
  readonly name: string;
  readonly line: number;
  /** Text of the doc comment that precedes the declaration, or null if there is none. */
  readonly docComment: string | null;
}

/** Adjacent line comments, or one block comment. */
export interface CommentText {
  /** Line of the comment's first character, from 1. */
  readonly line: number;
  readonly isDocComment: boolean;
  /** Text without comment marks; lines are separated by `\n`. */
  readonly text: string;
}

/** Function, method, accessor or constructor with a body. */
export interface FunctionSpan {
  readonly name: string;
  readonly line: number;
  readonly lineCount: number;
  /** Comments before the function and at the start of its body: the place for a reason. */
  readonly headComment: string | null;
}

/** Literal of more than one word: a message, a label, help. */
export interface StringText {
  readonly line: number;
  readonly text: string;
}

/** One file as the rules see it. */
export interface SourceFile {
  /** Path relative to the repository. */
  readonly path: string;
  readonly text: string;
  /** The text with every comment blanked, of the same length. */
  readonly code: string;
  readonly lineCount: number;
  readonly imports: readonly ImportEdge[];
  readonly exports: readonly ExportedName[];
  readonly comments: readonly CommentText[];
  readonly functions: readonly FunctionSpan[];
  readonly strings: readonly StringText[];
}

const MARKS = /^\s*(?:\/\*\*?|\*(?!\/)|\/\/+)? ?|\s*\*\/\s*$/g;

function cleanComment(raw: string): string {
  return raw
    .split('\n')
    .map((line) => line.replace(MARKS, ''))
    .join('\n')
    .trim();
}

/** Joins line comments that follow each other at the same indentation. */
function groupComments(text: string, comments: readonly Comment[], lineOf: (at: number) => number) {
  const groups: (CommentText & { end: number; isLine: boolean; column: number })[] = [];
  for (const { type, start, end } of comments) {
    const isLine = type === 'Line';
    const lineStart = text.lastIndexOf('\n', start - 1) + 1;
    const stands = text.slice(lineStart, start).trim() === '';
    const column = stands ? start - lineStart : -1;
    const cleaned = cleanComment(text.slice(start, end));
    const last = groups.at(-1);
    const continues =
      isLine &&
      last?.isLine === true &&
      column >= 0 &&
      last.column === column &&
      /^\n\s*$/.test(text.slice(last.end, start));
    if (continues) {
      groups[groups.length - 1] = { ...last, text: `${last.text}\n${cleaned}`, end };
      continue;
    }
    const isDocComment = text.startsWith('/**', start);
    groups.push({ line: lineOf(start), isDocComment, text: cleaned, end, isLine, column });
  }
  return groups;
}

/**
 * Parses `text` as the file at `path`, relative to the repository.
 *
 * @throws {Error} If the text is not TypeScript; the message names the path.
 */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const lineStarts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    lineStarts.push(at + 1);
  const lineOf = (at: number) => {
    let low = 0;
    let high = lineStarts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (lineStarts[middle]! <= at) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  };
  const groups = groupComments(text, comments, lineOf);
  const commentBefore = (at: number) => {
    const before = groups.findLast(({ end }) => end <= at);
    return before !== undefined && text.slice(before.end, at).trim() === '' ? before : null;
  };

  const resolveTarget = (specifier: string) =>
    specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
  const imports: ImportEdge[] = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const isTypeOnly = entries.length > 0 && entries.every(({ isType }) => isType);
    imports.push({ target: resolveTarget(moduleRequest.value), isTypeOnly });
  }
  for (const { entries } of module.staticExports) {
    const forwarded = entries.filter((entry) => entry.moduleRequest !== null);
    if (forwarded.length === 0) continue;
    const isTypeOnly = forwarded.every(({ isType }) => isType);
    imports.push({ target: resolveTarget(forwarded[0]!.moduleRequest!.value), isTypeOnly });
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const specifier = /^(['"])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (specifier) imports.push({ target: resolveTarget(specifier[2]!), isTypeOnly: false });
  }

  const exports: ExportedName[] = [];
  const declarations = new Map<string, number>();
  const namesOf = (node: { type: string; id?: unknown; declarations?: unknown }): string[] => {
    if (node.type === 'VariableDeclaration') {
      const { declarations: list } = node as { declarations: { id: { name?: string } }[] };
      return list.flatMap(({ id }) => id.name ?? []);
    }
    const { id } = node as { id?: { name?: string } | null };
    return id?.name === undefined ? [] : [id.name];
  };
  const addExport = (name: string, start: number) => {
    const comment = commentBefore(start);
    const docComment = comment?.isDocComment ? comment.text : null;
    // Overloads of one name are declared several times; the first one carries the comment.
    if (exports.some((other) => other.name === name)) return;
    exports.push({ name, line: lineOf(start), docComment });
  };
  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration) {
        for (const name of namesOf(statement.declaration)) addExport(name, statement.start);
      } else if (statement.source === null) {
        for (const { local, exported } of statement.specifiers) {
          const start = declarations.get('name' in local ? local.name : '');
          if (start !== undefined) addExport('name' in exported ? exported.name : '', start);
        }
      }
    } else if (statement.type === 'ExportDefaultDeclaration') addExport('default', statement.start);
    else for (const name of namesOf(statement as never)) declarations.set(name, statement.start);
  }

  const functions: FunctionSpan[] = [];
  const addFunction = (name: string, start: number, bodyStart: number, end: number) => {
    const line = lineOf(start);
    const inside = groups.find((group) => group.line >= lineOf(bodyStart) && group.end <= end);
    const isFirst = inside !== undefined && inside.line <= lineOf(bodyStart) + 1;
    const head =
      commentBefore(start)?.text ?? commentBefore(text.lastIndexOf('export', start))?.text;
    const headComment = [head, isFirst ? inside.text : null].filter(Boolean).join('\n') || null;
    functions.push({ name, line, lineCount: lineOf(end) - line + 1, headComment });
  };
  const keyName = (key: { type: string; name?: string; value?: unknown }) =>
    key.name ?? String(key.value ?? key.type);
  const strings: StringText[] = [];
  const addString = (value: string, start: number) => {
    if (/\w \w/.test(value)) strings.push({ line: lineOf(start), text: value });
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') addString(node.value, node.start);
    },
    TemplateElement(node) {
      addString(node.value.raw, node.start);
    },
    FunctionDeclaration(node) {
      if (node.body) addFunction(node.id?.name ?? 'default', node.start, node.body.start, node.end);
    },
    MethodDefinition(node) {
      const { body } = node.value;
      if (body) addFunction(keyName(node.key as never), node.start, body.start, node.end);
    },
    VariableDeclarator(node) {
      const { init } = node;
      if (init?.type !== 'ArrowFunctionExpression' && init?.type !== 'FunctionExpression') return;
      const name = 'name' in node.id ? node.id.name : '';
      addFunction(name, node.start, init.body!.start, node.end);
    },
  }).visit(program);

  let code = text;
  for (const { start, end } of comments) {
    code = code.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + code.slice(end);
  }
  return {
    path,
    text,
    code,
    lineCount: text.split('\n').length - 1,
    imports,
    exports,
    comments: groups.map(({ line, isDocComment, text: cleaned }) => ({
      line,
      isDocComment,
      text: cleaned,
    })),
    functions,
    strings,
  };
}

/** Reads and parses the file at `path`, relative to `root`. */
export function readSource(root: string, path: string): SourceFile {
  return parseSource(path, readFileSync(join(root, path), 'utf8'));
}
