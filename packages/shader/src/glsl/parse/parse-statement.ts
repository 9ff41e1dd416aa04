/** Parses and checks statements (GLSL ES 3.00 chapter 6). */

import type { BlockStatement, Expression, Statement } from '../../tree/checked-tree.ts';
import { ERROR_TYPE, INT, typeName, UINT, VOID } from '../../tree/type-rules.ts';
import { type CheckContext, SyntaxFailure } from '../check/check-context.ts';
import { checkCondition, convertInitializer } from '../check/expected-type.ts';
import { convertTo, isErrorNode, positionOf } from '../check/expression-nodes.ts';
import { checkLoopHeader, checkRestrictedBody } from '../check/loop-restrictions.ts';
import type { ExpressionNode, Variable } from '../check/symbol-scope.ts';
import type { Token } from '../preprocess/lexer.ts';
import { parseDeclarators, parseInvariantNames } from './parse-declaration.ts';
import {
  parseAssignment,
  parseConditionalOnly,
  parseConstructorOf,
  parseExpression,
  parseExpressionAfter,
} from './parse-expression.ts';
import { parseFunction } from './parse-function.ts';
import { checkEmptyDeclaration, isTypeHere, parseTypeSpecifier } from './parse-type.ts';
import { isQualifierHere, parsePrecisionStatement, parseQualifiers } from './qualifiers.ts';
import { declareVariable } from './variable-declarations.ts';

/** Parses the body of a function in the current scope, which contains its parameters. */
export function parseBody(context: CheckContext): BlockStatement {
  context.loopDepth = 0;
  context.switchDepth = 0;
  return parseBlock(context);
}

/** Parses `{ … }` in the current scope. */
function parseBlock(context: CheckContext): BlockStatement {
  context.expect('{');
  context.enter();
  const statements: Statement[] = [];
  while (!context.is('}')) {
    if (context.token.kind === 'end') context.failSyntax();
    parseRecovering(context, statements);
  }
  context.leave();
  context.expect('}');
  return { kind: 'block', statements };
}

/** Parses one statement; after a syntax error it resumes at the next one. */
function parseRecovering(context: CheckContext, into: Statement[]): void {
  const { nesting } = context;
  const { depth } = context.scope;
  try {
    parseStatement(context, into);
  } catch (error) {
    if (!(error instanceof SyntaxFailure)) throw error;
    context.restoreNesting(nesting);
    context.scope.popTo(depth);
    context.skipConstruct();
  }
}

/** Parses the statement that is the whole body of an `if` or `do`, in its own scope. */
function parseScoped(context: CheckContext): Statement {
  context.scope.push();
  const statement = parseSingle(context);
  context.scope.pop();
  return statement;
}

function parseSingle(context: CheckContext): Statement {
  const into: Statement[] = [];
  parseStatement(context, into);
  return into.length === 1 ? into[0]! : { kind: 'block', statements: into };
}

function parseStatement(context: CheckContext, into: Statement[]): void {
  const { token } = context;
  if (token.kind === 'punctuator') {
    if (token.text === '{') {
      context.enter();
      context.scope.push();
      into.push(parseBlock(context));
      context.scope.pop();
      context.leave();
      return;
    }
    if (token.text === ';') {
      context.advance();
      return;
    }
  } else if (token.kind === 'keyword' && parseKeywordStatement(context, token, into)) {
    return;
  }
  if (isDeclarationHere(context)) parseLocalDeclaration(context, into);
  else {
    const expression = parseExpression(context);
    context.expect(';');
    into.push({ kind: 'expression', expression });
  }
}

function parseKeywordStatement(context: CheckContext, token: Token, into: Statement[]): boolean {
  switch (token.text) {
    case 'if':
      into.push(context.nested(() => parseIf(context)));
      return true;
    case 'for':
      into.push(context.nested(() => parseFor(context)));
      return true;
    case 'while':
      into.push(context.nested(() => parseWhile(context)));
      return true;
    case 'do':
      into.push(context.nested(() => parseDo(context)));
      return true;
    case 'switch':
      into.push(context.nested(() => parseSwitch(context)));
      return true;
    case 'case':
    case 'default':
      context.error(
        token,
        token.text,
        'case labels are only allowed directly inside a switch statement',
      );
      throw new SyntaxFailure(token.text);
    case 'return':
      into.push(parseReturn(context));
      return true;
    case 'break':
    case 'continue':
      into.push(parseJump(context, token));
      return true;
    case 'discard':
      context.advance();
      context.expect(';');
      if (context.stage !== 'fragment') {
        context.error(token, 'discard', 'only allowed in fragment shaders');
      }
      into.push({ kind: 'discard', position: positionOf(token) });
      return true;
    case 'precision':
      parsePrecisionStatement(context);
      return true;
    default:
      return false;
  }
}

