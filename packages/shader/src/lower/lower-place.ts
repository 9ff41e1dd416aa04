/** Parts of variables and of values that expressions name: fields, swizzles, elements. */
import type { IrValue } from '../ir/ir.ts';
import { componentCount, elementsOf, scalarBases } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';
import type { Lowering } from './lowering.ts';
import { type Place, readPlace, wholePlace } from './place.ts';

/**
 * Returns the part of a variable that `expression` names, with its indices evaluated; null for a
 * plain value.
 */
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
    // The front end rejects constant indices out of range. Clamping guarantees it here.
    const inside = Math.min(Math.max(constant, 0), count - 1);
    if (object.swizzle !== null) return { ...object, type, swizzle: [object.swizzle[inside]!] };
    return { ...object, type, offset: object.offset + inside * stride };
  }
  const index = lowering.lowerScalar(expression.index);
  if (object.swizzle === null) {
    return { ...object, type, computed: [...object.computed, { index, element, count }] };
  }
  // A computed index into a swizzle also computes the component that it selects.
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

/** Returns a field, swizzle or element of a value that is not a variable. */
export function lowerValuePart(lowering: Lowering, expression: Expression): readonly IrValue[] {
  const { builder } = lowering;
  const count = componentCount(expression.type);
  switch (expression.kind) {
    case 'field': {
      const offset = fieldOffset(expression.object.type, expression.fieldIndex);
      return lowering.lowerExpression(expression.object).slice(offset, offset + count);
    }
    case 'swizzle': {
      const values = lowering.lowerExpression(expression.object);
      return expression.components.map((k) => values[k]!);
    }
    case 'index': {
      const values = lowering.lowerExpression(expression.object);
      const root = {
        storage: { kind: 'values', values },
        type: expression.object.type,
        bases: scalarBases(expression.object.type),
      } as const;
      return readPlace(builder, indexPlace(lowering, wholePlace(root), expression));
    }
    default:
      throw new Error(`a ${expression.kind} expression does not select a part of a value`);
  }
}

/** Returns the place that an assignment or an out argument writes. */
export function lowerTarget(lowering: Lowering, expression: Expression): Place {
  const place = lowerPlace(lowering, expression);
  if (place === null) throw new Error(`${expression.kind} is not an l-value`);
  return place;
}
