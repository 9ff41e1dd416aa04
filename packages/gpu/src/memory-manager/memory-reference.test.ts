/**
 * The memory manager against a reference model, as in the paper's verification (HMGPU, 2013). Both
 * receive the same random commands. Bytes and errors are compared after each command, and the test
 * stops at the first mismatch.
 */
import { RenderError } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAGE_BYTES, PageAllocator } from './page-allocator.ts';
import { PagedIndex } from './paged-index.ts';
import { ProgramBlocks } from './program-blocks.ts';
import { TextureIndex } from './texture-index.ts';

const REGION = { programs: 0, textures: 8 * PAGE_BYTES, user: 24 * PAGE_BYTES } as const;
const USER_PAGES = 20;
const BUFFERS = 4;
const LISTS = 6;
const TEXTURES = 3;
const LEVELS = 4;
const TEXTURE_BYTES = REGION.user - REGION.textures;

const id = fc.nat(9);
const command = fc.oneof(
  fc.record({
    kind: fc.constantFrom('store-buffer' as const, 'store-list' as const),
    id,
    size: fc.integer({ min: 1, max: 6000 }),
  }),
  fc.record({
    kind: fc.constantFrom('release-buffer' as const, 'release-list' as const),
    id,
    size: fc.constant(0),
  }),
  fc.record({
    kind: fc.constant('texture' as const),
    id: fc.integer({ min: 1, max: 6 }),
    size: fc.integer({ min: 1, max: 40 }),
  }),
  fc.record({ kind: fc.constant('program' as const), id, size: fc.integer({ min: 1, max: 1024 }) }),
);

type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** Memory manager with bytes behind it. */
class Design {
  readonly bytes = new Uint8Array(REGION.user + USER_PAGES * PAGE_BYTES);
  readonly pages = new PageAllocator(USER_PAGES);
  readonly paged = {
    buffer: new PagedIndex(this.pages, REGION.user, BUFFERS, 'buffers (bufferIndexBlocks)'),
    list: new PagedIndex(this.pages, REGION.user, LISTS, 'draws (displayListIndexBlocks)'),
  };
  readonly textures = new TextureIndex({
    baseBytes: REGION.textures,
    sizeBytes: TEXTURE_BYTES,
    blockCount: TEXTURES,
    levelCount: LEVELS,
  });
  readonly programs = new ProgramBlocks(REGION.programs, 1024, 2);
}

/** Expected contents, as contiguous copies. */
class Reference {
  freePages = USER_PAGES;
  readonly paged = {
    buffer: new Map<number, Uint8Array>(),
    list: new Map<number, Uint8Array>(),
  };
  readonly textures: Uint8Array[][] = [];
  textureBytes = 0;
  program: Uint8Array | null = null;
}

function contentOf(seed: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => (seed * 31 + i * 7 + (i >> 8)) & 255);
}

/**
 * Runs a command on both.
 *
 * @returns Error of each, as text. They must agree in kind.
 */
function step(
  design: Design,
  reference: Reference,
  { kind, id, size }: Command,
  seed: number,
): void {
  const attempt = (run: () => void): string | null => {
    try {
      run();
      return null;
    } catch (error) {
      return error instanceof RenderError ? error.code : 'bug';
    }
  };
  switch (kind) {
    case 'store-buffer':
    case 'store-list': {
      const what = kind === 'store-buffer' ? 'buffer' : 'list';
      const held = reference.paged[what];
      const most = what === 'buffer' ? BUFFERS : LISTS;
      const pages = Math.ceil(size / PAGE_BYTES);
      let expected: string | null = null;
      if (held.has(id)) expected = 'bug';
      else if (held.size === most) expected = 'FRAME_UNSUPPORTED';
      else if (pages > reference.freePages) expected = 'LIMIT_EXCEEDED';
      expect(attempt(() => design.paged[what].store(id, size))).toBe(expected);
      if (expected !== null) return;
      const content = contentOf(seed, size);
      for (const [i, byte] of content.entries()) {
        design.bytes[design.paged[what].addressOf(id, i)] = byte;
      }
      held.set(id, content);
      reference.freePages -= pages;
      return;
    }
    case 'release-buffer':
    case 'release-list': {
      const what = kind === 'release-buffer' ? 'buffer' : 'list';
      const content = reference.paged[what].get(id);
      const expected = content === undefined ? 'bug' : null;
      expect(attempt(() => design.paged[what].release(id))).toBe(expected);
      if (content === undefined) return;
      reference.freePages += Math.ceil(content.length / PAGE_BYTES);
      reference.paged[what].delete(id);
      return;
    }
    case 'texture': {
      // Returns `id` levels. The first has `size` lines, and each further level has half of the
      // previous one.
      const levels = Array.from({ length: id }, (_, level) => 64 * Math.max(1, size >> level));
      const levelOffsets = levels.map((_, level) =>
        levels.slice(0, level).reduce((a, b) => a + b, 0),
      );
      const sizeBytes = levels.reduce((a, b) => a + b, 0);
      let expected: string | null = null;
      if (reference.textures.length === TEXTURES || id > LEVELS) expected = 'FRAME_UNSUPPORTED';
      else if (reference.textureBytes + sizeBytes > TEXTURE_BYTES) expected = 'LIMIT_EXCEEDED';
      expect(attempt(() => design.textures.store({ sizeBytes, levelOffsets }))).toBe(expected);
      if (expected !== null) return;
      const contents = levels.map((bytes, level) => contentOf(seed + level, bytes));
      for (const [level, content] of contents.entries()) {
        design.bytes.set(content, design.textures.levelBase(reference.textures.length, level));
      }
      reference.textures.push(contents);
      reference.textureBytes += sizeBytes;
      return;
    }
    case 'program': {
      const content = contentOf(seed, size);
      const address = design.programs.beginStore();
      design.bytes.set(content.subarray(0, size >> 1), address);
      compareProgram(design, reference); // A load in the middle of a store.
      design.bytes.set(content, address);
      design.programs.endStore();
      reference.program = content;
    }
  }
}

function compareProgram({ bytes, programs }: Design, { program }: Reference): void {
  if (program === null) return;
  const from = programs.loadAddress();
  expect(bytes.slice(from, from + program.length)).toEqual(program);
}

/** Compares the complete contents. */
function compare(design: Design, reference: Reference): void {
  for (const what of ['buffer', 'list'] as const) {
    for (const [id, content] of reference.paged[what]) {
      const read = content.map((_, i) => design.bytes[design.paged[what].addressOf(id, i)]!);
      expect(read).toEqual(content);
    }
  }
  for (const [name, levels] of reference.textures.entries()) {
    for (const [level, content] of levels.entries()) {
      const from = design.textures.levelBase(name, level);
      expect(design.bytes.slice(from, from + content.length)).toEqual(content);
    }
  }
  expect(design.pages.freePages).toBe(reference.freePages);
  compareProgram(design, reference);
}

describe('memory manager', () => {
  it('equals the reference model after every one of random commands', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (list) => {
        const design = new Design();
        const reference = new Reference();
        for (const [seed, next] of list.entries()) {
          step(design, reference, next, seed);
          compare(design, reference);
        }
      }),
      { numRuns: 60, seed: 55, endOnFailure: true },
    );
  });
});