function isDeclarationHere(context: CheckContext): boolean {
  if (isQualifierHere(context) || context.is('struct')) return true;
  return context.typeHere() !== null && context.peek().text !== '(';
}

function parseLocalDeclaration(context: CheckContext, into: Statement[]): void {
  const qualifiers = parseQualifiers(context);
  if (qualifiers.isInvariant && context.token.kind === 'identifier' && !isTypeHere(context)) {
    parseInvariantNames(context, qualifiers);
    return;
  }
  const specifier = parseTypeSpecifier(context);
  if (context.accept(';')) {
    checkEmptyDeclaration(context, specifier);
    return;
  }
  if (context.is('(') && qualifiers.isEmpty) {
    // `float[2](…)…;` is an expression.
    const first = parseConstructorOf(context, specifier.position, specifier.type);
    into.push({ kind: 'expression', expression: parseExpressionAfter(context, first) });
    context.expect(';');
    return;
  }
  const isEmptyFirst = context.accept(',');
  const name = context.expectIdentifier();
  if (context.is('(') && !isEmptyFirst) {
    parseFunction(context, qualifiers, specifier, name, parseBody);
    return;
  }
  parseDeclarators(context, qualifiers, specifier.type, name, (variable, initializer) => {
    into.push({ kind: 'declaration', variable, initializer });
  });
  context.expect(';');
}

function parseIf(context: CheckContext): Statement {
  const position = positionOf(context.expect('if'));
  context.expect('(');
  const condition = parseExpression(context);
  checkCondition(context, condition);
  context.expect(')');
  const then = parseScoped(context);
  const otherwise = context.accept('else') ? parseScoped(context) : null;
  return { kind: 'if', position, condition, then, else: otherwise };
}

interface Condition {
  readonly variable: Variable | null;
  readonly expression: ExpressionNode;
}

/** Parses an expression, or `type name = value`. */
function parseCondition(context: CheckContext): Condition {
  if (!isDeclarationHere(context)) {
    const expression = parseExpression(context);
    checkCondition(context, expression);
    return { variable: null, expression };
  }
  const qualifiers = parseQualifiers(context);
  const specifier = parseTypeSpecifier(context);
  const name = context.expectIdentifier();
  const equals = context.expect('=');
  const node = parseAssignment(context);
  const expression = convertInitializer(context, equals, node, specifier.type) ?? node;
  const variable = declareVariable(context, name, specifier.type, qualifiers, 'local');
  checkCondition(context, expression);
  return { variable, expression };
}

function parseLoopBody(context: CheckContext): Statement {
  context.loopDepth++;
  const switchDepth = context.switchDepth;
  context.switchDepth = 0;
  const body = context.is('{') ? parseBlock(context) : parseSingle(context);
  context.switchDepth = switchDepth;
  context.loopDepth--;
  return body;
}

function parseFor(context: CheckContext): Statement {
  const keyword = context.expect('for');
  context.expect('(');
  context.scope.push();
  const initial: Statement[] = [];
  if (isDeclarationHere(context)) {
    parseLocalDeclaration(context, initial);
  } else if (!context.accept(';')) {
    const expression = parseExpression(context);
    context.expect(';');
    initial.push({ kind: 'expression', expression });
  }
  const condition = context.is(';') ? null : parseCondition(context);
  context.expect(';');
  const update = context.is(')') ? null : parseExpression(context);
  context.expect(')');
  let counter: Variable | null = null;
  if (context.restrictLoops) {
    counter = checkLoopHeader(context, keyword, initial, condition?.expression ?? null, update);
  }
  if (counter !== null) context.loopCounters.push(counter);
  const body = parseLoopBody(context);
  if (counter !== null) {
    context.loopCounters.pop();
    checkRestrictedBody(context, body, counter);
  }
  context.scope.pop();
  let initializer: Statement | null = null;
  if (initial.length === 1) initializer = initial[0]!;
  else if (initial.length > 1) initializer = { kind: 'block', statements: initial };
  return {
    kind: 'for',
    position: positionOf(keyword),
    initializer,
    conditionVariable: condition?.variable ?? null,
    condition: condition?.expression ?? null,
    update,
    body,
  };
}

