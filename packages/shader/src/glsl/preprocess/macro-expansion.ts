/**
 * Macro expansion by Dave Prosser's algorithm, on which the C standard is based. Every token
 * carries the set of macros that it came from and that must not be expanded in it again.
 *
 * The work is bounded. Each token that an expansion produces is charged to a budget, at a higher
 * price the deeper it is nested. A macro bomb is therefore rejected within a fraction of a second
 * and does not fill the memory.
 */
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import type { Token } from './lexer.ts';

/** Linked list of macros, newest first. */
export interface HideSet {
  readonly macro: Macro;
  readonly rest: HideSet | null;
  readonly size: number;
}

/** Definition of a macro. */
export interface Macro {
  readonly name: string;
  /** Parameter names; null for an object-like macro. */
  readonly parameters: readonly string[] | null;
  readonly body: readonly Token[];
  readonly isPredefined: boolean;
  /**
   * Returns the text of a macro that depends on its position, such as `__LINE__`; null for others.
   */
  readonly textAt: ((token: Token) => string) | null;
}

/** Number of work units for all expansions of one source. */
const EXPANSION_BUDGET = 3_000_000;
/** Maximum nesting of macro calls inside the arguments of macro calls. */
const MAX_ARGUMENT_NESTING = 64;

/** Reads tokens from `readSource` and expands the macros of `macros` in them. */
export class MacroExpander {
  readonly #macros: ReadonlyMap<string, Macro>;
  readonly #log: DiagnosticLog;
  readonly #readSource: () => Token;
  /** Tokens produced by an expansion or read ahead; the last one is next. */
  readonly #pending: Token[] = [];
  #budget = EXPANSION_BUDGET;

  constructor(macros: ReadonlyMap<string, Macro>, readSource: () => Token, log: DiagnosticLog) {
    this.#macros = macros;
    this.#readSource = readSource;
    this.#log = log;
  }

  /** Returns the next token after expansion. */
  next(): Token {
    return this.#nextExpanded(this.#pending, this.#readSource, 0);
  }

  /** Expands the tokens of one directive, which end with the line. */
  expandLine(tokens: readonly Token[], end: Token): Token[] {
    return this.#expandAll(tokens, end, 0);
  }

  #expandAll(tokens: readonly Token[], end: Token, nesting: number): Token[] {
    const pending = tokens.toReversed();
    const result: Token[] = [];
    for (;;) {
      const token = this.#nextExpanded(pending, () => end, nesting);
      if (token.kind === 'end') return result;
      result.push(token);
    }
  }

  #nextExpanded(pending: Token[], readMore: () => Token, nesting: number): Token {
    for (;;) {
      const token = pending.pop() ?? readMore();
      if (token.kind !== 'identifier') return token;
      const macro = this.#macros.get(token.text);
      if (macro === undefined || isHidden(token.hideSet, macro)) return token;
      if (macro.textAt !== null) {
        return { ...token, kind: 'number', text: macro.textAt(token) };
      }
      if (macro.parameters === null) {
        this.#pushBody(pending, token, macro.body, addToHideSet(token.hideSet, macro));
        continue;
      }
      const following = pending.pop() ?? readMore();
      if (following.text !== '(') {
        pending.push(following);
        return token;
      }
      this.#expandCall(pending, readMore, token, macro, nesting);
    }
  }

  #expandCall(
    pending: Token[],
    readMore: () => Token,
    name: Token,
    macro: Macro,
    nesting: number,
  ): void {
    const parameters = macro.parameters!;
    const collected = this.#collectArguments(pending, readMore, name);
    if (collected === null) return;
    const { args, close } = collected;
    // `f()` is a call without arguments, or with one empty argument if the macro has one parameter.
    if (parameters.length === 0 && args.length === 1 && args[0]!.length === 0) args.pop();
    if (args.length !== parameters.length) {
      const fault = args.length < parameters.length ? 'not enough' : 'too many';
      this.#log.error(name, name.text, `${fault} arguments for macro`);
      return;
    }
    if (nesting >= MAX_ARGUMENT_NESTING) {
      this.#log.abort(name, name.text, 'macro calls are nested too deeply');
    }
    const end: Token = { ...close, kind: 'end', text: '' };
    const expanded: (Token[] | undefined)[] = new Array(args.length);
    const body: Token[] = [];
    for (const token of macro.body) {
      const index = token.kind === 'identifier' ? parameters.indexOf(token.text) : -1;
      if (index < 0) {
        body.push(token);
        continue;
      }
      expanded[index] ??= this.#expandAll(args[index]!, end, nesting + 1);
      this.#spend(expanded[index].length, name);
      for (const argumentToken of expanded[index]) body.push(argumentToken);
    }
    const common = intersectHideSets(name.hideSet, close.hideSet);
    // `__LINE__` in a body is the line on which the call ends.
    this.#pushBody(pending, close, body, addToHideSet(common, macro));
  }

  #collectArguments(
    pending: Token[],
    readMore: () => Token,
    name: Token,
  ): { args: Token[][]; close: Token } | null {
    const args: Token[][] = [[]];
    let depth = 0;
    for (;;) {
      const token = pending.pop() ?? readMore();
      this.#spend(1, name);
      if (token.kind === 'end') {
        this.#log.error(name, name.text, 'unterminated macro call');
        pending.push(token);
        return null;
      }
      if (token.text === ')' && depth === 0) return { args, close: token };
      if (token.text === ',' && depth === 0) {
        args.push([]);
        continue;
      }
      if (token.text === '(') depth++;
      else if (token.text === ')') depth--;
      args.at(-1)!.push(token);
    }
  }

  #pushBody(pending: Token[], place: Token, body: readonly Token[], hideSet: HideSet): void {
    this.#spend(body.length * (1 + hideSet.size), place);
    for (let i = body.length - 1; i >= 0; i--) {
      const token = body[i]!;
      pending.push({
        ...token,
        source: place.source,
        line: place.line,
        row: place.row,
        column: place.column,
        hideSet: token.hideSet === null ? hideSet : uniteHideSets(token.hideSet, hideSet),
      });
    }
  }

  #spend(units: number, position: Token): void {
    this.#budget -= units;
    if (this.#budget < 0) {
      this.#log.abort(position, position.text, 'macro expansion is too large');
    }
  }
}

function isHidden(set: HideSet | null, macro: Macro): boolean {
  for (let entry = set; entry !== null; entry = entry.rest) if (entry.macro === macro) return true;
  return false;
}

function addToHideSet(set: HideSet | null, macro: Macro): HideSet {
  return { macro, rest: set, size: (set?.size ?? 0) + 1 };
}

function uniteHideSets(a: HideSet, b: HideSet): HideSet {
  let result = b;
  for (let entry: HideSet | null = a; entry !== null; entry = entry.rest) {
    if (!isHidden(b, entry.macro)) result = addToHideSet(result, entry.macro);
  }
  return result;
}

function intersectHideSets(a: HideSet | null, b: HideSet | null): HideSet | null {
  let result: HideSet | null = null;
  for (let entry = a; entry !== null; entry = entry.rest) {
    if (isHidden(b, entry.macro)) result = addToHideSet(result, entry.macro);
  }
  return result;
}
