/** Expressions: what they compute, the places they name, and the effects they have on the way. */

import type { IrValue } from '../ir/ir.ts';
import { lowerConstructor } from '../operations/lower-constructor.ts';
import { lowerBinary, lowerUnary, type TypedValues } from '../operations/lower-operators.ts';
import {
  baseOf,
  componentCount,
  elementsOf,
  irTypeOf,
  scalarBases,
} from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';
import { lowerBuiltinCall } from './lower-builtin-call.ts';
import { lowerCall } from './lower-call.ts';
import type { Lowering } from './lowering.ts';
import { type Place, readPlace, wholePlace, writePlace } from './place.ts';
import { hasSideEffects } from './scan-symbols.ts';

/** Evaluates `expression`; returns its scalars. */
export function lowerExpression(lowering: Lowering, expression: Expression): readonly IrValue[] {
  if (expression.constant !== null) return lowering.constants(expression.type, expression.constant);
  lowering.enter();
  const values = lowerKind(lowering, expression);
  lowering.leave();
  return values;
}

function lowerKind(lowering: Lowering, expression: Expression): readonly IrValue[] {
  const { builder } = lowering;
  switch (expression.kind) {
    case 'literal':
      throw new Error('a literal has a value');
    case 'variable':
    case 'field':
    case 'swizzle':
    case 'index': {
      const place = lowerPlace(lowering, expression);
      return place === null ? lowerPart(lowering, expression) : readPlace(builder, place);
    }
    case 'unary':
      return lowerUnary(builder, expression.operator, typed(lowering, expression.operand));
    case 'increment':
      return lowerIncrement(lowering, expression);
    case 'binary':
      return lowerLazily(lowering, expression);
    case 'assign':
      return lowerAssign(lowering, expression);
    case 'conditional':
      return lowerConditional(lowering, expression);
    case 'comma':
      lowerExpression(lowering, expression.left);
      return lowerExpression(lowering, expression.right);
    case 'call':
      return lowerCall(lowering, expression.function, expression.arguments);
    case 'builtinCall':
      return lowerBuiltinCall(lowering, expression);
    case 'construct': {
      const operands = expression.arguments.map((argument) => typed(lowering, argument));
      return lowerConstructor(builder, expression.type, operands);
    }
  }
}

/** Evaluates `expression`; returns its scalars with its type. */
export function typed(lowering: Lowering, expression: Expression): TypedValues {
  return { type: expression.type, values: lowerExpression(lowering, expression) };
}

/** Evaluates a scalar. */
export function lowerScalar(lowering: Lowering, expression: Expression): IrValue {
  return lowerExpression(lowering, expression)[0]!;
}

/** The part of a variable that `expression` names, its indices evaluated; null if it is a mere value. */
export function lowerPlace(lowering: Lowering, expression: Expression): Place | null {
  switch (expression.kind) {
    case 'variable':
      return wholePlace(lowering.storageOf(expression.variable));
    case 'field': {
      const object = lowerPlace(lowering, expression.object);
      const offset = fieldOffset(expression.object.type, expression.fieldIndex);
      return object && { ...object, offset: object.offset + offset, type: expression.type };
    }
    case 'swizzle': {
      const object = lowerPlace(lowering, expression.object);
      if (object === null) return null;
      const { swizzle } = object;
      const picks = expression.components.map((k) => (swizzle === null ? k : swizzle[k]!));
      return { ...object, type: expression.type, swizzle: picks };
    }
    case 'index': {
      const object = lowerPlace(lowering, expression.object);
      return object && indexPlace(lowering, object, expression);
    }
    default:
      return null;
  }
}

function fieldOffset(type: GlslType, fieldIndex: number): number {
  if (type.kind !== 'struct') throw new Error(`type ${type.kind} has no fields`);
  return type.fields
    .slice(0, fieldIndex)
    .reduce((sum, field) => sum + componentCount(field.type), 0);
}

