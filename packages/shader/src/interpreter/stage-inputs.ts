/** Inputs of one group of four lanes, read from the memory of the stage by plain arithmetic. */
import { type IsaProgram, samplePatternOf } from '@tessera/frame';
import type { BuiltinInput } from '../ir/ir.ts';
import {
  AT_SAMPLE,
  HAS_EIGHT_SAMPLES,
  LANES,
  PRIMITIVE_FLAGS,
  PRIMITIVE_RECORD,
  primitiveStrideBytes,
  QUAD_RECORD,
  SAMPLE_MASK_SHIFT,
  SAMPLE_NUMBER_SHIFT,
  VECTOR_BYTES,
  vertexBuiltinPosition,
} from '../isa/stage-memory.ts';

const { fround } = Math;

/** Reader of the inputs of a group, 32 bits per lane. */
export interface GroupInputs {
  input(slot: number, isFlat: boolean, lane: number): number;
  builtin(name: BuiltinInput, lane: number): number;
}

/**
 * Returns the inputs of a group of vertices.
 *
 * @param groupPtr Address of the first input vector of the group.
 */
export function vertexInputs(program: IsaProgram, memory: DataView, groupPtr: number): GroupInputs {
  const wordAt = (position: number, lane: number) =>
    memory.getInt32(groupPtr + position * VECTOR_BYTES + lane * 4, true);
  return {
    input: (slot, _isFlat, lane) => wordAt(program.inputSlots.indexOf(slot), lane),
    builtin(name, lane) {
      if (name !== 'vertexId' && name !== 'instanceId') {
        throw new Error(`built-in input ${name} is not available in a vertex program`);
      }
      return wordAt(vertexBuiltinPosition(program, name), lane);
    },
  };
}

const floatView = new Float32Array(1);
const bitsView = new Int32Array(floatView.buffer);

function bitsOf(value: number): number {
  floatView[0] = value;
  return bitsView[0]!;
}

/** Pixels and samples of a quad. */
interface QuadPlaces {
  /** Sample that the quad is shaded at; `null` for the centers of its pixels. */
  readonly sample: number | null;
  readonly sampleCount: number;
  /** Offset of the sample from the center in pixels, x to the right, y down. */
  readonly offsetX: number;
  readonly offsetY: number;
  /** Place where a lane is shaded. */
  pixel(lane: number): { readonly x: number; readonly y: number };
  /** Covered samples of a lane, one bit each. */
  coverage(lane: number): number;
}

function readPlaces(memory: DataView, quadPtr: number): QuadPlaces {
  const mask = memory.getInt32(quadPtr + QUAD_RECORD.mask, true);
  const more = memory.getUint16(quadPtr + QUAD_RECORD.moreSamples, true);
  const fewer = mask >>> SAMPLE_MASK_SHIFT === 0 ? 1 : 4;
  const sampleCount = (mask & HAS_EIGHT_SAMPLES) === 0 ? fewer : 8;
  const pattern = samplePatternOf(sampleCount);
  const sample = (mask & AT_SAMPLE) === 0 ? null : (mask >> SAMPLE_NUMBER_SHIFT) & 7;
  const offsetX = sample === null ? 0 : pattern.x[sample]! / 16;
  const offsetY = sample === null ? 0 : pattern.y[sample]! / 16;
  return {
    sample,
    sampleCount,
    offsetX,
    offsetY,
    pixel: (lane) => ({
      x: memory.getInt32(quadPtr + QUAD_RECORD.x, true) + (lane % 2) + 0.5 + offsetX,
      y: memory.getUint16(quadPtr + QUAD_RECORD.y, true) + Math.floor(lane / 2) + 0.5 + offsetY,
    }),
    coverage(lane) {
      if (sampleCount === 1) return (mask >> lane) & 1;
      const lanesOf = (index: number) =>
        index < 4 ? mask >>> (SAMPLE_MASK_SHIFT + LANES * index) : more >> (LANES * (index - 4));
      return pattern.x.reduce(
        (bits, _, index) => bits | (((lanesOf(index) >> lane) & 1) << index),
        0,
      );
    },
  };
}

/**
 * Returns the inputs of a quad.
 *
 * @param quadPtr Address of the quad's record.
 */
export function fragmentInputs(
  program: IsaProgram,
  memory: DataView,
  quadPtr: number,
  primitivesPtr: number,
): GroupInputs {
  const index = memory.getInt32(quadPtr + QUAD_RECORD.primitive, true);
  const record = primitivesPtr + index * primitiveStrideBytes(program);
  const float = (offset: number) => memory.getFloat32(record + offset, true);
  const places = readPlaces(memory, quadPtr);
  const { sample, pixel } = places;
  const plane = (offset: number, lane: number): number => {
    const { x, y } = pixel(lane);
    const stepX = fround(x - float(PRIMITIVE_RECORD.originX));
    const stepY = fround(y - float(PRIMITIVE_RECORD.originY));
    const alongX = fround(float(offset) + fround(float(offset + 4) * stepX));
    return fround(alongX + fround(float(offset + 8) * stepY));
  };
  const pointCoord = (position: number, edgeOffset: number): number =>
    fround(
      fround(position - float(PRIMITIVE_RECORD.pointSprite + edgeOffset)) *
        float(PRIMITIVE_RECORD.pointSprite + 8),
    );

  return {
    input(slot, isFlat, lane) {
      const position = program.inputSlots.indexOf(slot);
      const offset = PRIMITIVE_RECORD.varyings + position * VECTOR_BYTES;
      if (isFlat) return memory.getInt32(record + offset, true);
      const w = fround(1 / plane(PRIMITIVE_RECORD.inverseW, lane));
      return bitsOf(fround(plane(offset, lane) * w));
    },
    builtin(name, lane) {
      switch (name) {
        case 'fragCoord.x':
          return bitsOf(pixel(lane).x);
        case 'fragCoord.y':
          return bitsOf(fround(float(PRIMITIVE_RECORD.targetHeight) - pixel(lane).y));
        case 'fragCoord.z':
          return bitsOf(plane(PRIMITIVE_RECORD.depth, lane));
        case 'fragCoord.w':
          return bitsOf(plane(PRIMITIVE_RECORD.inverseW, lane));
        case 'frontFacing': {
          const flags = memory.getInt32(record + PRIMITIVE_RECORD.flags, true);
          return flags & PRIMITIVE_FLAGS.frontFacing ? -1 : 0;
        }
        case 'pointCoord.x':
          return bitsOf(pointCoord(pixel(lane).x, 0));
        case 'pointCoord.y':
          return bitsOf(pointCoord(pixel(lane).y, 4));
        case 'shape.x':
          return memory.getInt32(record + PRIMITIVE_RECORD.shapeX, true);
        case 'shape.y':
          return memory.getInt32(record + PRIMITIVE_RECORD.shapeY, true);
        case 'sampleId':
          return sample ?? 0;
        case 'samplePosition.x':
          return bitsOf(0.5 + places.offsetX);
        case 'samplePosition.y':
          return bitsOf(0.5 - places.offsetY);
        case 'sampleMask':
          return places.coverage(lane);
        case 'sampleCount':
          return places.sampleCount;
        default:
          throw new Error(`built-in input ${name} is not available in a fragment program`);
      }
    },
  };
}
