/**
 * Evaluates the expressions of `#if` and `#elif` (GLSL ES 3.00 section 3.4) with 32-bit integers
 * and the operators of C. Operands that `&&` and `||` skip are parsed but their errors do not
 * count.
 */
import type { Token } from './lexer.ts';

/** Error in an expression, with the offending token. */
export class ConditionalExpressionError extends Error {
  override readonly name = 'ConditionalExpressionError';
  readonly token: Token;

  constructor(token: Token, message: string) {
    super(message);
    this.token = token;
  }
}

const PRECEDENCES: ReadonlyMap<string, number> = new Map([
  ['||', 1],
  ['&&', 2],
  ['|', 3],
  ['^', 4],
  ['&', 5],
  ['==', 6],
  ['!=', 6],
  ['<', 7],
  ['>', 7],
  ['<=', 7],
  ['>=', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['%', 10],
]);
const MAX_NESTING = 256;

/**
 * Evaluates `tokens`, in which macros and `defined` are already replaced.
 *
 * @param end Token that stands for the end of the line.
 * @param areUndefinedNamesZero Whether an undefined name counts as 0 (desktop) or is an error (ES).
 * @throws {ConditionalExpressionError} If the tokens are no expression or its value is undefined.
 */
export function evaluateConditionalExpression(
  tokens: readonly Token[],
  end: Token,
  areUndefinedNamesZero: boolean,
): number {
  return evaluateExpressions(tokens, end, 1, areUndefinedNamesZero)[0]!;
}

/**
 * Evaluates up to `maxCount` consecutive expressions, each as long as possible. `#line` has up to
 * two.
 */
export function evaluateExpressions(
  tokens: readonly Token[],
  end: Token,
  maxCount: number,
  areUndefinedNamesZero = false,
): number[] {
  let index = 0;
  const current = (): Token => tokens[index] ?? end;

  function parsePrimary(isLive: boolean, nesting: number): number {
    const token = current();
    if (nesting > MAX_NESTING) throw new ConditionalExpressionError(token, 'nested too deeply');
    index++;
    if (token.kind === 'number') return parseInteger(token);
    if (token.kind === 'identifier' || token.kind === 'keyword' || token.kind === 'reserved') {
      if (isLive && !areUndefinedNamesZero) {
        throw new ConditionalExpressionError(token, 'undefined name in a preprocessor expression');
      }
      return 0;
    }
    switch (token.text) {
      case '(': {
        const value = parseBinary(1, isLive, nesting + 1);
        if (current().text !== ')') {
          throw new ConditionalExpressionError(current(), 'syntax error: ) expected');
        }
        index++;
        return value;
      }
      case '+':
        return parsePrimary(isLive, nesting + 1);
      case '-':
        return -parsePrimary(isLive, nesting + 1) | 0;
      case '~':
        return ~parsePrimary(isLive, nesting + 1);
      case '!':
        return parsePrimary(isLive, nesting + 1) === 0 ? 1 : 0;
      default:
        throw new ConditionalExpressionError(token, 'syntax error in a preprocessor expression');
    }
  }

  function parseBinary(lowest: number, isLive: boolean, nesting: number): number {
    let left = parsePrimary(isLive, nesting);
    for (;;) {
      const operator = current();
      const precedence = PRECEDENCES.get(operator.text) ?? 0;
      if (precedence < lowest || operator.kind !== 'punctuator') return left;
      index++;
      const isRightLive =
        isLive &&
        !(operator.text === '&&' && left === 0) &&
        !(operator.text === '||' && left !== 0);
      const right = parseBinary(precedence + 1, isRightLive, nesting + 1);
      left = combine(operator, left, right, isLive);
    }
  }

  const values: number[] = [];
  do {
    values.push(parseBinary(1, true, 0));
  } while (index < tokens.length && values.length < maxCount);
  if (index < tokens.length) {
    throw new ConditionalExpressionError(current(), 'unexpected token after the expression');
  }
  return values;
}

function parseInteger(token: Token): number {
  const match = /^(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)[uU]?$/.exec(token.text);
  if (match === null) {
    throw new ConditionalExpressionError(
      token,
      'an integer is expected in a preprocessor expression',
    );
  }
  const digits = match[1]!;
  const isOctal = /^0[0-7]+$/.test(digits);
  const value = isOctal ? Number.parseInt(digits, 8) : Number(digits);
  if (value > 0xffff_ffff) throw new ConditionalExpressionError(token, 'integer overflow');
  return value | 0;
}

function combine(operator: Token, a: number, b: number, isLive: boolean): number {
  switch (operator.text) {
    case '||':
      return a !== 0 || b !== 0 ? 1 : 0;
    case '&&':
      return a !== 0 && b !== 0 ? 1 : 0;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '&':
      return a & b;
    case '==':
      return a === b ? 1 : 0;
    case '!=':
      return a !== b ? 1 : 0;
    case '<':
      return a < b ? 1 : 0;
    case '>':
      return a > b ? 1 : 0;
    case '<=':
      return a <= b ? 1 : 0;
    case '>=':
      return a >= b ? 1 : 0;
    case '<<':
    case '>>':
      if (isLive && (b < 0 || b > 31)) {
        throw new ConditionalExpressionError(operator, 'shift by an undefined number of bits');
      }
      return operator.text === '<<' ? a << b : a >> b;
    case '+':
      return (a + b) | 0;
    case '-':
      return (a - b) | 0;
    case '*':
      return Math.imul(a, b);
    default:
      if (b === 0) {
        if (isLive) throw new ConditionalExpressionError(operator, 'division by zero');
        return 0;
      }
      return operator.text === '/' ? (a / b) | 0 : (a % b) | 0;
  }
}
