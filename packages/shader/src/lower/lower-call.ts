/** Calls of the shader's functions, inlined, and the samplers that go with arguments. */

import type { IrValue } from '../ir/ir.ts';
import { elementsOf, irTypeOf, samplerCount, scalarBases } from '../operations/type-layout.ts';
import type { Expression, FunctionSymbol } from '../tree/checked-tree.ts';
import { lowerExpression, lowerScalar, lowerTarget } from './lower-expression.ts';
import { lowerStatement } from './lower-statement.ts';
import type { Lowering, ReturnTarget, SamplerPlace } from './lowering.ts';
import { type Place, readPlace, wholePlace, writePlace } from './place.ts';
import { countReturns } from './scan-symbols.ts';

/**
 * Inlines `callee`: arguments are evaluated from left to right and copied in; after the body, out
 * arguments are copied back from left to right. So two arguments may name the same variable.
 */
export function lowerCall(
  lowering: Lowering,
  callee: FunctionSymbol,
  args: readonly Expression[],
): readonly IrValue[] {
  const { builder } = lowering;
  lowering.countCall();
  const { body, parameters } = callee;
  if (body === null) throw new Error(`function ${callee.name} has no body`);

  const bound = parameters.map((parameter, k) => {
    const argument = args[k]!;
    const samplers = samplerCount(parameter.type) > 0 ? lowerSampler(lowering, argument) : null;
    if (parameter.type.kind === 'sampler' || isSamplerArray(parameter.type)) {
      return { parameter, samplers, target: null, values: [] };
    }
    const isIn = parameter.direction === 'in' || parameter.direction === null;
    const target: Place | null = isIn ? null : lowerTarget(lowering, argument);
    const values =
      target === null
        ? lowerExpression(lowering, argument)
        : parameter.direction === 'out'
          ? lowering.zeros(parameter.type)
          : readPlace(builder, target);
    return { parameter, samplers, target, values };
  });
  for (const { parameter, samplers, target, values } of bound) {
    if (samplers !== null) lowering.samplers.set(parameter, samplers);
    if (target === null) lowering.bindOrDeclare(parameter, values);
    else lowering.declare(parameter, values);
  }

  const result = inlineBody(lowering, callee);

  for (const { parameter, target } of bound) {
    if (target === null) continue;
    const source = wholePlace(lowering.storageOf(parameter));
    writePlace(builder, target, readPlace(builder, source));
  }
  return result;
}

function isSamplerArray(type: FunctionSymbol['returnType']): boolean {
  return type.kind === 'array' && (type.element.kind === 'sampler' || isSamplerArray(type.element));
}

/** Lowers the body of `callee` in place; returns the scalars of its value. */
function inlineBody(lowering: Lowering, callee: FunctionSymbol): readonly IrValue[] {
  const { builder } = lowering;
  const body = callee.body!;
  const outer = { returnTarget: lowering.returnTarget, jumps: lowering.jumps };
  lowering.jumps = null;
  const endsInOnlyReturn = body.statements.at(-1)?.kind === 'return' && countReturns(body) === 1;
  let result: readonly IrValue[];
  if (endsInOnlyReturn || countReturns(body) === 0) {
    // Falling off the end of a function with a value is undefined; it gives zeros.
    const values = endsInOnlyReturn ? [] : lowering.zeros(callee.returnType);
    const target: ReturnTarget = { label: null, variables: [], values };
    lowering.returnTarget = target;
    lowerStatement(lowering, body);
    result = target.values;
  } else {
    const variables = scalarBases(callee.returnType).map((base) =>
      builder.newVariable(irTypeOf(base)),
    );
    lowering.zeros(callee.returnType).forEach((zero, k) => {
      builder.writeVariable(variables[k]!, zero);
    });
    builder.block((label) => {
      lowering.returnTarget = { label, variables, values: [] };
      lowerStatement(lowering, body);
    });
    result = variables.map((variable) => builder.readVariable(variable));
  }
  lowering.returnTarget = outer.returnTarget;
  lowering.jumps = outer.jumps;
  return result;
}

/** The samplers that `expression` names. */
export function lowerSampler(lowering: Lowering, expression: Expression): SamplerPlace {
  switch (expression.kind) {
    case 'variable': {
      const known = lowering.samplers.get(expression.variable);
      if (known === undefined) throw new Error(`${expression.variable.name} holds no sampler`);
      return known;
    }
    case 'field': {
      const object = lowerSampler(lowering, expression.object);
      if (object.type.kind !== 'struct') throw new Error('a field of something else than a struct');
      const skipped = object.type.fields
        .slice(0, expression.fieldIndex)
        .reduce((sum, field) => sum + samplerCount(field.type), 0);
      return { ...object, firstSlot: object.firstSlot + skipped, type: expression.type };
    }
    case 'index': {
      const object = lowerSampler(lowering, expression.object);
      const { element, count } = elementsOf(object.type);
      const stride = samplerCount(element);
      const constant = expression.index.constant?.[0];
      if (constant !== undefined) {
        const inside = Math.min(Math.max(constant, 0), count - 1);
        return { ...object, firstSlot: object.firstSlot + inside * stride, type: element };
      }
      const index = lowerScalar(lowering, expression.index);
      return { ...object, type: element, computed: [...object.computed, { index, stride, count }] };
    }
    default:
      throw new Error(`${expression.kind} names no sampler`);
  }
}
