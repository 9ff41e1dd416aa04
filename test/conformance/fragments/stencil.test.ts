/**
 * Stencil test and operations of both faces (GL ES 3.0, section 4.1.4). The stencil buffer is read
 * back bit by bit: eight draws, each of which passes if its bit is set and adds that bit to red.
 */
import {
  COMPARE_FUNCTIONS,
  type CompareFunction,
  type PipelineState,
  STENCIL_OPERATIONS,
  type StencilFaceState,
  type StencilOperation,
} from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { drawScene, rectangle, type SceneDraw } from '../scene/draw-scene.ts';

const KEEP: StencilFaceState = {
  compare: 'always',
  reference: 0,
  readMask: 255,
  writeMask: 255,
  onStencilFail: 'keep',
  onDepthFail: 'keep',
  onPass: 'keep',
};
const NO_COLOR: Partial<PipelineState> = { colorMask: [false, false, false, false] };

/** Returns the state with equal faces, unless `back` is given. */
function tested(front: Partial<StencilFaceState>, back = front): Partial<PipelineState> {
  const stencil = {
    isTestEnabled: true,
    front: { ...KEEP, ...front },
    back: { ...KEEP, ...back },
  };
  return { ...NO_COLOR, stencil };
}

const ADD = { equation: 'add', source: 'one', destination: 'one' } as const;

function readBack(widthPx: number, heightPx: number): SceneDraw[] {
  return [1, 2, 4, 8, 16, 32, 64, 128].map((bit) => ({
    positions: rectangle(0, 0, widthPx, heightPx),
    color: [bit / 255, 0, 0, 0] as const,
    state: {
      ...tested({ compare: 'equal', reference: bit, readMask: bit }),
      colorMask: [true, true, true, true] as const,
      blend: { isEnabled: true, color: ADD, alpha: ADD, constant: [0, 0, 0, 0] as const },
    },
  }));
}

/** Returns the result of an operation on a stored value (table 4.2). */
function operated(operation: StencilOperation, stored: number, reference: number): number {
  const results: Readonly<Record<StencilOperation, number>> = {
    keep: stored,
    zero: 0,
    replace: reference,
    'increment-clamp': stored === 255 ? 255 : stored + 1,
    'increment-wrap': stored === 255 ? 0 : stored + 1,
    'decrement-clamp': stored === 0 ? 0 : stored - 1,
    'decrement-wrap': stored === 0 ? 255 : stored - 1,
    invert: stored ^ 0xff,
  };
  return results[operation];
}

interface Cell {
  readonly stored: number;
  /** State under test, drawn over the cell. */
  readonly state: Partial<PipelineState>;
  readonly isBack?: boolean;
  readonly wanted: number;
  readonly name: string;
}

const CELL_PX = 4;
const COLUMNS = 16;

/**
 * Sets each cell's stencil value, draws the cell and compares the contents of the stencil buffer.
 */
async function expectCells(cells: readonly Cell[]): Promise<void> {
  const widthPx = CELL_PX * COLUMNS;
  const heightPx = CELL_PX * Math.ceil(cells.length / COLUMNS);
  const cellRectangle = (cell: number) => {
    const left = (cell % COLUMNS) * CELL_PX;
    const top = Math.floor(cell / COLUMNS) * CELL_PX;
    return rectangle(left, top, left + CELL_PX, top + CELL_PX);
  };
  const stored = [...new Set(cells.map((cell) => cell.stored))].map((value) => ({
    positions: cells.flatMap((cell, index) => (cell.stored === value ? cellRectangle(index) : [])),
    state: tested({ onPass: 'replace', reference: value }),
  }));
  const drawn = cells.map(({ state, isBack }, index) => ({
    positions: isBack === true ? cellRectangle(index).reverse() : cellRectangle(index),
    state,
  }));
  const draws = [...stored, ...drawn, ...readBack(widthPx, heightPx)];
  const image = await drawScene({ widthPx, heightPx, draws });
  const found = cells.map(({ name }, cell) => {
    const x = (cell % COLUMNS) * CELL_PX;
    const y = Math.floor(cell / COLUMNS) * CELL_PX;
    return `${name}: ${image.pixel(x + 1, y + 2)[0]}`;
  });
  expect(found).toEqual(cells.map(({ name, wanted }) => `${name}: ${wanted}`));
}

const VALUES = [0, 1, 90, 254, 255];
const REFERENCE = 0x35;

