/** Inlining of the shader's functions. */

import type { IrValue } from '../ir/ir.ts';
import { lowerConstructor } from '../operations/lower-constructor.ts';
import { irTypeOf, samplerCount, scalarBases } from '../operations/type-layout.ts';
import type { Expression, FunctionSymbol } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';
import { lowerTarget } from './lower-place.ts';
import { lowerSampler } from './lower-sampler.ts';
import type { Lowering, ReturnTarget } from './lowering.ts';
import { type Place, readPlace, wholePlace, writePlace } from './place.ts';
import { countReturns } from './scan-symbols.ts';

/**
 * Inlines `callee`. Arguments are evaluated and copied in from left to right. After the body, out
 * arguments are copied back from left to right. Two arguments may therefore name the same variable.
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
        ? lowering.lowerExpression(argument)
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

  const convert = (from: GlslType, to: GlslType, values: readonly IrValue[]) =>
    from === to ? values : lowerConstructor(builder, to, [{ type: from, values }]);
  for (const [k, { parameter, target }] of bound.entries()) {
    if (target === null) continue;
    const source = wholePlace(lowering.storageOf(parameter));
    writePlace(builder, target, convert(parameter.type, args[k]!.type, readPlace(builder, source)));
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
    // A function with a value that reaches its end without a return has an undefined value; it
    // returns zeros.
    const values = endsInOnlyReturn ? [] : lowering.zeros(callee.returnType);
    const target: ReturnTarget = { label: null, variables: [], values };
    lowering.returnTarget = target;
    lowering.lowerStatement(body);
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
      lowering.lowerStatement(body);
    });
    result = variables.map((variable) => builder.readVariable(variable));
  }
  lowering.returnTarget = outer.returnTarget;
  lowering.jumps = outer.jumps;
  return result;
}