function indexPlace(
  lowering: Lowering,
  object: Place,
  expression: Expression & { kind: 'index' },
): Place {
  const { element, count } = elementsOf(expression.object.type);
  const { type } = expression;
  const constant = expression.index.constant?.[0];
  const stride = componentCount(element);
  if (constant !== undefined) {
    // The front end refuses constant indices outside; this keeps the place inside in any case.
    const inside = Math.min(Math.max(constant, 0), count - 1);
    if (object.swizzle !== null) return { ...object, type, swizzle: [object.swizzle[inside]!] };
    return { ...object, type, offset: object.offset + inside * stride };
  }
  const index = lowerScalar(lowering, expression.index);
  if (object.swizzle === null) {
    return { ...object, type, computed: [...object.computed, { index, element, count }] };
  }
  // A computed index into a swizzle: the component it picks is computed, too.
  const { builder } = lowering;
  let picked = builder.int(object.swizzle[0]!);
  object.swizzle.forEach((component, k) => {
    if (k === 0) return;
    const isHere = builder.operator('ieq', index, builder.int(k));
    picked = builder.select(isHere, builder.int(component), picked);
  });
  const whole = Math.max(...object.swizzle) + 1;
  const computed = [...object.computed, { index: picked, element, count: whole }];
  return { ...object, type, swizzle: null, computed };
}

/** A field, swizzle or element of a value that is no variable. */
function lowerPart(lowering: Lowering, expression: Expression): readonly IrValue[] {
  const { builder } = lowering;
  const count = componentCount(expression.type);
  switch (expression.kind) {
    case 'field': {
      const offset = fieldOffset(expression.object.type, expression.fieldIndex);
      return lowerExpression(lowering, expression.object).slice(offset, offset + count);
    }
    case 'swizzle': {
      const values = lowerExpression(lowering, expression.object);
      return expression.components.map((k) => values[k]!);
    }
    case 'index': {
      const values = lowerExpression(lowering, expression.object);
      const root = {
        storage: { kind: 'values', values },
        type: expression.object.type,
        bases: scalarBases(expression.object.type),
      } as const;
      return readPlace(builder, indexPlace(lowering, wholePlace(root), expression));
    }
    default:
      throw new Error(`${expression.kind} has no parts`);
  }
}

/** The place that an assignment or an out argument writes. */
export function lowerTarget(lowering: Lowering, expression: Expression): Place {
  const place = lowerPlace(lowering, expression);
  if (place === null) throw new Error(`${expression.kind} is no l-value`);
  return place;
}

function lowerAssign(
  lowering: Lowering,
  expression: Expression & { kind: 'assign' },
): readonly IrValue[] {
  const { builder } = lowering;
  const place = lowerTarget(lowering, expression.target);
  const value = typed(lowering, expression.value);
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
  // Componentwise also for matrices: a matrix plus a scalar.
  const after = lowerBinary(builder, operator, { type, values: before }, one);
  writePlace(builder, place, after);
  return expression.isPrefix ? after : before;
}

/** A binary operator; `&&` and `||` skip a right side with effects where the left one decides. */
function lowerLazily(
  lowering: Lowering,
  expression: Expression & { kind: 'binary' },
): readonly IrValue[] {
  const { builder } = lowering;
  const { operator, right } = expression;
  const left = typed(lowering, expression.left);
  const isLogical = operator === '&&' || operator === '||';
  if (!isLogical || !hasSideEffects(right)) {
    return lowerBinary(builder, operator, left, typed(lowering, right));
  }
  const variable = builder.newVariable('bool');
  builder.writeVariable(variable, left.values[0]!);
  const emitRight = (): void => builder.writeVariable(variable, lowerScalar(lowering, right));
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
    return lowerExpression(lowering, condition.constant[0] ? whenTrue : whenFalse);
  }
  const truth = lowerScalar(lowering, condition);
  if (!hasSideEffects(whenTrue) && !hasSideEffects(whenFalse)) {
    const a = lowerExpression(lowering, whenTrue);
    const b = lowerExpression(lowering, whenFalse);
    return a.map((value, k) => builder.select(truth, value, b[k]!));
  }
  const variables = scalarBases(expression.type).map((base) => builder.newVariable(irTypeOf(base)));
  const emitInto = (arm: Expression) => (): void => {
    const values = lowerExpression(lowering, arm);
    variables.forEach((variable, k) => {
      builder.writeVariable(variable, values[k]!);
    });
  };
  builder.if(truth, emitInto(whenTrue), emitInto(whenFalse));
  return variables.map((variable) => builder.readVariable(variable));
}
