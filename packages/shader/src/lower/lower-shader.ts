/**
 * From the checked syntax tree to IR: one body, all functions inlined, everything taken apart into
 * scalars. The result is plain, not fast: `ir/passes` makes it so.
 */
import { POSITION_SLOT } from '@tessera/frame';
import type { IrProgram } from '../ir/ir.ts';
import { samplerCount } from '../operations/type-layout.ts';
import type { CheckedShader, VariableSymbol } from '../tree/checked-tree.ts';
import { lowerCall } from './lower-call.ts';
import { lowerExpression } from './lower-expression.ts';
import { lowerStatement } from './lower-statement.ts';
import { Lowering } from './lowering.ts';
import { readPlace, wholePlace, writePlace } from './place.ts';
import { scanSymbols } from './scan-symbols.ts';
import { InterfaceCollector, type StageInterface, type SymbolBinding } from './stage-interface.ts';

export interface LoweredShader {
  readonly program: IrProgram;
  readonly interface: StageInterface;
}

/**
 * Lowers `shader`, which has no errors. Slots and words are those of `interface`; the outputs that the
 * fixed functions read have their final slots.
 */
export function lowerShader(shader: CheckedShader): LoweredShader {
  const facts = scanSymbols(shader);
  const collector = new InterfaceCollector(shader.stage);
  const rules = { expression: lowerExpression, statement: lowerStatement };
  const lowering: Lowering = new Lowering(shader, facts, rules, (symbol) => {
    bindSymbol(lowering, symbol, collector.bind(symbol));
  });
  const { builder } = lowering;

  // 1. The homes of all globals, initial values in order of declaration.
  for (const symbol of lowering.builtins.values()) {
    bindSymbol(lowering, symbol, collector.bind(symbol));
  }
  for (const { variable, initializer } of shader.globals) {
    bindSymbol(lowering, variable, collector.bind(variable, initializer?.constant ?? null));
  }
  lowering.placeConstantArrays();
  for (const { variable, initializer } of shader.globals) {
    // Uniforms and constants have their values from outside and from their symbols.
    if (initializer === null || variable.storage !== 'global') continue;
    const place = wholePlace(lowering.storageOf(variable));
    writePlace(builder, place, lowering.lowerExpression(initializer));
  }

  // 2. The body of main, then the outputs with what it left in their variables.
  const main = shader.functions.at(-1);
  if (main === undefined) throw new Error('a checked shader has a main function');
  lowerCall(lowering, main, []);
  for (const { symbol, slots } of lowering.outputs) {
    const values = readPlace(builder, wholePlace(lowering.storageOf(symbol)));
    values.forEach((value, k) => {
      const slot = slots[k]!;
      if (slot !== null) builder.emit({ kind: 'output', slot, value });
    });
  }
  if (
    shader.stage === 'vertex' &&
    !lowering.outputs.some(({ slots }) => slots[0] === POSITION_SLOT)
  ) {
    // A vertex without position is at the origin with w = 0: no primitive of it is seen.
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
    case 'builtinInput':
      lowering.setStorage(symbol, binding);
      break;
    case 'output': {
      const place = wholePlace(lowering.allocate(symbol));
      const { slots } = binding;
      const isDepth = symbol.name === 'gl_FragDepth' || symbol.name === 'gl_FragDepthEXT';
      if (isDepth) {
        // Ways through the shader that do not write it keep the depth of the primitive.
        writePlace(builder, place, [builder.builtinInput('fragCoord.z')]);
      }
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
