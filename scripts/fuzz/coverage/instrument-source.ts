/**
 * Inserts a counter into every branch of a module, as AFL's compiler does ("American Fuzzy Lop",
 * technical details). The text keeps its lines, so stacks still name the right ones.
 *
 * A branch is the body of a function, an arm of an `if` (also an absent `else`), of `?:` or of a
 * `switch`, the right side of `&&`, `||` and `??`, the body of a loop, a `catch`, or a default
 * value.
 */
import { parseSync } from 'oxc-parser';

/** Place of a branch in its file. */
export interface BranchPlace {
  /** Line of the branch, from 1. */
  readonly line: number;
  readonly kind:
    | 'function'
    | 'if'
    | 'else'
    | 'choice'
    | 'case'
    | 'right'
    | 'loop'
    | 'catch'
    | 'default';
  /** Text of the first line from the branch on. */
  readonly text: string;
  /** Name of the innermost function with a name around the branch; empty outside of functions. */
  readonly owner: string;
}

/** Instrumented module. */
export interface InstrumentedSource {
  readonly text: string;
  /** Branches in the order of their numbers. */
  readonly branches: readonly BranchPlace[];
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

const LOOPS = [
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'WhileStatement',
  'DoWhileStatement',
];
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
/** Assignments whose right side is conditional. */
const LOGICAL_ASSIGNMENTS: readonly unknown[] = ['&&=', '||=', '??='];

/**
 * Instruments the text of a module without types.
 *
 * @param firstNumber Number of the first branch in the table of hits of the process.
 * @throws {Error} If the text is not JavaScript.
 */
export function instrumentSource(
  path: string,
  source: string,
  firstNumber: number,
): InstrumentedSource {
  const { program, errors } = parseSync(path, source, { lang: 'js', sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]!.message}`);
  const instrumenter = new Instrumenter(source, firstNumber);
  instrumenter.visit(program as unknown as SyntaxNode);
  return { text: `${HEAD}${instrumenter.insertAll()}`, branches: instrumenter.branches };
}

const HEAD = 'const $hits=globalThis.$tesseraHits,$reach=globalThis.$tesseraReach;';

class Instrumenter {
  readonly branches: BranchPlace[] = [];
  readonly #source: string;
  readonly #firstNumber: number;
  readonly #insertions: { readonly at: number; readonly text: string }[] = [];
  #owner = '';
  #lineAt = 0;
  #line = 1;

  constructor(source: string, firstNumber: number) {
    this.#source = source;
    this.#firstNumber = firstNumber;
  }

  visit(node: SyntaxNode): void {
    const { type } = node;
    const child = (key: string) => (node[key] ?? null) as SyntaxNode | null;
    if (type === 'MethodDefinition' || type === 'PropertyDefinition') {
      this.#visitNamed(child('key')!.name, () => this.#visitPart(node.value));
    } else if (FUNCTIONS.includes(type) && child('id') !== null) {
      this.#visitNamed(child('id')!.name, () => this.visit({ ...node, id: null }));
    } else if (FUNCTIONS.includes(type)) {
      for (const parameter of node.params as SyntaxNode[]) this.visit(parameter);
      const body = child('body')!;
      if (body.type === 'BlockStatement') this.#enterBlock(body, 'function');
      else this.#wrapExpression(body, 'function');
    } else if (type === 'IfStatement') {
      this.visit(child('test')!);
      this.#enterStatement(child('consequent')!, 'if');
      const alternate = child('alternate');
      if (alternate !== null) this.#enterStatement(alternate, 'else');
      else this.#insert(node.end, ` else ${this.#count(node.start, 'else')};`);
    } else if (type === 'ConditionalExpression') {
      this.visit(child('test')!);
      this.#wrapExpression(child('consequent')!, 'choice');
      this.#wrapExpression(child('alternate')!, 'choice');
    } else if (
      type === 'LogicalExpression' ||
      type === 'AssignmentPattern' ||
      (type === 'AssignmentExpression' && LOGICAL_ASSIGNMENTS.includes(node.operator))
    ) {
      this.visit(child('left')!);
      this.#wrapExpression(child('right')!, type === 'AssignmentPattern' ? 'default' : 'right');
    } else if (type === 'SwitchCase') {
      const consequent = node.consequent as SyntaxNode[];
      if (child('test') !== null) this.visit(child('test')!);
      const at = consequent[0]?.start ?? node.end;
      this.#insert(at, `${this.#count(node.start, 'case')};`);
      for (const statement of consequent) this.visit(statement);
    } else if (type === 'CatchClause') {
      this.#enterBlock(child('body')!, 'catch');
    } else if (LOOPS.includes(type)) {
      for (const [key, part] of Object.entries(node)) if (key !== 'body') this.#visitPart(part);
      this.#enterStatement(child('body')!, 'loop');
    } else {
      for (const part of Object.values(node)) this.#visitPart(part);
    }
  }

  /** Returns the text with all insertions. */
  insertAll(): string {
    // Insertions at one place keep their order, because the sort is stable.
    const sorted = this.#insertions.toSorted((a, b) => a.at - b.at);
    const pieces: string[] = [];
    let from = 0;
    for (const { at, text } of sorted) {
      pieces.push(this.#source.slice(from, at), text);
      from = at;
    }
    return pieces.join('') + this.#source.slice(from);
  }

  #visitNamed(name: unknown, visit: () => void): void {
    const outer = this.#owner;
    this.#owner = String(name);
    visit();
    this.#owner = outer;
  }

  #visitPart(part: unknown): void {
    if (Array.isArray(part)) for (const element of part) this.#visitPart(element);
    else if (typeof part === 'object' && part !== null && 'type' in part)
      this.visit(part as SyntaxNode);
  }

  #enterBlock(block: SyntaxNode, kind: BranchPlace['kind']): void {
    this.#insert(block.start + 1, `${this.#count(block.start, kind)};`);
    this.#visitPart(block.body);
  }

  #enterStatement(statement: SyntaxNode, kind: BranchPlace['kind']): void {
    if (statement.type === 'BlockStatement') {
      this.#enterBlock(statement, kind);
      return;
    }
    this.#insert(statement.start, `{${this.#count(statement.start, kind)};`);
    this.visit(statement);
    this.#insert(statement.end, '}');
  }

  #wrapExpression(expression: SyntaxNode, kind: BranchPlace['kind']): void {
    this.#insert(expression.start, `(${this.#count(expression.start, kind)},`);
    this.visit(expression);
    this.#insert(expression.end, ')');
  }

  #insert(at: number, text: string): void {
    this.#insertions.push({ at, text });
  }

  #count(at: number, kind: BranchPlace['kind']): string {
    const number = this.#firstNumber + this.branches.length;
    const lineEnd = this.#source.indexOf('\n', at);
    const text = this.#source.slice(at, lineEnd < 0 ? undefined : lineEnd).trim();
    this.branches.push({ line: this.#lineOf(at), kind, text, owner: this.#owner });
    return `$hits[${number}]||$reach(${number})`;
  }

  /** Returns the line of a place. Places come almost in order. */
  #lineOf(at: number): number {
    if (at < this.#lineAt) [this.#lineAt, this.#line] = [0, 1];
    for (let next: number; ; ) {
      next = this.#source.indexOf('\n', this.#lineAt);
      if (next < 0 || next >= at) return this.#line;
      this.#lineAt = next + 1;
      this.#line++;
    }
  }
}
