/** Drawing buffers with several samples per pixel, which are resolved before reads and frames. */
import { describe, expect, it } from 'vitest';
import { createContext, type TesseraContext2 } from './create-context.ts';
import { readPixel, useColorProgram } from './testing/small-context.ts';

const SIZE_PX = 8;

/** Creates a context and a program that draws the triangle below the diagonal in red. */
function makeDiagonal(options: object = {}): { gl: TesseraContext2; draw: () => void } {
  const gl = createContext(SIZE_PX, SIZE_PX, { createWebGL2Context: true, ...options })!;
  gl.uniform4f(gl.getUniformLocation(useColorProgram(gl), 'color'), 1, 0, 0, 1);
  return { gl, draw: () => gl.drawArrays(gl.TRIANGLES, 0, 3) };
}

/** Red values of the diagonal, whose pixels the edge cuts. */
const diagonal = (gl: TesseraContext2): number[] =>
  [0, 3, 7].map((x) => readPixel(gl, x, SIZE_PX - 1 - x)[0]!);

describe('antialiased drawing buffer', () => {
  it('is the default, with four samples per pixel', () => {
    const { gl } = makeDiagonal();
    expect(gl.getContextAttributes()!.antialias).toBe(true);
    expect([gl.getParameter(gl.SAMPLE_BUFFERS), gl.getParameter(gl.SAMPLES)]).toEqual([1, 4]);
    const { gl: plain } = makeDiagonal({ antialias: false });
    expect([plain.getParameter(plain.SAMPLE_BUFFERS), plain.getParameter(plain.SAMPLES)]).toEqual([
      0, 0,
    ]);
  });

  it.each([1, 5])('resolves edges, with %i chiplets', (chipletCount) => {
    const { gl, draw } = makeDiagonal({ gpu: { chipletCount } });
    draw();
    const { image } = gl.frame();
    // Two of the four samples of such a pixel are below the diagonal.
    const red = [0, 3, 7].map((x) => image.rgba[4 * (SIZE_PX * x + x)]);
    expect(red).toEqual([128, 128, 128]);
  });

  it('keeps its samples when it is read in the middle of a frame', () => {
    const { gl, draw } = makeDiagonal();
    draw();
    expect(diagonal(gl)).toEqual([128, 128, 128]);
    // The other half: a resolved pixel would lose a quarter of the color.
    gl.drawArrays(gl.TRIANGLES, 1, 3);
    expect(diagonal(gl)).toEqual([255, 255, 255]);
    expect(diagonal(gl)).toEqual([255, 255, 255]);
  });

  it('starts each frame empty unless it is preserved', () => {
    const { gl, draw } = makeDiagonal();
    draw();
    gl.frame();
    expect(diagonal(gl)).toEqual([0, 0, 0]);
    const { gl: preserved, draw: drawAgain } = makeDiagonal({ preserveDrawingBuffer: true });
    drawAgain();
    preserved.frame();
    expect(diagonal(preserved)).toEqual([128, 128, 128]);
    preserved.drawArrays(preserved.TRIANGLES, 1, 3);
    preserved.frame();
    expect(diagonal(preserved)).toEqual([255, 255, 255]);
  });

  it('is resolved by copies and blits, and cannot be the destination of a blit', () => {
    const { gl, draw } = makeDiagonal();
    draw();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, SIZE_PX, SIZE_PX, 0);
    const framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
    expect(diagonal(gl)).toEqual([128, 128, 128]);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    const all = [0, 0, SIZE_PX, SIZE_PX] as const;
    gl.blitFramebuffer(...all, ...all, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    expect(diagonal(gl)).toEqual([128, 128, 128]);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(...all, ...all, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('takes resolve and samples into account in the report', () => {
    const reports = [true, false].map((antialias) => {
      const { gl, draw } = makeDiagonal({ antialias, gpu: { timing: 'cycle', chipletCount: 1 } });
      draw();
      return gl.frame().report!;
    });
    const [antialiased, plain] = reports.map(({ passes }) => ({
      count: passes.length,
      cycles: passes.reduce((sum, pass) => sum + pass.cycles!, 0),
      copyCycles: passes.reduce((sum, pass) => sum + pass.copyCycles!, 0),
    }));
    expect(antialiased!.count).toBe(plain!.count + 1);
    expect(antialiased!.cycles).toBeGreaterThan(plain!.cycles);
    expect([antialiased!.copyCycles > 0, plain!.copyCycles]).toEqual([true, 0]);
  });
});
