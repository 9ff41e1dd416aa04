/** Lowering of statements: declarations, and control flow as blocks, loops and exits. */

import type { IrValue } from '../ir/ir.ts';
import type { Expression, Statement, VariableSymbol } from '../tree/checked-tree.ts';
import type { Lowering } from './lowering.ts';

type StatementOf<Kind extends Statement['kind']> = Statement & { kind: Kind };

/** Lowers a statement of any kind. */
export function lowerStatement(lowering: Lowering, statement: Statement): void {
  const { builder } = lowering;
  switch (statement.kind) {
    case 'block':
      for (const inner of statement.statements) lowering.lowerStatement(inner);
      break;
    case 'declaration':
      // Constants need no storage because they are found by their symbol.
      if (statement.variable.constant !== null) break;
      lowering.bindOrDeclare(statement.variable, initialValues(lowering, statement));
      break;
    case 'expression':
      lowering.lowerExpression(statement.expression);
      break;
    case 'if':
      lowerIf(lowering, statement);
      break;
    case 'for':
      if (statement.initializer !== null) lowering.lowerStatement(statement.initializer);
      lowerLoop(lowering, statement, statement.update);
      break;
    case 'while':
      lowerLoop(lowering, statement, null);
      break;
    case 'do':
      lowerDo(lowering, statement);
      break;
    case 'switch':
      lowerSwitch(lowering, statement);
      break;
    case 'return':
      lowerReturn(lowering, statement);
      break;
    case 'break':
      builder.emit({ kind: 'exit', label: lowering.jumps!.breakLabel });
      break;
    case 'continue':
      builder.emit({ kind: 'exit', label: lowering.jumps!.continueLabel! });
      break;
    case 'discard':
      builder.emit({ kind: 'discard' });
      // A helper invocation leaves its loops, because their conditions may depend on code that it
      // skips.
      if (lowering.outermostLoop !== null) {
        builder.emit({ kind: 'exit', label: lowering.outermostLoop });
      }
      break;
  }
}

function initialValues(
  lowering: Lowering,
  { variable, initializer }: StatementOf<'declaration'>,
): readonly IrValue[] {
  // A variable without an initializer is undefined; zeros make it the same on every machine.
  if (initializer === null) return lowering.zeros(variable.type);
  return lowering.lowerExpression(initializer);
}

function lowerIf(lowering: Lowering, statement: StatementOf<'if'>): void {
  const { condition } = statement;
  const lowerElse = (): void => {
    if (statement.else !== null) lowering.lowerStatement(statement.else);
  };
  if (condition.constant === null) {
    const truth = lowering.lowerScalar(condition);
    lowering.builder.if(truth, () => lowering.lowerStatement(statement.then), lowerElse);
  } else if (condition.constant[0] !== 0) {
    lowering.lowerStatement(statement.then);
  } else {
    lowerElse();
  }
}

/** Lowers the body of the loop `label` with its jump targets, in a block that `continue` exits. */
function inLoop(lowering: Lowering, label: number, body: Statement): void {
  const { jumps, outermostLoop, builder } = lowering;
  lowering.outermostLoop ??= label;
  builder.block((continueLabel) => {
    lowering.jumps = { breakLabel: label, continueLabel };
    lowering.lowerStatement(body);
  });
  lowering.jumps = jumps;
  lowering.outermostLoop = outermostLoop;
}

function exitUnless(lowering: Lowering, condition: IrValue, label: number): void {
  const { builder } = lowering;
  builder.if(builder.operator('bnot', condition), () => builder.emit({ kind: 'exit', label }));
}

function lowerLoop(
  lowering: Lowering,
  statement: StatementOf<'for' | 'while'>,
  update: Expression | null,
): void {
  const { builder } = lowering;
  const { condition, conditionVariable, body } = statement;
  builder.loop((label) => {
    if (condition !== null) {
      const truth = lowerCondition(lowering, condition, conditionVariable);
      exitUnless(lowering, truth, label);
    }
    inLoop(lowering, label, body);
    if (update !== null) lowering.lowerExpression(update);
  });
}

function lowerCondition(
  lowering: Lowering,
  condition: Expression,
  variable: VariableSymbol | null,
): IrValue {
  const values = lowering.lowerExpression(condition);
  if (variable !== null) lowering.bindOrDeclare(variable, values);
  return values[0]!;
}

function lowerDo(lowering: Lowering, statement: StatementOf<'do'>): void {
  lowering.builder.loop((label) => {
    inLoop(lowering, label, statement.body);
    exitUnless(lowering, lowering.lowerScalar(statement.condition), label);
  });
}

/**
 * Lowers a switch to a block with an `if` for each group of labels. A variable records whether
 * control has entered an earlier group that does not end in a jump.
 */
function lowerSwitch(lowering: Lowering, statement: StatementOf<'switch'>): void {
  const { builder, jumps } = lowering;
  const selector = lowering.lowerScalar(statement.selector);
  const isCase = (value: number): IrValue => builder.operator('ieq', selector, builder.int(value));
  const isAnyCase = (): IrValue =>
    statement.cases
      .flatMap(({ value }) => (value === null ? [] : [isCase(value)]))
      .reduce((any, one) => builder.operator('bor', any, one), builder.bool(false));

  const isInside = builder.newVariable('bool');
  builder.writeVariable(isInside, builder.bool(false));
  builder.block((breakLabel) => {
    lowering.jumps = { breakLabel, continueLabel: jumps?.continueLabel ?? null };
    let enters = builder.bool(false);
    for (const { value, statements } of statement.cases) {
      const matches = value === null ? builder.operator('bnot', isAnyCase()) : isCase(value);
      enters = builder.operator('bor', enters, matches);
      // Labels without statements share the next group.
      if (statements.length === 0) continue;
      const runs = builder.operator('bor', builder.readVariable(isInside), enters);
      builder.if(runs, () => {
        for (const inner of statements) {
          // Other groups may use the variable, too, in branches of their own, so it needs storage.
          if (inner.kind === 'declaration' && inner.variable.constant === null) {
            const { line } = builder;
            builder.line = inner.variable.position.row;
            lowering.declare(inner.variable, initialValues(lowering, inner));
            builder.line = line;
          } else {
            lowering.lowerStatement(inner);
          }
        }
        builder.writeVariable(isInside, builder.bool(true));
      });
      enters = builder.bool(false);
    }
  });
  lowering.jumps = jumps;
}

function lowerReturn(lowering: Lowering, { value }: StatementOf<'return'>): void {
  const { builder } = lowering;
  const values = value === null ? [] : lowering.lowerExpression(value);
  const target = lowering.returnTarget!;
  if (target.label === null) {
    target.values = values;
    return;
  }
  values.forEach((part, k) => {
    builder.writeVariable(target.variables[k]!, part);
  });
  builder.emit({ kind: 'exit', label: target.label });
}
