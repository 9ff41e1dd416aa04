/**
 * What OpenGL says of a linked program: attributes, uniforms, blocks and outputs that a shader uses anywhere, whether
 * or not the compiler finds that nothing comes of them (static use, GLSL ES 3.00 section 2.12.6 of OpenGL ES 3.0).
 */

import { locationSizes } from '../lower/stage-interface.ts';
import { baseOf, componentCount, leavesOf } from '../operations/type-layout.ts';
import type { CheckedShader, ShaderStage, VariableSymbol } from '../tree/checked-tree.ts';
import { collectUsedVariables } from '../tree/tree-visit.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';
import { type BlockLayout, layoutBlock } from './block-layout.ts';

/** A scalar, vector or matrix, or an array of these. */
interface ValueShape {
  readonly scalarType: ScalarBase;
  /** Components of a vector, rows of a matrix. */
  readonly rows: number;
  readonly columns: number;
  readonly arrayLength: number;
  readonly isArray: boolean;
}

export interface InterfaceValue extends ValueShape {
  readonly name: string;
}

export interface InterfaceSampler {
  readonly name: string;
  readonly dimension: '2d' | 'cube' | '3d' | '2d-array';
  readonly isShadow: boolean;
  readonly scalarType: 'float' | 'int' | 'uint';
  readonly arrayLength: number;
}

export interface InterfaceAttribute {
  readonly name: string;
  readonly scalarType: ScalarBase;
  readonly componentCount: number;
  readonly locationCount: number;
  /** From `layout(location = …)`, else `null`. */
  readonly location: number | null;
}

export interface ProgramInterface {
  readonly attributes: readonly InterfaceAttribute[];
  /** Numbers of vertices and instances that the vertex stage reads, by their names. */
  readonly builtInAttributes: readonly string[];
  /** Of the default block. */
  readonly uniforms: readonly InterfaceValue[];
  readonly samplers: readonly InterfaceSampler[];
  /** With the stages that read something of them. */
  readonly blocks: readonly (BlockLayout & { readonly readers: readonly ShaderStage[] })[];
  /** Of the vertex stage, `gl_Position` and `gl_PointSize` too if they are written. */
  readonly vertexOutputs: readonly InterfaceValue[];
  /** Of the fragment stage, with the number of the first colour buffer. */
  readonly fragmentOutputs: readonly (InterfaceValue & { readonly location: number })[];
}

/** @param vertex Checked without errors, as `fragment`, and both fit each other. */
export function describeInterface(
  vertex: CheckedShader,
  fragment: CheckedShader,
): ProgramInterface {
  const stages = [vertex, fragment].map((shader) => ({
    shader,
    used: collectUsedVariables(shader),
  }));
  const [vertexStage] = stages;
  const uniforms: InterfaceValue[] = [];
  const samplers: InterfaceSampler[] = [];
  const seen = new Set<string>();
  for (const { shader, used } of stages) {
    for (const { variable } of shader.globals) {
      const { name, storage, block } = variable;
      if (storage !== 'uniform' || block !== null || !used.has(variable) || seen.has(name))
        continue;
      seen.add(name);
      for (const leaf of leavesOf(name, variable.type)) {
        const sampler = describeSampler(leaf.name, leaf.type);
        if (sampler === null) uniforms.push({ name: leaf.name, ...describeValue(leaf.type) });
        else samplers.push(sampler);
      }
    }
    // Those of the state, which are of structure types.
    for (const symbol of shader.builtins) {
      if (symbol.name !== 'gl_DepthRange' || seen.has(symbol.name)) continue;
      seen.add(symbol.name);
      for (const leaf of leavesOf(symbol.name, symbol.type)) {
        uniforms.push({ name: leaf.name, ...describeValue(leaf.type) });
      }
    }
  }
  const blocks = new Map(
    stages.flatMap(({ shader, used }) =>
      shader.blocks
        .filter((block) => block.layout !== 'packed' || isBlockUsed(shader, block.name, used))
        .map((block) => [block.name, block] as const),
    ),
  );
  return {
    attributes: vertex.globals.flatMap(({ variable }) =>
      variable.storage === 'input' && vertexStage!.used.has(variable)
        ? [describeAttribute(variable)]
        : [],
    ),
    builtInAttributes: vertex.builtins
      .map(({ name }) => name)
      .filter((name) => name === 'gl_VertexID' || name === 'gl_InstanceID'),
    uniforms,
    samplers,
    blocks: [...blocks.values()].map((block) => ({
      ...layoutBlock(block),
      readers: stages
        .filter(({ shader, used }) => isBlockUsed(shader, block.name, used))
        .map(({ shader }) => shader.stage),
    })),
    vertexOutputs: [
      ...vertex.builtins.filter(({ name }) => name === 'gl_Position' || name === 'gl_PointSize'),
      ...vertex.globals.map(({ variable }) => variable).filter(isOutput),
    ].flatMap(({ name, type }) =>
      leavesOf(name, type).map((leaf) => ({ name: leaf.name, ...describeValue(leaf.type) })),
    ),
    fragmentOutputs: listFragmentOutputs(fragment),
  };
}

const isOutput = ({ storage }: VariableSymbol): boolean => storage === 'output';

function isBlockUsed(
  shader: CheckedShader,
  name: string,
  used: ReadonlySet<VariableSymbol>,
): boolean {
  return shader.globals.some(({ variable }) => variable.block?.name === name && used.has(variable));
}

function describeAttribute({ name, type, location }: VariableSymbol): InterfaceAttribute {
  const sizes = locationSizes(type);
  const element = type.kind === 'array' ? type.element : type;
  return {
    name,
    scalarType: baseOf(element),
    componentCount: sizes[0]!,
    locationCount: sizes.length,
    location,
  };
}

function describeSampler(name: string, type: GlslType): InterfaceSampler | null {
  const element = type.kind === 'array' ? type.element : type;
  if (element.kind !== 'sampler') return null;
  const { dimension, isShadow, base } = element;
  return {
    name,
    dimension: dimension === '1d' || dimension === '2d-rect' ? '2d' : dimension,
    isShadow,
    scalarType: base,
    arrayLength: type.kind === 'array' ? type.length : 1,
  };
}

function describeValue(type: GlslType): ValueShape {
  const isArray = type.kind === 'array';
  const element = isArray ? type.element : type;
  return {
    scalarType: baseOf(element),
    rows: element.kind === 'matrix' ? element.rows : componentCount(element),
    columns: element.kind === 'matrix' ? element.columns : 1,
    arrayLength: isArray ? type.length : 1,
    isArray,
  };
}

function listFragmentOutputs(fragment: CheckedShader): ProgramInterface['fragmentOutputs'] {
  const outputs = fragment.globals.map(({ variable }) => variable).filter(isOutput);
  return outputs.map(({ name, type, location }) => ({
    name,
    ...describeValue(type),
    location: location ?? 0,
  }));
}
