/**
 * Links two checked shaders into a program: IR of the stages with final numbers, and the
 * reflection. The fragment stage comes first because the inputs it reads decide what the vertex
 * stage must compute.
 */
import { OUTSIDE_SLOT, type ShaderProgram, VARYING_SLOT } from '@tessera/frame';
import type { IrProgram } from '../ir/ir.ts';
import { optimize } from '../ir/passes/optimize.ts';
import { slicePosition } from '../ir/passes/position-slice.ts';
import { lowerShader } from '../lower/lower-shader.ts';
import type { CheckedShader } from '../tree/checked-tree.ts';
import { linkAttributes } from './link-attributes.ts';
import { linkSamplers, linkUniforms, type NumberMap } from './link-uniforms.ts';
import { linkVaryings } from './link-varyings.ts';
import { findInterfaceUse, remapInterface } from './remap-interface.ts';

/** `ShaderProgram` with its stages still in IR. */
export interface LinkedProgram
  extends Omit<ShaderProgram, 'sha256' | 'vertex' | 'positionOnly' | 'fragment'> {
  readonly vertex: IrProgram;
  readonly positionOnly: IrProgram;
  readonly fragment: IrProgram;
}

/** Links two shaders that passed their own checks and the checks of the pair. */
export function linkProgram(vertex: CheckedShader, fragment: CheckedShader): LinkedProgram {
  // 1. Lower each stage alone. The vertex stage keeps only the varyings that the fragment stage
  //    reads.
  const loweredFragment = lowerShader(fragment);
  const loweredVertex = lowerShader(vertex);
  const fragmentIr = optimize(loweredFragment.program);
  const fragmentUse = findInterfaceUse(fragmentIr);
  const varyings = linkVaryings(
    loweredVertex.interface.varyingOutputs,
    loweredFragment.interface.inputs,
    fragmentUse.inputs,
  );
  const vertexIr = optimize(
    remapInterface(loweredVertex.program, {
      output: (slot) => {
        const isVarying = slot >= VARYING_SLOT && slot !== OUTSIDE_SLOT;
        return isVarying ? (varyings.outputMap.get(slot) ?? null) : slot;
      },
    }),
  );
  const vertexUse = findInterfaceUse(vertexIr);

  // 2. Link uniforms, samplers and attributes.
  const interfaces = [loweredVertex.interface, loweredFragment.interface];
  const uses = [vertexUse, fragmentUse];
  const { uniforms, constantWords, wordMaps } = linkUniforms(
    interfaces.map((stage, k) => ({ variables: stage.uniforms, used: uses[k]!.words })),
  );
  const { samplers, slotMaps } = linkSamplers(
    interfaces.map((stage, k) => ({ variables: stage.samplers, used: uses[k]!.textureSlots })),
  );
  const attributes = linkAttributes(loweredVertex.interface.inputs, vertexUse.inputs);

  // 3. Replace all numbers by the final ones.
  const [linkedVertex, linkedFragment] = [vertexIr, fragmentIr].map((ir, k) =>
    remapInterface(ir, {
      word: lookUp(wordMaps[k]!),
      textureSlot: lookUp(slotMaps[k]!),
      input: k === 0 ? lookUp(attributes.slotMap) : (slot) => varyings.inputMap.get(slot) ?? null,
    }),
  ) as [IrProgram, IrProgram];
  return {
    vertex: linkedVertex,
    positionOnly: slicePosition(linkedVertex),
    fragment: linkedFragment,
    attributes: attributes.attributes,
    uniforms,
    samplers,
    varyings: varyings.varyings,
    varyingComponentCount: varyings.count,
    constantWords,
  };
}

function lookUp(map: NumberMap): (key: number) => number {
  return (key) => {
    const value = map.get(key);
    if (value === undefined) throw new Error(`link: number ${key} is used but not placed`);
    return value;
  };
}
