/**
 * Reads one TypeScript file in the form that the rules of the tree need: imports, exports,
 * comments, functions and messages. The syntax comes from oxc-parser, so a word in a string or in a
 * template is never mistaken for a comment or an import.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Comment, type EcmaScriptModule, type Program, parseSync, Visitor } from 'oxc-parser';
import { SourceComments } from './source-comments.ts';
import type {
  ExportedName,
  FunctionSpan,
  ImportEdge,
  SourceFile,
  StringText,
} from './source-file.ts';

/**
 * Parses `text` as the file at `path`, relative to the repository.
 *
 * @throws {Error} If the text is not TypeScript; the message names the path.
 */
export function parseSource(path: string, text: string): SourceFile {
  const { program, comments, module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const found = new SourceComments(text, comments);
  return {
    path,
    text,
    code: blankComments(text, comments),
    lineCount: text.split('\n').length - 1,
    imports: listImports(path, text, module),
    exports: listExports(program, found),
    comments: found.all.map(({ line, isDocComment, text: own }) => ({
      line,
      isDocComment,
      text: own,
    })),
    ...listFunctionsAndStrings(text, program, found),
  };
}

/** Reads and parses the file at `path`, relative to `root`. */
export function readSource(root: string, path: string): SourceFile {
  return parseSource(path, readFileSync(join(root, path), 'utf8'));
}

function blankComments(text: string, comments: readonly Comment[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of comments) {
    pieces.push(text.slice(at, start), text.slice(start, end).replace(/[^\n]/g, ' '));
    at = end;
  }
  return pieces.join('') + text.slice(at);
}

function listImports(path: string, text: string, module: EcmaScriptModule): ImportEdge[] {
  const imports: ImportEdge[] = [];
  const addImport = (specifier: string, isTypeOnly: boolean) => {
    const target = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier;
    imports.push({ target, isTypeOnly });
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    addImport(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType));
  }
  for (const { entries } of module.staticExports) {
    const forwarded = entries.filter((entry) => entry.moduleRequest !== null);
    if (forwarded.length === 0) continue;
    const { value } = forwarded[0]!.moduleRequest!;
    addImport(
      value,
      forwarded.every(({ isType }) => isType),
    );
  }
  for (const { moduleRequest } of module.dynamicImports) {
    const literal = /^(['"])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end));
    if (literal) addImport(literal[2]!, false);
  }
  return imports;
}

function listExports(program: Program, comments: SourceComments): ExportedName[] {
  const exports: ExportedName[] = [];
  const startByName = new Map<string, number>();
  const addExport = (name: string, start: number) => {
    const comment = comments.before(start);
    const docComment = comment?.isDocComment ? comment.text : null;
    // Overloads declare a name several times. The first declaration has the comment.
    if (exports.some((other) => other.name === name)) return;
    exports.push({ name, line: comments.lineOf(start), docComment });
  };
  for (const statement of program.body) {
    if (statement.type === 'ExportNamedDeclaration') {
      if (statement.declaration) {
        for (const name of declaredNames(statement.declaration)) addExport(name, statement.start);
      } else if (statement.source === null) {
        for (const { local, exported } of statement.specifiers) {
          const start = startByName.get('name' in local ? local.name : '');
          if (start !== undefined) addExport('name' in exported ? exported.name : '', start);
        }
      }
    } else if (statement.type === 'ExportDefaultDeclaration') addExport('default', statement.start);
    else for (const name of declaredNames(statement)) startByName.set(name, statement.start);
  }
  return exports;
}

function declaredNames(node: object): string[] {
  const { declarations, id } = node as {
    declarations?: readonly { id: { name?: string } }[];
    id?: { name?: string } | null;
  };
  if (declarations !== undefined) return declarations.flatMap((declared) => declared.id.name ?? []);
  return id?.name === undefined ? [] : [id.name];
}

function listFunctionsAndStrings(text: string, program: Program, comments: SourceComments) {
  const functions: FunctionSpan[] = [];
  const strings: StringText[] = [];
  const addFunction = (name: string, start: number, bodyStart: number, end: number) => {
    const line = comments.lineOf(start);
    const bodyLine = comments.lineOf(bodyStart);
    const inside = comments.all.find((comment) => comment.line >= bodyLine && comment.end <= end);
    const isFirst = inside !== undefined && inside.line <= bodyLine + 1;
    const head = comments.before(start) ?? comments.before(text.lastIndexOf('export', start));
    const texts = [head?.text, isFirst ? inside.text : null].filter(Boolean);
    const lineCount = comments.lineOf(end) - line + 1;
    functions.push({ name, line, lineCount, headComment: texts.join('\n') || null });
  };
  const addString = (value: string, start: number) => {
    if (/\w \w/.test(value)) strings.push({ line: comments.lineOf(start), text: value });
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
      const { key, value } = node;
      const name = 'name' in key ? String(key.name) : text.slice(key.start, key.end);
      if (value.body) addFunction(name, node.start, value.body.start, node.end);
    },
    VariableDeclarator(node) {
      const { init } = node;
      if (init?.type !== 'ArrowFunctionExpression' && init?.type !== 'FunctionExpression') return;
      const name = 'name' in node.id ? node.id.name : '';
      addFunction(name, node.start, init.body!.start, node.end);
    },
  }).visit(program);
  return { functions, strings };
}
