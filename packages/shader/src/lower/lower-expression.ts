/** Lowering of expressions: their values and side effects. */

import type { IrValue } from '../ir/ir.ts';
import { lowerConstructor } from '../operations/lower-constructor.ts';
import { lowerBinary, lowerUnary } from '../operations/lower-operators.ts';
import { baseOf, irTypeOf, scalarBases } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import { lowerBuiltinCall } from './lower-builtin-call.ts';
import { lowerCall } from './lower-call.ts';
import { lowerPlace, lowerTarget, lowerValuePart } from './lower-place.ts';
import type { Lowering } from './lowering.ts';
import { readPlace, writePlace } from './place.ts';
import { hasSideEffects } from './scan-symbols.ts';

/** Lowers an expression that is not constant; returns its scalars. */
export function lowerExpression(lowering: Lowering, expression: Expression): readonly IrValue[] {
  const { builder } = lowering;
  switch (expression.kind) {
    case 'literal':
      throw new Error('the literal has no value');
    case 'variable':
    case 'field':
    case 'swizzle':
    case 'index': {
      const place = lowerPlace(lowering, expression);
      return place === null ? lowerValuePart(lowering, expression) : readPlace(builder, place);
    }
    case 'unary':
      return lowerUnary(builder, expression.operator, lowering.lowerTyped(expression.operand));
    case 'increment':
      return lowerIncrement(lowering, expression);
    case 'binary':
      return lowerLazily(lowering, expression);
    case 'assign':
      return lowerAssign(lowering, expression);
    case 'conditional':
      return lowerConditional(lowering, expression);
    case 'comma':
      lowering.lowerExpression(expression.left);
      return lowering.lowerExpression(expression.right);
    case 'call':
      return lowerCall(lowering, expression.function, expression.arguments);
    case 'builtinCall':
      return lowerBuiltinCall(lowering, expression);
    case 'construct': {
      const operands = expression.arguments.map((argument) => lowering.lowerTyped(argument));
      return lowerConstructor(builder, expression.type, operands);
    }
  }
}

function lowerAssign(
  lowering: Lowering,
  expression: Expression & { kind: 'assign' },
): readonly IrValue[] {
  const { builder } = lowering;
  const place = lowerTarget(lowering, expression.target);
  const value = lowering.lowerTyped(expression.value);
  const result =
    expression.operator === null
      ? value.values
      : lowerBinary(
          builder,
          expression.operator,
          { type: expression.target.type, values: readPlace(builder, place) },
          value,
        );
  writePlace(builder, place, result);
  return result;
}

function lowerIncrement(
  lowering: Lowering,
  expression: Expression & { kind: 'increment' },
): readonly IrValue[] {
  const { builder } = lowering;
  const place = lowerTarget(lowering, expression.target);
  const { type } = expression;
  const base = baseOf(type);
  const before = readPlace(builder, place);
  const one = {
    type: { kind: 'scalar', base },
    values: [base === 'float' ? builder.float(1) : builder.int(1)],
  } as const;
  const operator = expression.operator === '++' ? '+' : '-';
  // A matrix plus a scalar is componentwise, too.
  const after = lowerBinary(builder, operator, { type, values: before }, one);
  writePlace(builder, place, after);
  return expression.isPrefix ? after : before;
}

/**
 * Lowers a binary operator. `&&` and `||` skip a right operand with side effects if the left one
 * decides.
 */
function lowerLazily(
  lowering: Lowering,
  expression: Expression & { kind: 'binary' },
): readonly IrValue[] {
  const { builder } = lowering;
  const { operator, right } = expression;
  const left = lowering.lowerTyped(expression.left);
  const isLogical = operator === '&&' || operator === '||';
  if (!isLogical || !hasSideEffects(right)) {
    return lowerBinary(builder, operator, left, lowering.lowerTyped(right));
  }
  const variable = builder.newVariable('bool');
  builder.writeVariable(variable, left.values[0]!);
  const emitRight = (): void => builder.writeVariable(variable, lowering.lowerScalar(right));
  const skip = (): void => {};
  if (operator === '&&') builder.if(left.values[0]!, emitRight);
  else builder.if(left.values[0]!, skip, emitRight);
  return [builder.readVariable(variable)];
}

function lowerConditional(
  lowering: Lowering,
  expression: Expression & { kind: 'conditional' },
): readonly IrValue[] {
  const { builder } = lowering;
  const { condition, whenTrue, whenFalse } = expression;
  if (condition.constant !== null) {
    return lowering.lowerExpression(condition.constant[0] ? whenTrue : whenFalse);
  }
  const truth = lowering.lowerScalar(condition);
  if (!hasSideEffects(whenTrue) && !hasSideEffects(whenFalse)) {
    const a = lowering.lowerExpression(whenTrue);
    const b = lowering.lowerExpression(whenFalse);
    return a.map((value, k) => builder.select(truth, value, b[k]!));
  }
  const variables = scalarBases(expression.type).map((base) => builder.newVariable(irTypeOf(base)));
  const emitInto = (arm: Expression) => (): void => {
    const values = lowering.lowerExpression(arm);
    variables.forEach((variable, k) => {
      builder.writeVariable(variable, values[k]!);
    });
  };
  builder.if(truth, emitInto(whenTrue), emitInto(whenFalse));
  return variables.map((variable) => builder.readVariable(variable));
}
