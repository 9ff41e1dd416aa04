/**
 * Texture lookups of all versions, recognized by the parts of their names: `texture2DProjLod`,
 * `textureGradOffset`, `shadow2D`, `texelFetch`.
 *
 * A lookup has these operands in order: coordinates; a bias, a level or derivatives; the reference
 * value of a shadow lookup; offsets in integer texels. A one-dimensional texture is a 2D one
 * sampled in the middle, and an array of them is an array of such. Coordinates of rectangle
 * textures are divided by the size. The texels of a buffer texture fill the rows of a 2D one, which
 * all have the same length.
 */

import type { IrNode, IrValue, TextureOperation } from '../ir/ir.ts';
import { frameDimension } from '../operations/type-layout.ts';
import type { Expression } from '../tree/checked-tree.ts';
import type { GlslType } from '../tree/types.ts';
import { lowerSampler } from './lower-sampler.ts';
import type { Lowering, SamplerPlace } from './lowering.ts';

type SamplerType = GlslType & { kind: 'sampler' };
type Call = Expression & { kind: 'builtinCall' };
type TextureNode = IrNode & { kind: 'texture' };

const LOOKUP_NAME =
  /^(?:texture|shadow)(?:1DArray|2DArray|1D|2DRect|2D|3D|Cube)?(Proj)?(Lod|Grad)?(Offset)?(?:EXT|ARB)?$/;

const DIRECT_NAME =
  /^(?:textureSize|texelFetch)(?:1DArray|2DArray|1D|2DRect|2D|3D|Cube)?(?:Offset)?$/;

/** Whether `name` is a texture function. */
export function isTextureFunction(name: string): boolean {
  return LOOKUP_NAME.test(name) || DIRECT_NAME.test(name);
}

/** Lowers a call of a texture function; returns the scalars of its result. */
export function lowerTextureCall(lowering: Lowering, call: Call): readonly IrValue[] {
  const [samplerArgument, ...rest] = call.arguments;
  const sampler = lowerSampler(lowering, samplerArgument!);
  if (sampler.type.kind !== 'sampler')
    throw new Error('the first argument of a texture lookup is not a sampler');
  const operands = rest.map((argument) => lowering.lowerExpression(argument));
  const lookup = { lowering, sampler, type: sampler.type, call, operands };
  if (call.name.startsWith('textureSize')) {
    const size = sizeOf(lookup, operands[0]?.[0] ?? lowering.builder.int(0));
    if (sampler.type.dimension === '1d-array') return [size[0]!, size[2]!];
    if (sampler.type.dimension === 'buffer') {
      return [lowering.builder.operator('imul', size[0]!, size[1]!)];
    }
    return size.slice(0, call.type.kind === 'vector' ? call.type.size : 1);
  }
  return call.name.startsWith('texelFetch') ? lowerFetch(lookup) : lowerLookup(lookup);
}

interface Lookup {
  readonly lowering: Lowering;
  readonly sampler: SamplerPlace;
  readonly type: SamplerType;
  readonly call: Call;
  /** Arguments after the sampler. */
  readonly operands: readonly (readonly IrValue[])[];
}

function coordinateCount({ dimension }: SamplerType): number {
  if (dimension === '1d') return 1;
  return dimension === '2d' || dimension === '2d-rect' || dimension === '1d-array' ? 2 : 3;
}

/** Whether the texture is one-dimensional, so that it has a row that the shader does not name. */
function hasHiddenRow({ dimension }: SamplerType): boolean {
  return dimension === '1d' || dimension === '1d-array';
}

function lowerFetch(lookup: Lookup): readonly IrValue[] {
  const { lowering, sampler, type, call, operands } = lookup;
  const { builder } = lowering;
  if (type.dimension === 'buffer') return lowerBufferFetch(lookup);
  // Rectangle textures have one level, which the call does not name.
  const [point, level, offset] =
    type.dimension === '2d-rect' ? [operands[0], [builder.int(0)], operands[1]] : operands;
  const coordinates = point!.map((value, k) =>
    offset?.[k] === undefined ? value : builder.operator('iadd', value, offset[k]!),
  );
  if (hasHiddenRow(type)) coordinates.splice(1, 0, builder.int(0));
  return emitTexture(lowering, sampler, type, 'fetch', [...coordinates, level![0]!], call.type);
}

/** Fetches a texel of a buffer texture. Indices outside of the buffer are outside of the rows. */
function lowerBufferFetch(lookup: Lookup): readonly IrValue[] {
  const { lowering, sampler, type, call, operands } = lookup;
  const { builder } = lowering;
  const zero = builder.int(0);
  const [width] = sizeOf(lookup, zero);
  const index = operands[0]![0]!;
  const row = builder.operator('idiv', index, width!);
  const column = builder.operator('irem', index, width!);
  return emitTexture(lowering, sampler, type, 'fetch', [column, row, zero], call.type);
}

