import { RenderError } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_BYTES, PageAllocator } from './page-allocator.ts';
import { PagedIndex } from './paged-index.ts';

const PAGES = 24;

type Command =
  | { readonly kind: 'store'; readonly sizeBytes: number }
  | { readonly kind: 'release'; readonly which: number };

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('store' as const),
      sizeBytes: fc.integer({ min: 0, max: 9 * PAGE_BYTES }),
    }),
    fc.record({ kind: fc.constant('release' as const), which: fc.nat() }),
  ),
  { maxLength: 80 },
);

describe('pages of the user area', () => {
  it('come from the head of the free list and go back to its tail, as in a naive model', () => {
    fc.assert(
      fc.property(commands, (list) => {
        const allocator = new PageAllocator(PAGES);
        const index = new PagedIndex(allocator, 0, 1000, 'objects (test)');
        // Model: the free list and every object's pages as plain lists.
        const free = Array.from({ length: PAGES }, (_, page) => page);
        const held = new Map<number, number[]>();
        let nextId = 0;
        for (const command of list) {
          if (command.kind === 'release') {
            const ids = [...held.keys()];
            if (ids.length === 0) continue;
            const id = ids[command.which % ids.length]!;
            index.release(id);
            free.push(...held.get(id)!);
            held.delete(id);
          } else {
            const id = nextId++;
            const count = Math.max(1, Math.ceil(command.sizeBytes / PAGE_BYTES));
            if (count > free.length) {
              expect(() => index.store(id, command.sizeBytes)).toThrow(RenderError);
              expect(() => index.store(id, command.sizeBytes)).toThrow(
                `${count} pages of 1024 bytes are needed, but only ${free.length} of ${PAGES} are free`,
              );
            } else {
              index.store(id, command.sizeBytes);
              held.set(id, free.splice(0, count));
              const waste = count * PAGE_BYTES - command.sizeBytes;
              expect(waste < PAGE_BYTES || command.sizeBytes === 0).toBe(true);
            }
          }
          // Every page is in exactly one list, and each list equals the model's, in order.
          for (const [id, pages] of held) expect(index.pagesOf(id)).toEqual(pages);
          expect(allocator.freePages).toBe(free.length);
          expect([...held.values()].flat().length + free.length).toBe(PAGES);
        }
      }),
      { numRuns: 200, seed: 51 },
    );
  });

  it('read across page borders as a copy in one piece does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 6 }),
        fc.integer({ min: 1, max: 5000 }),
        fc.nat(),
        (counts, sizeBytes, at) => {
          // Creating and freeing objects leaves the list unordered.
          const allocator = new PageAllocator(40);
          const index = new PagedIndex(allocator, 7 * PAGE_BYTES, 50, 'objects (test)');
          for (const [id, count] of counts.entries()) index.store(id, count * PAGE_BYTES);
          for (let id = 0; id < counts.length; id += 2) index.release(id);
          const rest = allocator.freePages - 6;
          index.store(90, rest * PAGE_BYTES);
          index.store(100, sizeBytes);
          const memory = new Uint8Array(48 * PAGE_BYTES);
          const copy = Uint8Array.from({ length: sizeBytes }, (_, i) => (i * 7 + (i >> 8)) & 255);
          for (let i = 0; i < sizeBytes; i++) memory[index.addressOf(100, i)] = copy[i]!;
          const offset = at % sizeBytes;
          for (let i = offset; i < Math.min(sizeBytes, offset + 1500); i++) {
            expect(memory[index.addressOf(100, i)]).toBe(copy[i]);
          }
          expect(() => index.addressOf(100, sizeBytes)).toThrow(RangeError);
        },
      ),
      { numRuns: 100, seed: 52 },
    );
  });
});
