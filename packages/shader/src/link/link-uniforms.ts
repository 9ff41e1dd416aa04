/**
 * Uniforms and samplers: a name has the same words or slots in both stages. A variable with any
 * used part keeps its whole layout, so that computed indices stay valid. Reflection lists only the
 * used parts.
 */
import type { SamplerInfo, UniformInfo } from '@tessera/frame';
import type { InterfaceVariable } from '../lower/stage-interface.ts';
import {
  baseOf,
  componentCount,
  frameDimension,
  leavesOf,
  samplerCount,
} from '../operations/type-layout.ts';
import type { GlslType } from '../tree/types.ts';

/** Variables of a stage, and the words or slots that the stage uses. */
export interface StageUse {
  readonly variables: readonly InterfaceVariable[];
  readonly used: ReadonlySet<number>;
}

/** Final numbers by the words or slots of an unlinked stage. */
export type NumberMap = ReadonlyMap<number, number>;

/** Uniforms of a program and the renumbering of their words. */
export interface LinkedUniforms {
  readonly uniforms: readonly UniformInfo[];
  readonly constantWords: number;
  /** Renumbering per stage, in the order of the stages. */
  readonly wordMaps: readonly NumberMap[];
}

/** Places the uniforms that any stage uses in one constant bank. */
export function linkUniforms(stages: readonly StageUse[]): LinkedUniforms {
  const { placed, count, maps } = placeVariables(stages, componentCount);
  const uniforms = placed.flatMap(({ name, type, first, isUsed, initialValue }) =>
    leavesOf(name, type)
      .filter((leaf) => isAnyUsed(isUsed, leaf.firstComponent, componentCount(leaf.type)))
      .map((leaf) => {
        const uniform = describeUniform(leaf.name, leaf.type, first + leaf.firstComponent);
        if (initialValue === null) return uniform;
        const end = leaf.firstComponent + componentCount(leaf.type);
        return { ...uniform, initialValue: initialValue.slice(leaf.firstComponent, end) };
      }),
  );
  return { uniforms, constantWords: count, wordMaps: maps };
}

/** Samplers of a program and the renumbering of their slots. */
export interface LinkedSamplers {
  readonly samplers: readonly SamplerInfo[];
  /** Renumbering per stage, in the order of the stages. */
  readonly slotMaps: readonly NumberMap[];
}

/** Places the samplers that any stage uses in consecutive texture slots. */
export function linkSamplers(stages: readonly StageUse[]): LinkedSamplers {
  const { placed, maps } = placeVariables(stages, samplerCount);
  const samplers = placed.flatMap(({ name, type, first, isUsed }) =>
    leavesOf(name, type)
      .filter((leaf) => isAnyUsed(isUsed, leaf.firstSampler, samplerCount(leaf.type)))
      .map((leaf) => describeSampler(leaf.name, leaf.type, first + leaf.firstSampler)),
  );
  return { samplers, slotMaps: maps };
}

interface PlacedVariable {
  readonly name: string;
  readonly type: GlslType;
  readonly first: number;
  /** Whether any stage uses the scalar or sampler, per scalar or sampler of the variable. */
  readonly isUsed: readonly boolean[];
  /** Initial value from the first stage that declares one. */
  readonly initialValue: readonly number[] | null;
}

/** Places each variable that any stage uses once, consecutively. */
function placeVariables(stages: readonly StageUse[], sizeOf: (type: GlslType) => number) {
  const placed: PlacedVariable[] = [];
  const maps = stages.map(() => new Map<number, number>());
  const names = new Set(stages.flatMap(({ variables }) => variables.map(({ name }) => name)));
  let count = 0;
  for (const name of names) {
    const declarations = stages.map(({ variables }) => variables.find((v) => v.name === name));
    const type = declarations.find((declaration) => declaration !== undefined)!.type;
    const size = sizeOf(type);
    const isUsed = Array.from({ length: size }, (_, k) =>
      stages.some(({ used }, stage) => {
        const declaration = declarations[stage];
        return declaration !== undefined && used.has(declaration.first + k);
      }),
    );
    if (!isUsed.includes(true)) continue;
    const initialValue =
      declarations.find((declaration) => declaration?.initialValue)?.initialValue ?? null;
    placed.push({ name, type, first: count, isUsed, initialValue });
    declarations.forEach((declaration, stage) => {
      if (declaration === undefined) return;
      for (let k = 0; k < size; k++) maps[stage]!.set(declaration.first + k, count + k);
    });
    count += size;
  }
  return { placed, count, maps };
}

function isAnyUsed(isUsed: readonly boolean[], first: number, count: number): boolean {
  return isUsed.slice(first, first + count).includes(true);
}

function describeUniform(name: string, type: GlslType, firstWord: number): UniformInfo {
  const isArray = type.kind === 'array';
  const element = isArray ? type.element : type;
  return {
    name,
    scalarType: baseOf(element),
    rows: element.kind === 'matrix' ? element.rows : componentCount(element),
    columns: element.kind === 'matrix' ? element.columns : 1,
    arrayLength: isArray ? type.length : 1,
    isArray,
    firstWord,
  };
}

function describeSampler(name: string, type: GlslType, firstSlot: number): SamplerInfo {
  const isArray = type.kind === 'array';
  const element = isArray ? type.element : type;
  if (element.kind !== 'sampler') throw new Error(`${name} is not a sampler`);
  const { dimension, isShadow } = element;
  return {
    name,
    dimension: frameDimension(dimension),
    isShadow,
    arrayLength: isArray ? type.length : 1,
    firstSlot,
  };
}