function parseWhile(context: CheckContext): Statement {
  const keyword = context.expect('while');
  if (context.restrictLoops) context.error(keyword, 'while', 'this type of loop is not allowed');
  context.expect('(');
  context.scope.push();
  const condition = parseCondition(context);
  context.expect(')');
  const body = parseLoopBody(context);
  context.scope.pop();
  return {
    kind: 'while',
    position: positionOf(keyword),
    conditionVariable: condition.variable,
    condition: condition.expression,
    body,
  };
}

function parseDo(context: CheckContext): Statement {
  const keyword = context.expect('do');
  if (context.restrictLoops) context.error(keyword, 'do', 'this type of loop is not allowed');
  context.scope.push();
  const body = parseLoopBody(context);
  context.scope.pop();
  context.expect('while');
  context.expect('(');
  const condition = parseExpression(context);
  checkCondition(context, condition);
  context.expect(')');
  context.expect(';');
  return { kind: 'do', position: positionOf(keyword), body, condition };
}

interface SwitchCase {
  readonly value: number | null;
  readonly statements: Statement[];
}

function parseSwitch(context: CheckContext): Statement {
  const position = positionOf(context.expect('switch'));
  context.expect('(');
  const selector = parseExpression(context);
  if (!isErrorNode(selector) && selector.type !== INT && selector.type !== UINT) {
    context.error(selector.position, 'switch', 'the selector must be a scalar integer');
  }
  context.expect(')');
  context.expect('{');
  context.scope.push();
  context.switchDepth++;
  const cases: SwitchCase[] = [];
  let label: Token | null = null;
  let hasStatementAfterLabel = true;
  while (!context.is('}')) {
    if (context.token.kind === 'end') context.failSyntax();
    if (context.is('case') || context.is('default')) {
      label = context.token;
      cases.push({ value: parseLabel(context, selector, cases), statements: [] });
      hasStatementAfterLabel = false;
      continue;
    }
    const current = cases.at(-1);
    if (current === undefined) {
      context.error(context.token, 'switch', 'statement before the first label');
    }
    parseRecovering(context, current?.statements ?? []);
    hasStatementAfterLabel = true;
  }
  if (!hasStatementAfterLabel && label !== null) {
    context.error(
      label,
      label.text,
      'statement expected between a label and the end of the switch',
    );
  }
  context.switchDepth--;
  context.scope.pop();
  context.expect('}');
  return { kind: 'switch', position, selector, cases };
}

/** Parses `case value:` or `default:`; returns the value, null for default. */
function parseLabel(
  context: CheckContext,
  selector: ExpressionNode,
  cases: readonly SwitchCase[],
): number | null {
  const token = context.advance();
  let value: number | null = null;
  if (token.text === 'case') {
    const node = parseConditionalOnly(context);
    if (!isErrorNode(node) && !isErrorNode(selector)) {
      if (node.type !== selector.type) {
        const types = `${typeName(node.type)} and ${typeName(selector.type)}`;
        context.error(token, 'case', `label and selector have different types: ${types}`);
      } else if (!node.isConstantExpression || node.constant === null) {
        context.error(token, 'case', 'label must be a constant expression');
      }
    }
    value = node.constant?.[0] ?? Number.NaN;
  }
  context.expect(':');
  if (cases.some((each) => each.value === value)) {
    context.error(token, token.text, 'duplicate label');
  }
  return value;
}

function parseReturn(context: CheckContext): Statement {
  const token = context.expect('return');
  const { returnType } = context.currentFunction!.symbol;
  context.currentFunction!.hasReturn = true;
  if (context.accept(';')) {
    if (returnType !== VOID && returnType !== ERROR_TYPE) {
      context.error(token, 'return', 'non-void function must return a value');
    }
    return { kind: 'return', position: positionOf(token), value: null };
  }
  const node = parseExpression(context);
  context.expect(';');
  let value: Expression | null = node;
  if (returnType === VOID) {
    context.error(token, 'return', 'void function cannot return a value');
  } else {
    value = convertTo(context, node, returnType);
    if (value === null) {
      const types = `${typeName(node.type)} to ${typeName(returnType)}`;
      context.error(token, 'return', `cannot convert the returned value from ${types}`);
    }
  }
  return { kind: 'return', position: positionOf(token), value };
}

function parseJump(context: CheckContext, token: Token): Statement {
  context.advance();
  context.expect(';');
  if (token.text === 'continue') {
    if (context.loopDepth === 0) context.error(token, 'continue', 'only allowed in loops');
    return { kind: 'continue', position: positionOf(token) };
  }
  if (context.loopDepth === 0 && context.switchDepth === 0) {
    context.error(token, 'break', 'only allowed in loops and switch statements');
  }
  return { kind: 'break', position: positionOf(token) };
}
