import { describe, expect, it } from 'vitest';
import type { ReflectedBlock, ReflectedBlockMember } from './program-reflection.ts';
import { UniformBlocks } from './uniform-blocks.ts';

const FLOAT: ReflectedBlockMember = {
  path: '.a',
  scalarType: 'float',
  rows: 1,
  columns: 1,
  arrayLength: 1,
  isArray: false,
  offsetBytes: 0,
  arrayStrideBytes: 0,
  matrixStrideBytes: 0,
  isRowMajor: false,
};

function makeBlocks(members: readonly ReflectedBlockMember[], arrayLength: number | null = null) {
  const block: ReflectedBlock = {
    name: 'Block',
    arrayLength,
    hasInstanceName: true,
    readers: ['vertex', 'fragment'],
    sizeBytes: 64,
    members,
  };
  const base = { isLinked: true, log: '', attributes: [], uniforms: [], samplers: [] };
  return new UniformBlocks({ ...base, blocks: [block] });
}

/** Bytes of 32 floats with the values 0 to 31. */
const COUNTING = new Uint8Array(Float32Array.from({ length: 32 }, (_, i) => i).buffer);
const whole = (bytes: Uint8Array) => ({ bytes, offsetBytes: 0, sizeBytes: bytes.length });

describe('UniformBlocks', () => {
  it.each([
    ['a scalar', { ...FLOAT, offsetBytes: 12 }, [3]],
    ['a vector', { ...FLOAT, rows: 3, offsetBytes: 16 }, [4, 5, 6]],
    [
      'an array of scalars',
      { ...FLOAT, path: '.a[0]', isArray: true, arrayLength: 3, arrayStrideBytes: 16 },
      [0, 4, 8],
    ],
    ['a matrix', { ...FLOAT, rows: 2, columns: 3, matrixStrideBytes: 16 }, [0, 1, 4, 5, 8, 9]],
    [
      'a matrix with rows in one piece',
      { ...FLOAT, rows: 2, columns: 3, matrixStrideBytes: 16, isRowMajor: true },
      [0, 4, 1, 5, 2, 6],
    ],
  ] as const)('reads %s', (_what, member, expected) => {
    const values = makeBlocks([member]).addTo({ plain: [7] }, () => whole(COUNTING));
    expect(values).toMatchObject({ plain: [7] });
    const [read] = Object.entries(values).filter(([name]) => name.startsWith('Block'));
    expect(read![0]).toBe(`Block${member.path}`);
    expect(Array.from(read![1] as Float32Array)).toEqual(expected);
  });

  it('reads integers as they are', () => {
    const words = new Uint8Array(
      Uint32Array.of(0xffff_fffe, ...new Array<number>(15).fill(0)).buffer,
    );
    const read = (scalarType: 'int' | 'uint' | 'bool') =>
      makeBlocks([{ ...FLOAT, scalarType }]).addTo({}, () => whole(words)) as Record<
        string,
        number[]
      >;
    expect(read('int')['Block.a']![0]).toBe(-2);
    expect(read('uint')['Block.a']![0]).toBe(0xffff_fffe);
    expect(read('bool')['Block.a']![0]).not.toBe(0);
  });

  it('takes each element of an array of blocks from its own binding point', () => {
    const blocks = makeBlocks([FLOAT], 2);
    expect(blocks.blocks.map(({ name }) => name)).toEqual(['Block[0]', 'Block[1]']);
    blocks.blocks[1]!.binding = 5;
    const values = blocks.addTo({}, (binding) => ({
      bytes: COUNTING,
      offsetBytes: binding * 4,
      sizeBytes: 64,
    })) as Record<string, Float32Array>;
    expect([values['Block[0].a']![0], values['Block[1].a']![0]]).toEqual([0, 5]);
    expect([blocks.index('Block'), blocks.index('Block[1]'), blocks.index('Other')]).toEqual([
      0, 1, -1,
    ]);
  });

  it('gives the same object until bytes or plain values are others', () => {
    const blocks = makeBlocks([FLOAT]);
    const plain = {};
    const first = blocks.addTo(plain, () => whole(COUNTING));
    expect(blocks.addTo(plain, () => whole(COUNTING))).toBe(first);
    const others = COUNTING.slice();
    expect(blocks.addTo(plain, () => whole(others))).not.toBe(first);
    expect(blocks.addTo({}, () => whole(others))).not.toBe(
      blocks.addTo(plain, () => whole(others)),
    );
  });

  it('says what is missing', () => {
    const blocks = makeBlocks([FLOAT]);
    expect(blocks.addTo({}, () => null)).toMatch('no buffer is bound for uniform block Block');
    expect(blocks.addTo({}, () => ({ ...whole(COUNTING), sizeBytes: 63 }))).toMatch(
      '63 of 64 bytes',
    );
  });
});
