/** `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else` and `#endif` (GLSL ES 3.00 section 3.4). */
import type { SourcePosition } from '../../tree/checked-tree.ts';
import type { DiagnosticLog } from '../../tree/diagnostics.ts';
import {
  ConditionalExpressionError,
  evaluateConditionalExpression,
} from './conditional-expression.ts';
import type { DirectiveLine } from './directive-line.ts';
import type { Lexer, Token } from './lexer.ts';
import type { MacroExpander } from './macro-expansion.ts';
import type { MacroTable } from './macro-table.ts';

interface ConditionalGroup {
  readonly position: SourcePosition;
  /** Whether one of its branches has been read. */
  wasTaken: boolean;
  hasElse: boolean;
}

const MAX_CONDITIONAL_NESTING = 1024;
/** Properties of the source, besides its macros, that conditions depend on. */
export interface ConditionOptions {
  /** Whether `defined` produced by a macro is an error. */
  readonly isWebGl: boolean;
  readonly isEs: () => boolean;
}

/** Handles conditional directives and skips the text that they exclude. */
export class ConditionalDirectives {
  readonly #lexer: Lexer;
  readonly #line: DirectiveLine;
  readonly #log: DiagnosticLog;
  readonly #macros: MacroTable;
  readonly #expander: MacroExpander;
  readonly #options: ConditionOptions;
  readonly #groups: ConditionalGroup[] = [];

  constructor(
    lexer: Lexer,
    line: DirectiveLine,
    log: DiagnosticLog,
    macros: MacroTable,
    expander: MacroExpander,
    options: ConditionOptions,
  ) {
    this.#lexer = lexer;
    this.#line = line;
    this.#log = log;
    this.#macros = macros;
    this.#expander = expander;
    this.#options = options;
  }

  /** Position of the innermost open conditional; null outside of all. */
  get openPosition(): SourcePosition | null {
    return this.#groups.at(-1)?.position ?? null;
  }

  /** Handles `#if`, `#ifdef` and `#ifndef`. */
  open(directive: Token): void {
    if (this.#groups.length >= MAX_CONDITIONAL_NESTING) {
      this.#log.abort(directive, `#${directive.text}`, 'conditionals are nested too deeply');
    }
    const isTrue = this.#readCondition(directive);
    this.#groups.push({
      position: directive,
      wasTaken: isTrue,
      hasElse: false,
    });
    if (!isTrue) this.#skipGroup();
  }

  /**
   * Handles `#elif` and `#else` after a branch that was read. The remaining branches are skipped.
   */
  continue(directive: Token): void {
    const group = this.#groups.at(-1);
    if (group === undefined) {
      this.#log.error(directive, `#${directive.text}`, 'directive without #if');
      return;
    }
    if (group.hasElse) {
      this.#log.error(directive, `#${directive.text}`, 'directive after #else');
    }
    if (directive.text === 'else') {
      group.hasElse = true;
      this.#line.refuseRest('else');
    }
    this.#skipGroup();
  }

  /** Handles `#endif`. */
  close(directive: Token): void {
    if (this.#groups.pop() === undefined) {
      this.#log.error(directive, '#endif', 'directive without #if');
    }
    this.#line.refuseRest('endif');
  }

  /** Skips lines until a branch of the innermost group is to be read or the group ends. */
  #skipGroup(): void {
    const group = this.#groups.at(-1)!;
    let depth = 0;
    for (;;) {
      this.#lexer.skipLine();
      const token = this.#lexer.next();
      if (token.kind === 'end') return;
      if (token.text !== '#' || !token.startsLine) continue;
      const name = this.#line.next();
      switch (name?.text) {
        case 'if':
        case 'ifdef':
        case 'ifndef':
          depth++;
          if (depth + this.#groups.length > MAX_CONDITIONAL_NESTING) {
            this.#log.abort(token, `#${name.text}`, 'conditionals are nested too deeply');
          }
          break;
        case 'else':
          if (depth > 0) break;
          if (group.hasElse) this.#log.error(name, '#else', 'directive after #else');
          group.hasElse = true;
          this.#line.refuseRest('else');
          if (!group.wasTaken) {
            group.wasTaken = true;
            return;
          }
          break;
        case 'elif':
          if (depth > 0) break;
          if (group.hasElse) this.#log.error(name, '#elif', 'directive after #else');
          if (!group.wasTaken && this.#readCondition(name)) {
            group.wasTaken = true;
            return;
          }
          break;
        case 'endif':
          if (depth === 0) {
            this.#groups.pop();
            this.#line.refuseRest('endif');
            return;
          }
          depth--;
          break;
        default:
      }
    }
  }

  #readCondition(directive: Token): boolean {
    if (directive.text === 'ifdef' || directive.text === 'ifndef') {
      const name = this.#line.next();
      if (name === null || name.kind !== 'identifier') {
        this.#log.error(name ?? directive, `#${directive.text}`, 'a macro name is expected');
        return false;
      }
      this.#line.refuseRest(directive.text);
      return this.#macros.byName.has(name.text) === (directive.text === 'ifdef');
    }
    const tokens = this.#line.restOfLine();
    const end = this.#line.endOfLine(directive);
    try {
      const resolved = this.#expander.expandLine(this.#replaceDefined(tokens, end), end);
      // Outside WebGL, `defined` may also come from the body of a macro.
      const final = this.#options.isWebGl ? resolved : this.#replaceDefined(resolved, end);
      return evaluateConditionalExpression(final, end, !this.#options.isEs()) !== 0;
    } catch (error) {
      if (!(error instanceof ConditionalExpressionError)) throw error;
      this.#log.error(error.token, error.token.text, error.message);
      return false;
    }
  }

  #replaceDefined(tokens: readonly Token[], end: Token): Token[] {
    const result: Token[] = [];
    for (let i = 0; i < tokens.length; i++) {
      const token = tokens[i]!;
      if (token.text !== 'defined') {
        result.push(token);
        continue;
      }
      const hasParentheses = tokens[i + 1]?.text === '(';
      if (hasParentheses) i++;
      i++;
      const name = tokens[i] ?? end;
      if (name.kind !== 'identifier') {
        throw new ConditionalExpressionError(name, 'a macro name is expected after defined');
      }
      if (hasParentheses) {
        i++;
        const close = tokens[i] ?? end;
        if (close.text !== ')') throw new ConditionalExpressionError(close, "')' expected");
      }
      result.push({
        ...name,
        kind: 'number',
        text: this.#macros.byName.has(name.text) ? '1' : '0',
      });
    }
    return result;
  }
}