function lowerLookup(lookup: Lookup): readonly IrValue[] {
  const { lowering, sampler, type, call, operands } = lookup;
  const { builder } = lowering;
  const [, isProjective, form, hasOffset] = LOOKUP_NAME.exec(call.name)!;
  const [point, ...others] = operands as [readonly IrValue[], ...(readonly IrValue[])[]];

  // 1. Separate the arguments after the coordinates.
  const explicit = form === 'Lod' ? others.slice(0, 1) : form === 'Grad' ? others.slice(0, 2) : [];
  const afterForm = others.slice(explicit.length);
  const offset = hasOffset === undefined ? null : afterForm[0]!;
  const bias = afterForm[offset === null ? 0 : 1]?.[0];

  // 2. Compute coordinates and reference value, divided for projective forms.
  const count = coordinateCount(type);
  const divisor = isProjective === undefined ? null : point.at(-1)!;
  const project = (value: IrValue): IrValue =>
    divisor === null ? value : builder.operator('fdiv', value, divisor);
  let coordinates = point.slice(0, count).map(project);
  // The reference value follows the coordinates, but is never the second component.
  const reference = type.isShadow ? [project(point[Math.max(count, 2)]!)] : [];
  if (type.dimension === '2d-rect') coordinates = divideBySize(lookup, coordinates);

  // 3. Choose the operation. Vertices have no neighbors, so their implicit level is 0.
  const offsets = offset === null ? [] : [...offset];
  if (hasHiddenRow(type)) {
    coordinates.splice(1, 0, builder.float(0.5));
    if (offset !== null) offsets.push(builder.int(0));
  }
  const last = [...reference, ...offsets];
  if (form === 'Lod' || (form === undefined && lowering.stage === 'vertex')) {
    const level = explicit[0]?.[0] ?? builder.float(0);
    return emitTexture(lowering, sampler, type, 'lod', [...coordinates, level, ...last], call.type);
  }
  if (form === 'Grad') {
    const padding = hasHiddenRow(type) ? [builder.float(0)] : [];
    const isRectangle = type.dimension === '2d-rect';
    const derivatives = explicit.flatMap((vector) => [
      ...(isRectangle ? divideBySize(lookup, vector) : vector),
      ...padding,
    ]);
    const all = [...coordinates, ...derivatives, ...last];
    return emitTexture(lowering, sampler, type, 'grad', all, call.type);
  }
  const operation = bias === undefined ? 'implicit' : 'bias';
  const all = [...coordinates, ...(bias === undefined ? [] : [bias]), ...last];
  return emitTexture(lowering, sampler, type, operation, all, call.type);
}

/** Returns texels of a rectangle texture as parts of its size. */
function divideBySize(lookup: Lookup, texels: readonly IrValue[]): IrValue[] {
  const { builder } = lookup.lowering;
  const size = sizeOf(lookup, builder.int(0));
  return texels.map((value, k) =>
    builder.operator('fdiv', value, builder.operator('i2f', size[k]!)),
  );
}

function sizeOf({ lowering, sampler }: Lookup, level: IrValue): readonly IrValue[] {
  const { builder } = lowering;
  return chooseSlot(lowering, sampler, ['i32', 'i32', 'i32'], (textureSlot) => {
    const results = [
      builder.newValue('i32'),
      builder.newValue('i32'),
      builder.newValue('i32'),
    ] as const;
    builder.emit({ kind: 'textureSize', results, textureSlot, level });
    return results;
  });
}

function emitTexture(
  lowering: Lowering,
  sampler: SamplerPlace,
  type: SamplerType,
  operation: TextureOperation,
  operands: readonly IrValue[],
  resultType: GlslType,
): readonly IrValue[] {
  const { builder } = lowering;
  const dimension: TextureNode['dimension'] = frameDimension(type.dimension);
  // Integer textures return their texels as integers.
  const texel = type.base === 'float' ? 'f32' : 'i32';
  const results = chooseSlot(lowering, sampler, [texel, texel, texel, texel], (textureSlot) => {
    const values = [
      builder.newValue(texel),
      builder.newValue(texel),
      builder.newValue(texel),
      builder.newValue(texel),
    ] as const;
    const { isShadow } = type;
    builder.emit({
      kind: 'texture',
      results: values,
      operation,
      textureSlot,
      operands,
      dimension,
      isShadow,
    });
    return values;
  });
  // Shadow lookups return one component; those of GLSL 1.10 and 1.20 return all.
  return resultType.kind === 'scalar' ? results.slice(0, 1) : results;
}

/**
 * Emits code for the slot that `sampler` names. For a computed slot it emits a chain of `if`s over
 * all slots.
 */
function chooseSlot(
  lowering: Lowering,
  sampler: SamplerPlace,
  types: readonly IrValue['type'][],
  emit: (textureSlot: number) => readonly IrValue[],
): readonly IrValue[] {
  const { builder } = lowering;
  const [step, ...rest] = sampler.computed;
  if (step === undefined) return emit(sampler.firstSlot);
  const variables = types.map((type) => builder.newVariable(type));
  for (let k = 0; k < step.count; k++) {
    const firstSlot = sampler.firstSlot + k * step.stride;
    const inner = { ...sampler, firstSlot, computed: rest };
    builder.if(builder.operator('ieq', step.index, builder.int(k)), () => {
      const values = chooseSlot(lowering, inner, types, emit);
      variables.forEach((variable, v) => {
        builder.writeVariable(variable, values[v]!);
      });
    });
  }
  return variables.map((variable) => builder.readVariable(variable));
}
