import { defineChipletSpec } from '@tessera/chiplet-spec';
import type { AttributeSource, ComponentType, ShaderScalarType } from '@tessera/frame';
import { assemble } from '@tessera/shader/isa';
import { describe, expect, it } from 'vitest';
import { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { fetchVertices, planVertexFetch } from './vertex-fetch.ts';

const memory = new ChipletMemory(
  defineChipletSpec({ maxBinPixels: 4096, texturePoolBytes: 2 ** 20 }),
);
const FOUR_INPUTS = [0, 1, 2, 3].map((slot) => `input r${slot}, ${slot}, smooth`);
const program = assemble(['.stage vertex', ...FOUR_INPUTS, 'outf 0, r0'].join('\n'));
const idProgram = assemble(
  ['.stage vertex', 'builtin r0, vertexId', 'builtin r1, instanceId', 'outi 0, r0'].join('\n'),
);

type BufferSource = Extract<AttributeSource, { kind: 'buffer' }>;

/** Fetches one attribute of four components and returns the values of each vertex. */
function fetchAttribute(
  bytes: Uint8Array,
  source: Partial<BufferSource>,
  vertexIds: readonly number[],
  options: { scalarType?: ShaderScalarType; instanceIds?: readonly number[] } = {},
): number[][] {
  const { scalarType = 'float', instanceIds = vertexIds.map(() => 0) } = options;
  const whole: BufferSource = {
    kind: 'buffer',
    bufferIndex: 0,
    offsetBytes: 0,
    strideBytes: 16,
    componentType: 'float32',
    componentCount: 4,
    isNormalized: false,
    instanceDivisor: 0,
    ...source,
  };
  const plan = planVertexFetch(
    program,
    [{ firstSlot: 0, componentCount: 4, scalarType, source: whole }],
    [{ sha256: '', bytes }],
  );
  const [vertices, instances] = [Uint32Array.from(vertexIds), Uint32Array.from(instanceIds)];
  fetchVertices(memory, plan, vertices, instances, vertexIds.length);
  const words = scalarType === 'float' ? memory.f32 : memory.i32;
  return vertexIds.map((_, v) =>
    [0, 1, 2, 3].map((j) => words[(memory.vertexInputPtr >> 2) + (v >> 2) * 16 + 4 * j + (v & 3)]!),
  );
}

const floats = new Uint8Array(Float32Array.from({ length: 24 }, (_, i) => i + 0.5).buffer);

describe('vertex fetch', () => {
  it('reads floats of the vertices asked for, in any order', () => {
    expect(fetchAttribute(floats, {}, [2, 0, 5, 1, 3])).toEqual([
      [8.5, 9.5, 10.5, 11.5],
      [0.5, 1.5, 2.5, 3.5],
      [20.5, 21.5, 22.5, 23.5],
      [4.5, 5.5, 6.5, 7.5],
      [12.5, 13.5, 14.5, 15.5],
    ]);
  });

  it('fills up missing components with 0, 0, 1', () => {
    expect(fetchAttribute(floats, { componentCount: 1 }, [1])).toEqual([[4.5, 0, 0, 1]]);
    const bytes = Uint8Array.of(7, 8);
    const source = { componentCount: 1, componentType: 'uint8', strideBytes: 1 } as const;
    expect(fetchAttribute(bytes, source, [1], { scalarType: 'int' })).toEqual([[8, 0, 0, 1]]);
  });

  it('reads floats that are not aligned', () => {
    const shifted = new Uint8Array(floats.length + 1);
    shifted.set(floats, 1);
    expect(fetchAttribute(shifted, { offsetBytes: 1 }, [1])).toEqual([[4.5, 5.5, 6.5, 7.5]]);
  });

  it('gives 0 past the end of the buffer', () => {
    expect(fetchAttribute(floats, { offsetBytes: 8 }, [5])).toEqual([[22.5, 23.5, 0, 0]]);
    expect(fetchAttribute(floats, { instanceDivisor: 1 }, [0], { instanceIds: [9] })).toEqual([
      [0, 0, 0, 0],
    ]);
  });

  it.each([
    ['int8', [-128, -127, 0, 127], [-1, -1, 0, 1]],
    ['uint8', [0, 51, 102, 255], [0, 0.2, 0.4, 1]],
    ['int16', [-32768, -32767, 0, 32767], [-1, -1, 0, 1]],
    ['uint16', [0, 13107, 26214, 65535], [0, 0.2, 0.4, 1]],
    ['int32', [-2147483648, 0, 5, 2147483647], [-1, 0, 5 / 2147483647, 1]],
    ['uint32', [0, 5, 2147483648, 4294967295], [0, 5 / 4294967295, 0.5, 1]],
  ] as const)('reads %s as it is, normalised and as integers', (componentType, values, unit) => {
    const arrays = {
      int8: Int8Array,
      uint8: Uint8Array,
      int16: Int16Array,
      uint16: Uint16Array,
      int32: Int32Array,
      uint32: Uint32Array,
    } as const satisfies Partial<Record<ComponentType, unknown>>;
    const bytes = new Uint8Array(arrays[componentType].from(values).buffer);
    const source = { componentType, strideBytes: bytes.length };
    expect(fetchAttribute(bytes, source, [0])).toEqual([values.map(Math.fround)]);
    const [normalised] = fetchAttribute(bytes, { ...source, isNormalized: true }, [0]);
    unit.forEach((value, c) => {
      expect(normalised![c]).toBeCloseTo(value, 6);
    });
    const integers = fetchAttribute(bytes, source, [0], { scalarType: 'int' });
    expect(integers).toEqual([values.map((value) => value | 0)]);
  });

  it('advances once per instance, whichever the vertices are', () => {
    const options = { instanceIds: [2, 0, 5] };
    const fetched = fetchAttribute(floats, { instanceDivisor: 1 }, [7, 8, 9], options);
    expect(fetched).toEqual(fetchAttribute(floats, {}, options.instanceIds));
  });

  it('advances once every n instances', () => {
    const fetched = fetchAttribute(floats, { instanceDivisor: 2 }, [5, 5, 5, 5], {
      instanceIds: [0, 1, 2, 5],
    });
    expect(fetched.map(([first]) => first)).toEqual([0.5, 0.5, 4.5, 8.5]);
  });

  it('gives a constant to all vertices and 0, 0, 0, 1 where there is no attribute', () => {
    const constant = { kind: 'constant', value: [1, 2, 3, 4] } as const;
    const attributes = [
      { firstSlot: 0, componentCount: 2, scalarType: 'float', source: constant } as const,
    ];
    const ids = Uint32Array.of(3, 4, 5);
    fetchVertices(memory, planVertexFetch(program, attributes, []), ids, ids, 3);
    const at = memory.vertexInputPtr >> 2;
    expect([...memory.f32.subarray(at, at + 16)]).toEqual(
      [1, 2, 0, 1].flatMap((value) => [value, value, value, value]),
    );
  });

  it('puts vertex and instance ids behind the inputs and fills up the last group', () => {
    const plan = planVertexFetch(idProgram, [], []);
    fetchVertices(memory, plan, Uint32Array.of(9, 7), Uint32Array.of(1, 2), 2);
    const at = memory.vertexInputPtr >> 2;
    expect([...memory.i32.subarray(at, at + 8)]).toEqual([9, 7, 7, 7, 1, 2, 2, 2]);
  });
});
