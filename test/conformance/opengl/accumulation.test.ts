/** The accumulation buffer computes what OpenGL 2.1 defines (section 4.2.4). */
import { describe, expect, it } from 'vitest';
import { type Call, expectNear, OPEN_WINDOW, render } from './filled-window.ts';

const [ACCUM, LOAD, RETURN, MULT, ADD] = [0x100, 0x101, 0x102, 0x103, 0x104] as const;
const SWAP: Call = ['glXSwapBuffers', { dpy: 1, drawable: 7 }];
const SCISSOR_TEST = 0x0c11;

const accum = (op: number, value: number): Call => ['glAccum', { op, value }];
const fill = (red: number, green: number, blue: number, alpha: number): Call[] => [
  ['glClearColor', { red, green, blue, alpha }],
  ['glClear', { mask: 0x4000 }],
];
const clearAccum = (red: number, green: number, blue: number, alpha: number): Call[] => [
  ['glClearAccum', { red, green, blue, alpha }],
  ['glClear', { mask: 0x200 }],
];

function frame(...calls: readonly (Call | Call[])[]): Call[] {
  return [
    ...OPEN_WINDOW,
    ...calls.flatMap((call) => (typeof call[0] === 'string' ? [call as Call] : (call as Call[]))),
    SWAP,
  ];
}

describe('the accumulation buffer', () => {
  it('loads, sums, adds, multiplies and returns', async () => {
    const calls = frame(
      fill(0.2, 0.4, 0.6, 1),
      accum(LOAD, 0.5),
      fill(1, 0, 0, 1),
      accum(ACCUM, 0.25),
      accum(ADD, 0.1),
      // Alpha is limited to 1 here.
      accum(MULT, 2),
      accum(RETURN, 0.5),
    );
    expectNear(await render(calls), [0.45, 0.3, 0.4, 0.5]);
  });

  it('holds negative numbers', async () => {
    const calls = frame(
      clearAccum(-0.5, 0.25, -2, 1),
      fill(1, 0.5, 1, 0),
      accum(ACCUM, 0.8),
      accum(RETURN, 1),
    );
    expectNear(await render(calls), [0.3, 0.65, 0, 1]);
  });

  it('obeys the scissor, and the color mask when it returns', async () => {
    const scissor = (x: number): Call[] => [
      ['glScissor', { x, y: 0, width: 4, height: 4 }],
      ['glEnable', { cap: SCISSOR_TEST }],
    ];
    const masked = frame(
      clearAccum(1, 1, 1, 1),
      fill(0, 0, 0, 0),
      ['glColorMask', { red: true, green: false, blue: true, alpha: false }],
      accum(RETURN, 1),
    );
    expectNear(await render(masked), [1, 0, 1, 0]);
    const outside = frame(clearAccum(1, 1, 1, 1), fill(0, 1, 0, 1), scissor(2), accum(RETURN, 0.5));
    // The first pixel is left of the scissor.
    expectNear(await render(outside), [0, 1, 0, 1]);
  });

  it('is cleared as a whole, and then inside of the scissor', async () => {
    const scissor: Call[] = [
      ['glScissor', { x: 1, y: 0, width: 3, height: 4 }],
      ['glEnable', { cap: SCISSOR_TEST }],
    ];
    const end: Call[] = [['glDisable', { cap: SCISSOR_TEST }], accum(RETURN, 1)];
    const first = frame(clearAccum(0.2, 0.4, 0.6, 1), scissor, clearAccum(1, 0, 0, 1), end);
    expectNear(await render(first), [0.2, 0.4, 0.6, 1]);
    // A clear that no operation used yet is one of the whole buffer, whatever the scissor is now.
    const later = frame(clearAccum(0.2, 0.4, 0.6, 1), scissor, accum(MULT, 0.5), end);
    expectNear(await render(later), [0.2, 0.4, 0.6, 1]);
  });

  it('has the images of earlier frames only if they do not need the screen', async () => {
    const next = [accum(RETURN, 1), SWAP];
    const cleared = [...frame(clearAccum(0.2, 0.4, 0.6, 1)), ...next];
    expectNear(await render(cleared, 1), [0.2, 0.4, 0.6, 1]);
    const loaded = [...frame(fill(1, 0, 0, 1), accum(LOAD, 1)), ...next];
    await expect(render(loaded, 1)).rejects.toThrow(/images of earlier frames/);
    const loadedAgain = [
      ...frame(fill(1, 0, 0, 1), accum(LOAD, 1)),
      ...fill(0, 1, 0, 1),
      accum(LOAD, 1),
      ...next,
    ];
    expectNear(await render(loadedAgain, 1), [0, 1, 0, 1]);
  });

  it('is none of a framebuffer object', async () => {
    const bind: Call = ['glBindFramebuffer', { target: 0x8d40, framebuffer: 5 }];
    await expect(render(frame(bind, accum(LOAD, 1)))).rejects.toThrow(
      /a framebuffer object has no accumulation buffer/,
    );
  });
});
