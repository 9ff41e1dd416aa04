/**
 * Lowers the checked syntax tree to IR: one body with all functions inlined and all values split
 * into scalars. The result is simple, not fast; the passes in `ir/passes` optimize it.
 */
import { POSITION_SLOT } from '@tessera/frame';
import type { IrProgram, IrValue } from '../ir/ir.ts';
import { samplerCount } from '../operations/type-layout.ts';
import type { CheckedShader, VariableSymbol } from '../tree/checked-tree.ts';
import { lowerCall } from './lower-call.ts';
import { discardClipped, writeOutside } from './lower-distances.ts';
import { lowerExpression } from './lower-expression.ts';
import { prepareInterpolants } from './lower-interpolation.ts';
import { lowerStatement } from './lower-statement.ts';
import { Lowering } from './lowering.ts';
import { readPlace, wholePlace, writePlace } from './place.ts';
import { scanSymbols } from './scan-symbols.ts';
import { InterfaceCollector, type StageInterface, type SymbolBinding } from './stage-interface.ts';

/** IR of a stage with its interface. */
export interface LoweredShader {
  readonly program: IrProgram;
  readonly interface: StageInterface;
}

/**
 * Lowers `shader`, which must have no errors. Slots and words are those of `interface`; outputs
 * that fixed-function units read have their final slots.
 */
export function lowerShader(shader: CheckedShader): LoweredShader {
  const facts = scanSymbols(shader);
  const collector = new InterfaceCollector(shader.stage);
  const rules = { expression: lowerExpression, statement: lowerStatement };
  const lowering: Lowering = new Lowering(shader, facts, rules, (symbol) => {
    bindSymbol(lowering, symbol, collector.bind(symbol));
  });
  const { builder } = lowering;

  // 1. Allocate storage for all globals and write initial values in order of declaration.
  for (const symbol of lowering.builtins.values()) {
    bindSymbol(lowering, symbol, collector.bind(symbol));
  }
  for (const { variable, initializer } of shader.globals) {
    bindSymbol(lowering, variable, collector.bind(variable, initializer?.constant ?? null));
  }
  lowering.placeConstantArrays();
  for (const { variable, initializer } of shader.globals) {
    // Values of uniforms come from outside, values of constants from their symbols.
    if (initializer === null || variable.storage !== 'global') continue;
    const place = wholePlace(lowering.storageOf(variable));
    builder.line = variable.position.row;
    writePlace(builder, place, lowering.lowerExpression(initializer));
    builder.line = 0;
  }

  // 2. Lower the body of main, then write the outputs with the final values of their variables.
  const main = shader.functions.at(-1);
  if (main === undefined) throw new Error('the checked shader has no main function');
  prepareInterpolants(lowering);
  if (shader.stage === 'fragment') discardClipped(lowering, shader.clipMask);
  lowerCall(lowering, main, []);
  for (const { symbol, slots } of lowering.outputs) {
    const values = readPlace(builder, wholePlace(lowering.storageOf(symbol)));
    const scale = symbol.isNoPerspective ? positionW(lowering) : null;
    values.forEach((value, k) => {
      const slot = slots[k]!;
      if (slot === null) return;
      const written = scale === null ? value : builder.operator('fmul', value, scale);
      builder.emit({ kind: 'output', slot, value: written });
    });
  }
  if (shader.stage === 'vertex') writeOutside(lowering, shader.clipMask);
  if (
    shader.stage === 'vertex' &&
    !lowering.outputs.some(({ slots }) => slots[0] === POSITION_SLOT)
  ) {
    // A vertex without a position is at the origin with w = 0, which makes its primitives
    // invisible.
    for (let slot = 0; slot < 4; slot++) {
      builder.emit({ kind: 'output', slot, value: builder.float(0) });
    }
  }
  const isOrdered = lowering.outputs.some(({ symbol }) => symbol.isInvariant);
  return {
    program: { ...builder.finish(shader.stage), ...(isOrdered ? { isOrdered } : {}) },
    interface: collector.result,
  };
}

/**
 * Binds an input that is linear in window coordinates. The vertex stage has multiplied it by the w
 * of its position. Perspective interpolation divides by the interpolated 1/w, which is
 * `gl_FragCoord.w`; the product with it is the linear value, at clipped vertices too.
 */
function readLinear(
  lowering: Lowering,
  symbol: VariableSymbol,
  binding: SymbolBinding & { kind: 'input' },
): void {
  const { builder } = lowering;
  lowering.setStorage(symbol, binding);
  const scale = builder.builtinInput('fragCoord.w');
  const values = readPlace(builder, wholePlace(lowering.storageOf(symbol)));
  lowering.setStorage(symbol, {
    kind: 'values',
    values: values.map((value) => builder.operator('fmul', value, scale)),
  });
}

/** Returns the w of the vertex position at the end of the shader. */
function positionW(lowering: Lowering): IrValue {
  const type = { kind: 'vector', base: 'float', size: 4 } as const;
  const position = lowering.builtinStorage('gl_Position', type);
  return readPlace(lowering.builder, wholePlace(position))[3]!;
}

function bindSymbol(
  lowering: Lowering,
  symbol: VariableSymbol,
  binding: SymbolBinding | null,
): void {
  const { builder } = lowering;
  switch (binding?.kind) {
    case 'uniform': {
      const { firstWord, firstSampler } = binding;
      lowering.setStorage(symbol, { kind: 'uniform', firstWord });
      if (samplerCount(symbol.type) > 0) {
        const place = { firstSlot: firstSampler, type: symbol.type, computed: [] };
        lowering.samplers.set(symbol, place);
      }
      break;
    }
    case 'input':
      if (binding.isNoPerspective) readLinear(lowering, symbol, binding);
      else lowering.setStorage(symbol, binding);
      break;
    case 'builtinInput':
      lowering.setStorage(symbol, binding);
      break;
    case 'output': {
      const place = wholePlace(lowering.allocate(symbol));
      const { slots } = binding;
      const isDepth = symbol.name === 'gl_FragDepth' || symbol.name === 'gl_FragDepthEXT';
      if (isDepth) {
        // Paths through the shader that do not write the depth keep that of the primitive.
        writePlace(builder, place, [builder.builtinInput('fragCoord.z')]);
      }
      // Likewise, these keep all samples.
      if (symbol.name === 'gl_SampleMask') writePlace(builder, place, [builder.int(-1)]);
      const isWritten = lowering.facts.written.has(symbol);
      if (slots !== null && (isWritten || symbol.storage === 'output')) {
        const isTarget = (slot: number): boolean => lowering.facts.writtenTargets.has(slot >> 2);
        const isFragData = symbol.name === 'gl_FragData';
        lowering.outputs.push({
          symbol,
          slots: slots.map((slot) => (isFragData && !isTarget(slot) ? null : slot)),
        });
        if (symbol.name === 'gl_FragColor') {
          for (let target = 1; target < lowering.colorTargetCount; target++) {
            lowering.outputs.push({ symbol, slots: slots.map((slot) => 4 * target + slot) });
          }
        }
      }
      break;
    }
    case undefined:
      if (symbol.constant === null) lowering.allocate(symbol);
      break;
  }
}
