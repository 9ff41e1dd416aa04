import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProgramBlocks } from './program-blocks.ts';

describe('program blocks', () => {
  it('alternate strictly between two', () => {
    const blocks = new ProgramBlocks(4096, 1024, 2);
    const stored = Array.from({ length: 6 }, () => {
      const address = blocks.beginStore();
      blocks.endStore();
      return address;
    });
    expect(stored).toEqual([4096, 5120, 4096, 5120, 4096, 5120]);
  });

  it('never show a program that is half stored', () => {
    // Words are written one by one between loads. A load must always find all words of one program.
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 120 }),
        fc.constantFrom(2, 3, 5),
        (steps, count) => {
          const words = 8;
          const blocks = new ProgramBlocks(0, words, count);
          const memory = new Int32Array(words * count);
          let program = 0;
          let written = words;
          let address = 0;
          let loadable = 0;
          for (const isLoad of steps) {
            if (isLoad) {
              if (loadable === 0)
                expect(() => blocks.loadAddress()).toThrow('no program is stored');
              else {
                const from = blocks.loadAddress();
                expect(new Set(memory.subarray(from, from + words))).toEqual(new Set([loadable]));
              }
              continue;
            }
            if (written === words) {
              address = blocks.beginStore();
              program++;
              written = 0;
            }
            memory[address + written++] = program;
            if (written === words) {
              blocks.endStore();
              loadable = program;
            }
          }
        },
      ),
      { numRuns: 200, seed: 53 },
    );
  });

  it('take one store at a time', () => {
    const blocks = new ProgramBlocks(0, 1024, 2);
    blocks.beginStore();
    expect(() => blocks.beginStore()).toThrow('a store is in progress');
    blocks.endStore();
    expect(() => blocks.endStore()).toThrow('no store is in progress');
  });
});
