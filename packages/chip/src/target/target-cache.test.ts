import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FETCH, TargetCache, WRITE_BACK } from './target-cache.ts';

const BLOCKS = 64;
const keys = Array.from({ length: BLOCKS }, (_, key) => key);

/** Memory with the version of each block in each line, which the cache's requests move. */
class VersionedMemory {
  readonly cache: TargetCache;
  readonly #lines: Map<number, number>[] = keys.map(() => new Map());
  readonly #newest = new Int32Array(BLOCKS);

  constructor(bytes: number, ways: number, isLoaded: boolean) {
    this.cache = new TargetCache(bytes, ways, 2);
    this.cache.begin(0, BLOCKS, isLoaded);
    if (isLoaded) for (const key of keys) this.#lines[key]!.set(key, 0);
  }

  /** Returns the number of lines that the access moved. */
  access(block: number, isWrite: boolean, isCompact: boolean): number {
    const { cache } = this;
    const wasHeld = keys.map((key) => cache.holds(key));
    const asks = cache.access(block, isWrite, isCompact);
    if ((asks & WRITE_BACK) !== 0) this.#write(cache.evicted, wasHeld);
    if ((asks & FETCH) !== 0) this.#expectNewest(block);
    else if (!wasHeld[block]) expect(this.#newest[block], 'a block that was cleared').toBe(0);
    for (const key of keys) {
      if (key !== block && cache.holds(key) && !wasHeld[key]) {
        expect(cache.placeOf(key), 'loads only blocks of the line').toBe(cache.placeOf(block));
        this.#expectNewest(key);
      }
    }
    if (isWrite) this.#newest[block]!++;
    return (asks & FETCH) / FETCH + (asks & WRITE_BACK) / WRITE_BACK;
  }

  /** Writes the blocks of a line that the cache held. The others keep their contents. */
  #write(line: number, wasHeld: readonly boolean[]): void {
    const { cache } = this;
    const before = this.#lines[line]!;
    const owners = keys.filter((key) => cache.isStored(key) && cache.placeOf(key) === line);
    expect(owners.length).toBeGreaterThan(0);
    if (owners.length > 1) expect(owners.every((key) => cache.isPacked(key))).toBe(true);
    const version = (key: number) => (wasHeld[key] ? this.#newest[key]! : before.get(key)!);
    this.#lines[line] = new Map(owners.map((key) => [key, version(key)]));
  }

  #expectNewest(block: number): void {
    const line = this.#lines[this.cache.placeOf(block)]!;
    expect(line.get(block), `block ${block}`).toBe(this.#newest[block]);
  }
}

describe('TargetCache', () => {
  it('reads the newest contents of each block, whatever compresses', () => {
    const access = fc.tuple(fc.nat(BLOCKS - 1), fc.boolean(), fc.boolean());
    const accesses = fc.array(access, { maxLength: 400 });
    fc.assert(
      fc.property(
        fc.constantFrom(256, 512, 1024),
        fc.constantFrom(1, 2, 4),
        fc.boolean(),
        accesses,
        (bytes, ways, isLoaded, list) => {
          const memory = new VersionedMemory(bytes, ways, isLoaded);
          for (const [block, isWrite, isCompact] of list) memory.access(block, isWrite, isCompact);
        },
      ),
    );
  });

  it.each([
    [true, 4],
    [false, 1],
  ])('moves a line for each group that compresses: %s', (isCompact, groupBlocks) => {
    const memory = new VersionedMemory(1024, 4, false);
    let lines = 0;
    // Twice in order: all groups are written, the first ones are read again.
    for (const key of keys) lines += memory.access(key, true, isCompact);
    expect(lines).toBe((BLOCKS - 16) / groupBlocks);
    let reads = 0;
    for (const key of keys.slice(0, 16)) reads += memory.access(key, false, false);
    expect(reads).toBe((2 * 16) / groupBlocks);
    expect(memory.cache.writesSaved > 0).toBe(isCompact);
    expect(memory.cache.readsSaved > 0).toBe(isCompact);
  });
});
