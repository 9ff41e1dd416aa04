/**
 * Special targets with renders in the middle of a frame: multisampling, layers, depth textures,
 * blits, the canvas.
 */
import { GL } from '@tessera/gl';
import { describe, expect, it } from 'vitest';
import { ResidentContext } from './resident-context.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const TEXTURE_2D_ARRAY = 0x8c1a;
const TEXTURE_3D = 0x806f;

/** Forces a render of the recorded draws by reading another framebuffer. */
function renderInBetween(context: ResidentContext): void {
  const { gl } = context;
  const [drawn, read] = [gl.framebuffers.drawFramebuffer, gl.framebuffers.readFramebuffer];
  const before = context.resolved.length;
  const [texture = 0] = gl.textures.generate(1);
  gl.textures.bind(GL.TEXTURE_2D, texture);
  gl.textures.uploads.storage(GL.TEXTURE_2D, 1, GL.RGBA8, 1, 1);
  context.framebuffer(texture);
  context.clear([1, 1, 1, 1]);
  expect(context.read()).toEqual([255, 255, 255, 255]);
  expect(context.resolved.length).toBe(before + 1);
  gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn?.name ?? 0);
  gl.framebuffers.bind(GL.READ_FRAMEBUFFER, read?.name ?? 0);
}

describe('targets that are used across renders', () => {
  it.each([false, true])('keep their samples, rendered in between: %s', (isBetween) => {
    const context = new ResidentContext();
    const { gl } = context;
    const [color = 0, depth = 0] = gl.renderbuffers.generate(2);
    const [framebuffer = 0] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    for (const [name, format, point] of [
      [color, GL.RGBA8, GL.COLOR_ATTACHMENT0],
      [depth, GL.DEPTH24_STENCIL8, GL.DEPTH_ATTACHMENT],
    ] as const) {
      gl.renderbuffers.bind(GL.RENDERBUFFER, name);
      gl.renderbuffers.setMultisampleStorage(GL.RENDERBUFFER, 4, format, 16, 16);
      gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, point, GL.RENDERBUFFER, name);
    }
    gl.capabilities.enable(GL.DEPTH_TEST);
    context.clear([0, 0, 0, 1], GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    // A near edge through the middle of the pixels of column 8, then a far rectangle over the whole
    // target.
    context.fill([1, 0, 0, 1], [-1, -1, 1 / 16, 1], -0.5);
    if (isBetween) renderInBetween(context);
    context.fill([0, 1, 0, 1], [-1, -1, 1, 1], 0.5);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, 0);
    const all = [0, 0, 16, 16] as const;
    gl.blits.blit(all, all, GL.COLOR_BUFFER_BIT, GL.NEAREST);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    expect(context.messages).toEqual([]);
    expect(context.read(4, 4)).toEqual(RED);
    expect(context.read(8, 4)).toEqual([128, 128, 0, 255]);
    expect(context.read(12, 4)).toEqual(GREEN);
    const image = context.show();
    expect([...image.subarray(8 * 4, 9 * 4)]).toEqual([128, 128, 0, 255]);
  });

  it.each([
    ['layers of an array', TEXTURE_2D_ARRAY],
    ['slices of a 3D texture', TEXTURE_3D],
  ])('keep %s', (_name, target) => {
    const context = new ResidentContext();
    const { gl } = context;
    const [texture = 0] = gl.textures.generate(1);
    gl.textures.bind(target, texture);
    gl.textures.uploads.storage(target, 1, GL.RGBA8, 4, 4, 3);
    const [framebuffer = 0] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.raster.setViewport(0, 0, 4, 4);
    const attach = (layer: number) =>
      gl.framebuffers.attachLayer(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, texture, 0, layer);
    attach(0);
    context.clear([1, 0, 0, 1]);
    attach(1);
    context.clear([0, 1, 0, 1]);
    expect(context.read(1, 1)).toEqual(GREEN);
    context.fill([0, 0, 1, 1], [-1, -1, 0, 1]);
    attach(2);
    expect(context.read(1, 1)).toEqual([0, 0, 0, 0]);
    gl.copies.subImage3d(target, 0, 1, 1, 0, 0, 0, 1, 1);
    attach(1);
    expect(context.read(0, 0, 4, 1)).toEqual([...BLUE, ...BLUE, ...GREEN, ...GREEN]);
    attach(0);
    expect(context.read(0, 1, 2, 1)).toEqual([...RED, 0, 0, 0, 0]);
    expect(context.messages).toEqual([]);
  });

  it.each([false, true])('compare drawn depths, in a later frame: %s', (isLater) => {
    const context = new ResidentContext({ dialect: 'webgl1' });
    const { gl } = context;
    const depth = context.texture(4, 4, null, [
      GL.DEPTH_COMPONENT,
      GL.DEPTH_COMPONENT,
      GL.UNSIGNED_INT,
    ] as [number, number, number]);
    const color = context.texture(4, 4);
    const framebuffer = context.framebuffer(color);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.TEXTURE_2D, depth, 0);
    gl.raster.setViewport(0, 0, 4, 4);
    gl.capabilities.enable(GL.DEPTH_TEST);
    context.clear([0, 0, 0, 1], GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    context.fill([1, 0, 0, 1], [-1, -1, 0, 1], 0);
    if (isLater) context.show();
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    // The near samples keep their color.
    context.fill([0, 1, 0, 1], [-1, -1, 1, 1], 0.5);
    expect(context.read(0, 0, 1, 1)).toEqual(RED);
    expect(context.read(3, 0, 1, 1)).toEqual(GREEN);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.raster.setViewport(0, 0, 16, 16);
    gl.capabilities.disable(GL.DEPTH_TEST);
    gl.textures.bind(GL.TEXTURE_2D, depth);
    context.draw(context.use('gl_FragColor = vec4(texture2D(map, at).rrr, 1.0);'), {});
    expect(context.messages).toEqual([]);
    expect(context.read(0, 0)).toEqual([128, 128, 128, 255]);
    expect(context.read(15, 0)).toEqual([191, 191, 191, 255]);
  });

  it('accept blits to the canvas, also after a read', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const texture = context.texture(4, 4);
    const framebuffer = context.framebuffer(texture);
    gl.raster.setViewport(0, 0, 4, 4);
    context.clear([0, 1, 0, 1]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.raster.setViewport(0, 0, 16, 16);
    context.clear([1, 0, 0, 1]);
    for (const x of [0, 8]) {
      gl.framebuffers.bind(GL.READ_FRAMEBUFFER, framebuffer);
      gl.blits.blit([0, 0, 4, 4], [x, 0, x + 4, 4], GL.COLOR_BUFFER_BIT, GL.NEAREST);
      gl.framebuffers.bind(GL.READ_FRAMEBUFFER, 0);
      expect(context.read(x, 0)).toEqual(GREEN);
      expect(context.read(x + 4, 0)).toEqual(RED);
    }
    expect(context.messages).toEqual([]);
    const bottom = context.show().subarray(15 * 16 * 4);
    expect([...bottom.subarray(0, 4)]).toEqual(GREEN);
    expect([...bottom.subarray(16, 20)]).toEqual(RED);
    expect([...bottom.subarray(32, 36)]).toEqual(GREEN);
  });

  it('are rendered before their sizes exceed the limit of a frame', () => {
    const context = new ResidentContext({ widthPx: 4, heightPx: 4 });
    const { gl } = context;
    const [first, second] = [context.texture(4, 4), context.texture(4, 4)];
    const framebuffers = [context.framebuffer(first), context.framebuffer(second)];
    for (let i = 0; i < 300; i++) {
      gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffers[i % 2]!);
      context.fill([i / 300, 0, 0, 1]);
    }
    expect(context.messages).toEqual([]);
    expect(context.resolved.length).toBe(1);
    expect(context.read()).toEqual([254, 0, 0, 255]);
  });
});
