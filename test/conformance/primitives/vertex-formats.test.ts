/**
 * Vertex attributes as the shader receives them: component types, normalization, missing
 * components, offset and stride, instances (GL ES 3.0, sections 2.1.6, 2.8 and 2.9). Every vertex
 * is a point of one pixel that shows its bits.
 */
import type { AttributeSource, ComponentType } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, ENCODE_BITS, type SceneDraw } from '../scene/draw-scene.ts';

type BufferSource = Extract<AttributeSource, { kind: 'buffer' }>;
type Component = 'x' | 'y' | 'z' | 'w';
const COMPONENTS: readonly Component[] = ['x', 'y', 'z', 'w'];

/**
 * Returns a shader that draws points from left to right, with a row per instance.
 *
 * @param bits GLSL expression of type uint.
 */
const vertexShader = (declaration: string, bits: string) => `#version 300 es
precision highp int;
${declaration}
flat out uint shown;
void main() {
  vec2 pixel = vec2(float(gl_VertexID), float(gl_InstanceID)) + 0.5;
  gl_Position = vec4(pixel.x / 8.0 - 1.0, 1.0 - pixel.y / 8.0, 0, 1);
  gl_PointSize = 1.0;
  shown = ${bits};
}`;
const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
flat in uint shown;
out vec4 result;
${ENCODE_BITS}
void main() { result = encodeBits(shown); }`;

interface Read {
  readonly declaration: string;
  readonly bits: string;
  readonly buffer?: ArrayBufferView;
  readonly source?: Partial<BufferSource> | Extract<AttributeSource, { kind: 'constant' }>;
  readonly count?: number;
  readonly first?: number;
  readonly instanceCount?: number;
  readonly indices?: Uint16Array;
}

/** Draws and returns the image: pixel (v, i) shows vertex v of instance i. */
async function readAttribute(read: Read) {
  const { buffer = new Uint8Array(4), source, count = 1 } = read;
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  const value: AttributeSource | undefined =
    source?.kind === 'constant'
      ? source
      : source && {
          kind: 'buffer',
          bufferIndex: 0,
          offsetBytes: 0,
          strideBytes: 0,
          componentType: 'float32',
          componentCount: 4,
          isNormalized: false,
          instanceDivisor: 0,
          ...source,
        };
  const draw: SceneDraw = {
    topology: 'points',
    vertexSource: vertexShader(read.declaration, read.bits),
    fragmentSource: FRAGMENT,
    attributes: value === undefined ? {} : { value },
    count,
    first: read.first ?? 0,
    instanceCount: read.instanceCount ?? 1,
    ...(read.indices === undefined ? {} : { indices: read.indices }),
  };
  return drawScene({ widthPx: 16, heightPx: 16, buffers: [bytes], draws: [draw] });
}

const TYPED: Readonly<Record<ComponentType, (values: number[]) => ArrayBufferView>> = {
  float32: (values) => Float32Array.from(values),
  int8: (values) => Int8Array.from(values),
  uint8: (values) => Uint8Array.from(values),
  int16: (values) => Int16Array.from(values),
  uint16: (values) => Uint16Array.from(values),
  int32: (values) => Int32Array.from(values),
  uint32: (values) => Uint32Array.from(values),
};
/** Four values of each type, including both ends of its range. */
const VALUES: Readonly<Record<ComponentType, number[]>> = {
  float32: [0.1, -2.5e-12, 3e30, -0],
  int8: [-128, -127, 127, 1],
  uint8: [0, 255, 128, 1],
  int16: [-32768, -32767, 32767, 1],
  uint16: [0, 65535, 32768, 1],
  int32: [-2147483648, -2147483647, 2147483647, 16777217],
  uint32: [0, 4294967295, 2147483648, 16777217],
};
const BITS: Readonly<Record<ComponentType, number>> = {
  float32: 0,
  int8: 8,
  uint8: 8,
  int16: 16,
  uint16: 16,
  int32: 32,
  uint32: 32,
};
const TYPES = Object.keys(TYPED) as ComponentType[];
const bytesPer = (type: ComponentType) => (BITS[type] || 32) / 8;

/** Equations 2.1 and 2.2: unsigned c / (2^b − 1), signed max(c / (2^(b−1) − 1), −1). */
function normalized(type: ComponentType, value: number): number {
  if (type === 'float32') return value;
  if (type.startsWith('u')) return value / (2 ** BITS[type] - 1);
  return Math.max(value / (2 ** (BITS[type] - 1) - 1), -1);
}

const floatOf = (component: Component) => ({
  declaration: 'in vec4 value;',
  bits: `floatBitsToUint(value.${component})`,
});

describe('vertex formats', () => {
  it('shows a float bit by bit (control)', async () => {
    const buffer = Float32Array.of(1 / 3, 2, 3, 4);
    const image = await readAttribute({ ...floatOf('x'), buffer, source: {} });
    expect(image.float(0, 0)).toBe(Math.fround(1 / 3));
  });

  const CASES = TYPES.flatMap((componentType) =>
    [false, true].map((isNormalized) => ({ componentType, isNormalized })),
  );
  it.each(CASES)('$componentType as float, normalized: $isNormalized', async (testCase) => {
    const { componentType, isNormalized } = testCase;
    const buffer = TYPED[componentType](VALUES[componentType]);
    for (const [c, component] of COMPONENTS.entries()) {
      const source = { componentType, isNormalized };
      const image = await readAttribute({ ...floatOf(component), buffer, source });
      const value = VALUES[componentType][c]!;
      const wanted = Math.fround(isNormalized ? normalized(componentType, value) : value);
      const found = image.float(0, 0);
      expect(Math.abs(found - wanted), component).toBeLessThanOrEqual(Math.abs(wanted) * 2 ** -22);
      if (Math.abs(wanted) === 1) expect(found, component).toBe(wanted);
    }
  });

  it.each([
    { componentType: 'int8', declaration: 'in ivec4 value;' },
    { componentType: 'int16', declaration: 'in ivec4 value;' },
    { componentType: 'int32', declaration: 'in ivec4 value;' },
    { componentType: 'uint8', declaration: 'in uvec4 value;' },
    { componentType: 'uint16', declaration: 'in uvec4 value;' },
    { componentType: 'uint32', declaration: 'in uvec4 value;' },
  ] as const)('$componentType as an integer', async ({ componentType, declaration }) => {
    const buffer = TYPED[componentType](VALUES[componentType]);
    for (const [c, component] of COMPONENTS.entries()) {
      const bits = `uint(value.${component})`;
      const image = await readAttribute({ declaration, bits, buffer, source: { componentType } });
      expect(image.word(0, 0), component).toBe(VALUES[componentType][c]! >>> 0);
    }
  });

  it.each([1, 2, 3, 4])(
    'of %i components: the missing ones are 0, 0, 1',
    async (componentCount) => {
      const buffer = Float32Array.of(7, 8, 9, 10);
      for (const [c, component] of COMPONENTS.entries()) {
        const image = await readAttribute({
          ...floatOf(component),
          buffer,
          source: { componentCount },
        });
        expect(image.float(0, 0), component).toBe(c < componentCount ? 7 + c : c === 3 ? 1 : 0);
        const whole = await readAttribute({
          declaration: 'in ivec4 value;',
          bits: `uint(value.${component})`,
          buffer: Int32Array.of(7, 8, 9, 10),
          source: { componentCount, componentType: 'int32' },
        });
        expect(whole.word(0, 0), component).toBe(c < componentCount ? 7 + c : c === 3 ? 1 : 0);
      }
    },
  );

  it.each(TYPES)('%s at any offset and stride', async (componentType) => {
    const size = bytesPer(componentType);
    for (const [offsetBytes, strideBytes] of [
      [0, 2 * size],
      [3 * size, 4 * size],
      [5, 3 * size + 1],
      [2, 0],
    ] as const) {
      const values = VALUES[componentType];
      const bytes = new Uint8Array(offsetBytes + 3 * strideBytes + 4 * size).fill(0xee);
      for (let v = 0; v < 4; v++) {
        const one = TYPED[componentType]([values[v]!]);
        bytes.set(new Uint8Array(one.buffer), offsetBytes + v * strideBytes);
      }
      const source = { componentType, componentCount: 1, offsetBytes, strideBytes };
      const image = await readAttribute({ ...floatOf('x'), buffer: bytes, source, count: 4 });
      for (let v = 0; v < 4; v++) {
        const wanted = Math.fround(values[strideBytes === 0 ? 3 : v]!);
        expect(image.float(v, 0), `offset ${offsetBytes}, stride ${strideBytes}`).toBe(wanted);
      }
    }
  });

  it.each([
    { instanceDivisor: 0, elementOf: (vertex: number, _: number) => vertex },
    { instanceDivisor: 1, elementOf: (_: number, instance: number) => instance },
    { instanceDivisor: 2, elementOf: (_: number, instance: number) => Math.trunc(instance / 2) },
    { instanceDivisor: 3, elementOf: (_: number, instance: number) => Math.trunc(instance / 3) },
    { instanceDivisor: 100, elementOf: () => 0 },
  ])('advances with divisor $instanceDivisor', async ({ instanceDivisor, elementOf }) => {
    const buffer = Float32Array.from({ length: 8 }, (_, i) => 100 + i);
    const source = { componentCount: 1, strideBytes: 4, instanceDivisor };
    const read = { ...floatOf('x'), buffer, source, count: 5, instanceCount: 7 };
    const image = await readAttribute(read);
    for (let vertex = 0; vertex < 5; vertex++) {
      for (let instance = 0; instance < 7; instance++) {
        expect(image.float(vertex, instance)).toBe(100 + elementOf(vertex, instance));
      }
    }
  });

  it('numbers vertices from the first one drawn on, or by their index', async () => {
    const read = { declaration: '', bits: 'uint(gl_VertexID) + 50u' };
    const shifted = await readAttribute({ ...read, first: 3, count: 4 });
    expect([2, 3, 6, 7].map((x) => shifted.word(x, 0))).toEqual([0, 53, 56, 0]);
    const indices = Uint16Array.of(9, 2, 2, 5, 0);
    const indexed = await readAttribute({ ...read, indices, first: 1, count: 3 });
    expect([0, 2, 5, 9].map((x) => indexed.word(x, 0))).toEqual([0, 52, 55, 0]);
  });

  it('numbers instances from 0', async () => {
    const read = { declaration: '', bits: 'uint(gl_InstanceID) + 50u', count: 2, instanceCount: 9 };
    const image = await readAttribute(read);
    expect([0, 4, 8, 9].map((row) => image.word(1, row))).toEqual([50, 54, 58, 0]);
  });

  it('accepts a constant for all vertices', async () => {
    const source = { kind: 'constant', value: [1.5, -2, 3, 0.25] } as const;
    for (const [c, component] of COMPONENTS.entries()) {
      const image = await readAttribute({ ...floatOf(component), source, count: 6 });
      expect([0, 5].map((x) => image.float(x, 0))).toEqual([source.value[c], source.value[c]]);
    }
  });

  it('accepts matrices column by column, as separate attributes', async () => {
    const buffer = Float32Array.of(1, 2, 3, 4);
    const column = (offsetBytes: number) =>
      ({
        kind: 'buffer',
        bufferIndex: 0,
        offsetBytes,
        strideBytes: 0,
        componentType: 'float32',
        componentCount: 2,
        isNormalized: false,
        instanceDivisor: 0,
      }) as const;
    const draw: SceneDraw = {
      topology: 'points',
      vertexSource: vertexShader(
        'in mat2 m;',
        'floatBitsToUint(m[gl_VertexID / 2][gl_VertexID % 2])',
      ),
      fragmentSource: FRAGMENT,
      attributes: { 'm[0]': column(8), 'm[1]': column(0) },
      count: 4,
    };
    const buffers = [new Uint8Array(buffer.buffer)];
    const image = await drawScene({ widthPx: 16, heightPx: 16, buffers, draws: [draw] });
    expect([0, 1, 2, 3].map((x) => image.float(x, 0))).toEqual([3, 4, 1, 2]);
  });
});