describe('stencil', () => {
  it('reads back the clear color (control)', async () => {
    for (const stencil of [0, 1, 0xa5, 255]) {
      const draws = readBack(16, 16);
      const image = await drawScene({ widthPx: 16, heightPx: 16, clear: { stencil }, draws });
      expect(image.pixel(3, 3)[0]).toBe(stencil);
    }
  });

  it.each(STENCIL_OPERATIONS)(
    '%s, on each outcome of the tests, on either face',
    async (operation) => {
      const outcomes = [
        { on: 'onStencilFail', compare: 'never', depth: 'always' },
        { on: 'onDepthFail', compare: 'always', depth: 'never' },
        { on: 'onPass', compare: 'always', depth: 'always' },
      ] as const;
      const cells = outcomes.flatMap(({ on, compare, depth }) =>
        [false, true].flatMap((isBack) =>
          VALUES.map((stored): Cell => {
            // Every other outcome and the other face would write 0x77.
            const other: Partial<StencilFaceState> = {
              compare,
              reference: 0x77,
              onStencilFail: 'replace',
              onDepthFail: 'replace',
              onPass: 'replace',
            };
            const others = ['onStencilFail', 'onDepthFail', 'onPass'].filter((name) => name !== on);
            const face: Partial<StencilFaceState> = {
              compare,
              reference: REFERENCE,
              ...Object.fromEntries(others.map((name) => [name, 'invert'])),
              [on]: operation,
            };
            const state = isBack ? tested(other, face) : tested(face, other);
            const depthState = {
              isTestEnabled: true,
              isWriteEnabled: false,
              compare: depth,
            } as const;
            return {
              stored,
              isBack,
              state: { ...state, depth: depthState },
              wanted: operated(operation, stored, REFERENCE),
              name: `${on} ${isBack ? 'back' : 'front'} ${stored}`,
            };
          }),
        ),
      );
      await expectCells(cells);
    },
  );

  it('compares reference and stored value in that order, both masked', async () => {
    const passes: Readonly<Record<CompareFunction, (r: number, s: number) => boolean>> = {
      never: () => false,
      less: (r, s) => r < s,
      equal: (r, s) => r === s,
      'less-equal': (r, s) => r <= s,
      greater: (r, s) => r > s,
      'not-equal': (r, s) => r !== s,
      'greater-equal': (r, s) => r >= s,
      always: () => true,
    };
    const cells = COMPARE_FUNCTIONS.flatMap((compare) =>
      [255, 0x0f].flatMap((readMask) =>
        [0x24, 0x25, 0x26, 0x15, 0xf5].map((stored): Cell => {
          const isPassed = passes[compare](0x25 & readMask, stored & readMask);
          const state = tested({
            compare,
            reference: 0x25,
            readMask,
            onPass: 'zero',
            onStencilFail: 'keep',
          });
          const name = `${compare} mask ${readMask} stored ${stored}`;
          return { stored, state, wanted: isPassed ? 0 : stored, name };
        }),
      ),
    );
    await expectCells(cells);
  });

  it.each([0x00, 0x0f, 0xf0, 0x81, 0xff])('writes the bits of mask %i alone', async (writeMask) => {
    const cells = STENCIL_OPERATIONS.flatMap((operation) =>
      [0x00, 0x5a, 0xff].map((stored): Cell => {
        const updated = operated(operation, stored, REFERENCE);
        return {
          stored,
          state: tested({ onPass: operation, writeMask, reference: REFERENCE }),
          wanted: (stored & ~writeMask & 255) | (updated & writeMask),
          name: `${operation} ${stored}`,
        };
      }),
    );
    await expectCells(cells);
  });

  it('leaves everything alone when the test is off', async () => {
    const state = tested({ compare: 'never', onStencilFail: 'invert', onPass: 'invert' });
    const off = { ...state, stencil: { ...state.stencil!, isTestEnabled: false } };
    await expectCells([{ stored: 7, state: off, wanted: 7, name: 'off' }]);
  });

  it.each([
    { compare: 'never', depth: 'always', isColored: false, isDepthWritten: false },
    { compare: 'always', depth: 'never', isColored: false, isDepthWritten: false },
    { compare: 'always', depth: 'always', isColored: true, isDepthWritten: true },
  ] as const)('stencil $compare, depth $depth: color and depth', async (testCase) => {
    const { compare, depth, isColored, isDepthWritten } = testCase;
    const first: SceneDraw = {
      positions: rectangle(0, 0, 16, 16, 0.25),
      color: [1, 0, 0, 1],
      state: {
        ...tested({ compare }),
        colorMask: [true, true, true, true],
        depth: { isTestEnabled: true, isWriteEnabled: true, compare: depth },
      },
    };
    const second: SceneDraw = {
      positions: rectangle(0, 0, 16, 16, 0.25),
      color: [0, 1, 0, 1],
      state: { depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'equal' } },
    };
    const scene = { widthPx: 16, heightPx: 16 };
    const alone = await drawScene({ ...scene, draws: [first] }, 1);
    expect(alone.isLit(8, 8)).toBe(isColored);
    const both = await drawScene({ ...scene, draws: [first, second] }, 1);
    expect(both.pixel(8, 8)[1] === 255).toBe(isDepthWritten);
  });

  it('treats lines and points as front faces', async () => {
    const state = tested({ onPass: 'replace', reference: 1 }, { onPass: 'replace', reference: 2 });
    const vertexSource = `#version 300 es
in vec4 position;
void main() { gl_Position = position; gl_PointSize = 1.0; }`;
    const positions = [
      [2.5, 2.5],
      [2.5, 9.5],
    ] as const;
    for (const topology of ['points', 'lines'] as const) {
      const draws = [{ topology, positions, vertexSource, state }, ...readBack(16, 16)];
      const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
      expect(image.pixel(2, 2)[0], topology).toBe(1);
    }
  });

  it('does not touch the buffer for fragments that are discarded', async () => {
    const fragmentSource = `#version 300 es
precision highp float;
out vec4 result;
void main() {
  if (gl_FragCoord.x < 8.0) discard;
  result = vec4(1);
}`;
    const positions = rectangle(0, 0, 16, 16);
    const state = tested({ onPass: 'replace', reference: 9 });
    const draws = [{ positions, fragmentSource, state }, ...readBack(16, 16)];
    const image = await drawScene({ widthPx: 16, heightPx: 16, draws }, 1);
    expect([image.pixel(7, 3)[0], image.pixel(8, 3)[0]]).toEqual([0, 9]);
  });
});
