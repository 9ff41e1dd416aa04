import type { Frame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { GlContext } from '../context.ts';
import { DECLARATION_REFLECTION } from '../testing/small-context.ts';

const SIZE_PX = 8;
const ALL = [0, 0, SIZE_PX, SIZE_PX] as const;
const HALF = [0, 0, SIZE_PX, SIZE_PX / 2] as const;

/**
 * Returns a context whose taken frames are rendered elsewhere, and the frames that its own renderer
 * rendered.
 */
function makeContext(): { gl: GlContext; rendered: Frame[] } {
  const rendered: Frame[] = [];
  const gl = new GlContext({
    dialect: 'webgl2',
    widthPx: SIZE_PX,
    heightPx: SIZE_PX,
    reflection: DECLARATION_REFLECTION,
    renderer: (frame) => {
      rendered.push(frame);
      const drawn = frame.textures.map(
        (texture, index) => [index, { ...texture, levels: [new Uint8Array(256).fill(9)] }] as const,
      );
      return { drawnTextures: new Map(drawn) };
    },
  });
  return { gl, rendered };
}

interface Target {
  readonly samples: number;
  readonly resolved: number;
}

/** Makes a target with four samples per pixel and a target to resolve it into, both with depth. */
function makeTarget(gl: GlContext): Target {
  const [samples, resolved] = gl.framebuffers.generate(2) as [number, number];
  for (const [framebuffer, count] of [
    [samples, 4],
    [resolved, 0],
  ] as const) {
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    for (const [point, format] of [
      [GL.COLOR_ATTACHMENT0, GL.RGBA8],
      [GL.DEPTH_ATTACHMENT, GL.DEPTH_COMPONENT24],
    ] as const) {
      const [renderbuffer] = gl.renderbuffers.generate(1) as [number];
      gl.renderbuffers.bind(GL.RENDERBUFFER, renderbuffer);
      gl.renderbuffers.setStorage(GL.RENDERBUFFER, format, SIZE_PX, SIZE_PX, count);
      gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, point, GL.RENDERBUFFER, renderbuffer);
    }
  }
  return { samples, resolved };
}

/**
 * Takes a frame that clears one target and resolves it into the other. Returns the number of
 * texture levels that the frame holds.
 */
function takeFrame(gl: GlContext, { samples, resolved }: Target, edges: typeof ALL | typeof HALF) {
  gl.framebuffers.bind(GL.FRAMEBUFFER, samples);
  gl.raster.setClearColor(1, 0, 0, 1);
  gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
  gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, resolved);
  gl.blits.blit(edges, edges, GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT, GL.NEAREST);
  gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
  gl.clears.clear(GL.COLOR_BUFFER_BIT);
  const given = gl.frames.take().textures.reduce((sum, { levels }) => sum + levels.length, 0);
  expect(gl.errors.take()).toBe(GL.NO_ERROR);
  return given;
}

describe('frames that another renderer renders', () => {
  it('are not rendered, nor their images sent, if alternating targets are replaced as a whole', () => {
    const { gl, rendered } = makeContext();
    const targets = [makeTarget(gl), makeTarget(gl)] as const;
    for (let frame = 0; frame < 6; frame++) {
      expect(takeFrame(gl, targets[frame % 2]!, ALL)).toBe(0);
    }
    expect(rendered).toHaveLength(0);
  });

  it('are rendered for the rest of a target that is written in part', () => {
    const { gl, rendered } = makeContext();
    const target = makeTarget(gl);
    takeFrame(gl, target, ALL);
    expect(takeFrame(gl, target, HALF)).toBe(2);
    expect(rendered).toHaveLength(1);
  });

  it('are rendered, oldest first, if too many are pending', () => {
    const { gl, rendered } = makeContext();
    for (let frame = 0; frame < 3; frame++) takeFrame(gl, makeTarget(gl), ALL);
    expect(rendered).toHaveLength(0);
    takeFrame(gl, makeTarget(gl), ALL);
    expect(rendered).toHaveLength(1);
  });
});
