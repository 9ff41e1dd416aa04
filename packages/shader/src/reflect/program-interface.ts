/**
 * Interface of a linked program as OpenGL reports it: attributes, uniforms, blocks and outputs that
 * a shader uses statically, even if the compiler finds that they have no effect (OpenGL ES 3.0,
 * section 2.12.6).
 */

import { DEFAULT_SHADER_LIMITS } from '../glsl/language/limits.ts';
import { locationSizes } from '../lower/stage-interface.ts';
import { baseOf, componentCount, frameDimension, leavesOf } from '../operations/type-layout.ts';
import type { CheckedShader, ShaderStage, VariableSymbol } from '../tree/checked-tree.ts';
import { collectUsedVariables } from '../tree/tree-visit.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';
import { type BlockLayout, layoutBlock } from './block-layout.ts';

/** Shape of a scalar, vector or matrix, or of an array of these. */
interface ValueShape {
  readonly scalarType: ScalarBase;
  /** Number of components of a vector, or of rows of a matrix. */
  readonly rows: number;
  readonly columns: number;
  readonly arrayLength: number;
  readonly isArray: boolean;
}

/** Uniform or output of a program. */
export interface InterfaceValue extends ValueShape {
  readonly name: string;
}

/** Sampler uniform of a program. */
export interface InterfaceSampler {
  readonly name: string;
  readonly dimension: '2d' | 'cube' | '3d' | '2d-array';
  readonly isShadow: boolean;
  readonly scalarType: 'float' | 'int' | 'uint';
  readonly arrayLength: number;
}

/** Vertex attribute of a program. */
export interface InterfaceAttribute {
  readonly name: string;
  readonly scalarType: ScalarBase;
  readonly componentCount: number;
  readonly locationCount: number;
  /** Location from `layout(location = …)`; `null` without one. */
  readonly location: number | null;
}

/** Color output of a fragment shader. */
export interface FragmentOutputInfo extends InterfaceValue {
  /** Index of the first color buffer. */
  readonly location: number;
  /** Blend source that the output is: 0, or 1 for the second color. */
  readonly index: number;
}

/** Interface variables of a linked program, by kind. */
export interface ProgramInterface {
  readonly attributes: readonly InterfaceAttribute[];
  /** Names of `gl_VertexID` and `gl_InstanceID` if the vertex stage reads them. */
  readonly builtInAttributes: readonly string[];
  /**
   * Names of the inputs that are constant in a draw, such as `gl_DrawID`, if a stage reads them.
   */
  readonly drawConstants: readonly string[];
  /** Number of views of each draw (OVR_multiview2). */
  readonly viewCount: number;
  /** Uniforms of the default block. */
  readonly uniforms: readonly InterfaceValue[];
  readonly samplers: readonly InterfaceSampler[];
  /** Uniform blocks with the stages that read any of their members. */
  readonly blocks: readonly (BlockLayout & { readonly readers: readonly ShaderStage[] })[];
  /** Outputs of the vertex stage, including `gl_Position` and `gl_PointSize` if written. */
  readonly vertexOutputs: readonly InterfaceValue[];
  /** Color outputs of the fragment stage. */
  readonly fragmentOutputs: readonly FragmentOutputInfo[];
}

/**
 * Lists the interface of a program.
 *
 * @param vertex Shader without errors that links with `fragment`.
 */
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
    // Built-in uniforms, which have structure types.
    for (const symbol of shader.builtins) {
      if (symbol.name !== 'gl_DepthRange' || !used.has(symbol) || seen.has(symbol.name)) continue;
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
    drawConstants: [
      ...new Set(
        stages.flatMap(({ used }) =>
          [...used].map(({ name }) => name).filter((name) => DRAW_CONSTANTS.has(name)),
        ),
      ),
    ],
    viewCount: vertex.viewCount ?? 1,
    uniforms,
    samplers,
    blocks: [...blocks.values()].map((block) => ({
      ...layoutBlock(block),
      readers: stages
        .filter(({ shader, used }) => isBlockUsed(shader, block.name, used))
        .map(({ shader }) => shader.stage),
    })),
    vertexOutputs: listVertexOutputs(vertex),
    fragmentOutputs: listFragmentOutputs(fragment),
  };
}

/** Inputs of the language that are constant in a draw. A program has them as uniforms. */
const DRAW_CONSTANTS: ReadonlySet<string> = new Set([
  'gl_DrawID',
  'gl_NumSamples',
  'gl_ViewID_OVR',
]);

/** Outputs of the language that transform feedback can capture. */
const VERTEX_OUTPUTS: ReadonlySet<string> = new Set([
  'gl_Position',
  'gl_PointSize',
  'gl_ClipDistance',
  'gl_FrontColor',
  'gl_BackColor',
  'gl_FrontSecondaryColor',
  'gl_BackSecondaryColor',
  'gl_TexCoord',
  'gl_FogFragCoord',
]);

/** Lists the outputs of a vertex shader, those of the language if it uses them. */
export function listVertexOutputs(vertex: CheckedShader): readonly InterfaceValue[] {
  return [
    ...vertex.builtins.filter(({ name }) => VERTEX_OUTPUTS.has(name)),
    ...vertex.globals.map(({ variable }) => variable).filter(isOutput),
  ].flatMap(({ name, type }) =>
    leavesOf(name, type).map((leaf) => ({ name: leaf.name, ...describeValue(leaf.type) })),
  );
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
    dimension: frameDimension(dimension),
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

/** Color outputs of GLSL ES 1.00, with the blend source that each is. */
const BUILT_IN_OUTPUTS: ReadonlyMap<string, number> = new Map([
  ['gl_FragColor', 0],
  ['gl_FragData', 0],
  ['gl_SecondaryFragColorEXT', 1],
  ['gl_SecondaryFragDataEXT', 1],
]);

/**
 * Lists the outputs that a fragment shader declares, and in GLSL ES 1.00 those of the language that
 * it uses. With `GL_EXT_draw_buffers`, `gl_FragColor` has an element for each color.
 */
function listFragmentOutputs(fragment: CheckedShader): ProgramInterface['fragmentOutputs'] {
  const declared = fragment.globals.map(({ variable }) => variable).filter(isOutput);
  const outputs = declared.map(({ name, type, location, index }) => ({
    name,
    ...describeValue(type),
    location: location ?? 0,
    index,
  }));
  if (fragment.version !== 100) return outputs;
  const builtIn = fragment.builtins.flatMap(({ name, type }) => {
    const index = BUILT_IN_OUTPUTS.get(name);
    if (index === undefined) return [];
    const shape = describeValue(type);
    const isBroadcast = name === 'gl_FragColor' && fragment.hasDrawBuffers;
    const { maxDrawBuffers } = DEFAULT_SHADER_LIMITS;
    const length = isBroadcast ? { arrayLength: maxDrawBuffers } : {};
    return [{ name, ...shape, ...length, location: 0, index }];
  });
  return [...outputs, ...builtIn];
}
