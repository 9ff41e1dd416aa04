/**
 * Blits between framebuffers of a context: scaled, mirrored, clipped, for every kind of texel, with
 * resolves and rejected calls.
 */
import { GL } from '@tessera/gl';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResidentContext } from './resident-context.ts';

const EDGE = 12;
const { COLOR_BUFFER_BIT: COLOR, DEPTH_BUFFER_BIT: DEPTH, STENCIL_BUFFER_BIT: STENCIL } = GL;
const RGBA8UI: readonly [number, number, number] = [0x8d7c, 0x8d99, GL.UNSIGNED_BYTE];
const RGBA16F = 0x881a;
const GREEN = [0, 255, 0, 255];

type Edges = readonly [number, number, number, number];
const WHOLE: Edges = [0, 0, EDGE, EDGE];

/** Texels that are all different. */
const TEXELS = Uint8Array.from({ length: EDGE * EDGE * 4 }, (_, at) => {
  const texel = at >> 2;
  const [x, y] = [texel % EDGE, Math.floor(texel / EDGE)];
  return [x * 20, y * 20, ((x * 5 + y * 3) % 13) * 19, 255][at & 3]!;
});

/** Binds a read framebuffer with TEXELS and a green draw framebuffer. */
function bindPair(context: ResidentContext): { read: number; drawn: number; sampled: number } {
  const { gl } = context;
  const read = context.framebuffer(context.texture(EDGE, EDGE, TEXELS));
  const sampled = context.texture(EDGE, EDGE);
  const drawn = context.framebuffer(sampled);
  context.clear([0, 1, 0, 1]);
  gl.framebuffers.bind(GL.READ_FRAMEBUFFER, read);
  return { read, drawn, sampled };
}

function readDrawn({ gl }: ResidentContext, drawn: number): Uint8Array {
  gl.framebuffers.bind(GL.READ_FRAMEBUFFER, drawn);
  const bytes = new Uint8Array(EDGE * EDGE * 4);
  gl.reads.read(0, 0, EDGE, EDGE, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
  return bytes;
}

/**
 * Returns the source position of a pixel's center, or `null` if the blit does not write the pixel.
 */
function sourceOf(x: number, y: number, from: Edges, to: Edges): readonly [number, number] | null {
  const along = (at: number, i: 0 | 1): number | null => {
    const [t0, t1, f0, f1] = [to[i], to[i + 2]!, from[i], from[i + 2]!];
    if (at < Math.min(t0, t1) || at > Math.max(t0, t1)) return null;
    const source = f0 + ((at - t0) * (f1 - f0)) / (t1 - t0);
    return source < 0 || source >= EDGE ? null : source;
  };
  const [u, v] = [along(x + 0.5, 0), along(y + 0.5, 1)];
  return u === null || v === null ? null : [u, v];
}

const anyEdge = fc.integer({ min: -4, max: EDGE + 4 });
const anyEdges = fc.tuple(anyEdge, anyEdge, anyEdge, anyEdge);
const anyScissor = fc.option(
  fc.tuple(...[0, 1].map(() => fc.nat(8)), ...[0, 1].map(() => fc.integer({ min: 1, max: EDGE }))),
);

describe('blitFramebuffer', () => {
  const context = new ResidentContext({ widthPx: EDGE, heightPx: EDGE });

  it("writes the texel under each pixel's center, for any rectangles", () => {
    const { gl } = context;
    fc.assert(
      fc.property(anyEdges, anyEdges, fc.boolean(), anyScissor, (from, given, isExact, scissor) => {
        const to: Edges = isExact
          ? [given[0], given[1], given[0] + from[2] - from[0], given[1] + from[3] - from[1]]
          : given;
        const { drawn } = bindPair(context);
        if (scissor !== null) {
          gl.capabilities.enable(GL.SCISSOR_TEST);
          gl.raster.setScissor(...(scissor as unknown as Edges));
        }
        gl.blits.blit(from, to, COLOR, GL.NEAREST);
        gl.capabilities.disable(GL.SCISSOR_TEST);
        const [cutX, cutY, cutWidth, cutHeight] = scissor ?? [0, 0, EDGE, EDGE];
        readDrawn(context, drawn).forEach((byte, at) => {
          const pixel = at >> 2;
          const [x, y] = [pixel % EDGE, Math.floor(pixel / EDGE)];
          const isCut = x < cutX! || y < cutY! || x >= cutX! + cutWidth! || y >= cutY! + cutHeight!;
          const source = isCut ? null : sourceOf(x, y, from, to);
          // On a border between texels either texel is correct.
          const isBorder = source?.some((each) => Math.abs(each - Math.round(each)) < 1e-3);
          if (isBorder && !isExact) return;
          const [u, v] = (source ?? [0, 0]).map(Math.floor);
          const expected =
            source === null ? GREEN[at & 3]! : TEXELS[(v! * EDGE + u!) * 4 + (at & 3)]!;
          expect(byte, `${x}, ${y} of ${from} to ${to}`).toBe(expected);
        });
      }),
      { numRuns: 40, seed: 12 },
    );
    expect(context.messages).toEqual([]);
  });

  it('filters linearly, clamped to the source', () => {
    const { gl } = context;
    const { drawn } = bindPair(context);
    const from: Edges = [1, 2, 7, 6];
    gl.blits.blit(from, WHOLE, COLOR, GL.LINEAR);
    const texel = (x: number, y: number, c: number) =>
      TEXELS[
        (Math.min(Math.max(y, 0), EDGE - 1) * EDGE + Math.min(Math.max(x, 0), EDGE - 1)) * 4 + c
      ]!;
    readDrawn(context, drawn).forEach((byte, at) => {
      const [x, y, c] = [(at >> 2) % EDGE, Math.floor((at >> 2) / EDGE), at & 3];
      const [u, v] = sourceOf(x, y, from, WHOLE)!.map((each) => each - 0.5) as [number, number];
      const [i, j] = [Math.floor(u), Math.floor(v)];
      const [s, t] = [u - i, v - j];
      const row = (k: number) => texel(i, k, c) * (1 - s) + texel(i + 1, k, c) * s;
      expect(Math.abs(byte - (row(j) * (1 - t) + row(j + 1) * t))).toBeLessThanOrEqual(1.01);
    });
  });

  it('copies integers, floats, and colors to several targets', () => {
    const { gl } = context;
    const texels = TEXELS.subarray(0, EDGE * EDGE * 4);
    const integers = context.framebuffer(context.texture(EDGE, EDGE, texels, RGBA8UI));
    for (const to of [WHOLE, [EDGE, 0, 0, EDGE]] as const) {
      const drawn = context.framebuffer(context.texture(EDGE, EDGE, null, RGBA8UI));
      gl.framebuffers.bind(GL.READ_FRAMEBUFFER, integers);
      gl.blits.blit(WHOLE, to, COLOR, GL.NEAREST);
      gl.framebuffers.bind(GL.READ_FRAMEBUFFER, drawn);
      const words = new Uint32Array(4);
      gl.reads.read(2, 3, 1, 1, RGBA8UI[1], 0x1405, new Uint8Array(words.buffer));
      const x = to === WHOLE ? 2 : EDGE - 1 - 2;
      const at = (3 * EDGE + x) * 4;
      expect([...words]).toEqual([...TEXELS.subarray(at, at + 4)]);
    }
    const { read } = bindPair(context);
    const [one, two] = [GL.RGBA, RGBA16F].map((format) =>
      context.texture(EDGE, EDGE, null, [
        format,
        GL.RGBA,
        format === GL.RGBA ? GL.UNSIGNED_BYTE : GL.FLOAT,
      ]),
    );
    context.framebuffer(one!);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0 + 1, GL.TEXTURE_2D, two!, 0);
    gl.framebuffers.setDrawBuffers([GL.COLOR_ATTACHMENT0, GL.COLOR_ATTACHMENT0 + 1]);
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, read);
    gl.blits.blit(WHOLE, WHOLE, COLOR, GL.NEAREST);
    for (const texture of [one!, two!]) {
      context.framebuffer(texture);
      context.gl.textures.bind(GL.TEXTURE_2D, texture);
      gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
      context.fillWithMap();
      expect(context.read(4, 7)).toEqual([80, 140, ((20 + 21) % 13) * 19, 255]);
    }
    expect(context.messages).toEqual([]);
  });

  it('reads from the drawing buffer and writes to it', () => {
    const each = new ResidentContext({ widthPx: EDGE, heightPx: EDGE });
    const { gl } = each;
    each.clear([0, 0, 1, 1]);
    each.fill([1, 0, 0, 1], [-1, -1, 0, 0]);
    const drawn = each.framebuffer(each.texture(EDGE, EDGE));
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, 0);
    gl.blits.blit(WHOLE, [EDGE, EDGE, 0, 0], COLOR, GL.NEAREST);
    expect(readDrawn(each, drawn).subarray(0, 4)).toEqual(Uint8Array.of(0, 0, 255, 255));
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, 0);
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, drawn);
    gl.blits.blit(WHOLE, WHOLE, COLOR, GL.NEAREST);
    const image = each.show();
    const pixel = (x: number, row: number) => [
      ...image.slice((row * EDGE + x) * 4, (row * EDGE + x) * 4 + 3),
    ];
    expect([pixel(1, 1), pixel(10, 1), pixel(10, 10)]).toEqual([
      [0, 0, 255],
      [255, 0, 0],
      [0, 0, 255],
    ]);
    expect(each.messages).toEqual([]);
  });

  it('copies depth and stencil, together and separately', () => {
    for (const [mask, seen] of [
      [DEPTH | STENCIL, [true, true]],
      [DEPTH, [true, false]],
      [STENCIL, [false, true]],
    ] as const) {
      const each = new ResidentContext({ widthPx: EDGE, heightPx: EDGE });
      const { gl } = each;
      const frames = [0, 1].map(() => {
        const name = each.framebuffer(each.texture(EDGE, EDGE));
        const [renderbuffer = 0] = gl.renderbuffers.generate(1);
        gl.renderbuffers.bind(GL.RENDERBUFFER, renderbuffer);
        gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH24_STENCIL8, EDGE, EDGE);
        gl.framebuffers.attachRenderbuffer(
          ...([
            GL.FRAMEBUFFER,
            GL.DEPTH_STENCIL_ATTACHMENT,
            GL.RENDERBUFFER,
            renderbuffer,
          ] as const),
        );
        return name;
      });
      const [read, drawn] = frames as [number, number];
      gl.framebuffers.bind(GL.FRAMEBUFFER, drawn);
      each.clear([0, 0, 0, 1], COLOR | DEPTH | STENCIL);
      gl.framebuffers.bind(GL.FRAMEBUFFER, read);
      each.clear([0, 0, 0, 1], COLOR | DEPTH | STENCIL);
      gl.capabilities.enable(GL.DEPTH_TEST);
      gl.capabilities.enable(GL.STENCIL_TEST);
      gl.raster.setStencilFunction(GL.FRONT_AND_BACK, GL.ALWAYS, 5, 255);
      gl.raster.setStencilOperations(GL.FRONT_AND_BACK, GL.KEEP, GL.KEEP, GL.REPLACE);
      each.fill([1, 1, 1, 1], [-1, -1, 0, 1], -0.5);
      gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn);
      gl.blits.blit([0, 0, EDGE, EDGE], [2, 0, EDGE + 2, EDGE], mask, GL.NEAREST);
      // Green passes only where the depth is far, blue only where the stencil was written.
      gl.raster.setStencilOperations(GL.FRONT_AND_BACK, GL.KEEP, GL.KEEP, GL.KEEP);
      gl.raster.setDepthMask(false);
      each.fill([0, 1, 0, 1], [-1, -1, 1, 1], 0);
      gl.capabilities.disable(GL.DEPTH_TEST);
      gl.raster.setStencilFunction(GL.FRONT_AND_BACK, GL.EQUAL, 5, 255);
      gl.raster.setColorMask(false, false, true, false);
      each.fill([0, 0, 1, 1]);
      gl.raster.setColorMask(true, true, true, true);
      gl.framebuffers.bind(GL.READ_FRAMEBUFFER, drawn);
      const pixel = (x: number) =>
        each
          .read(x, 5)
          .slice(1, 3)
          .map((byte) => byte > 0);
      const untouched = [true, false];
      expect([pixel(0), pixel(4), pixel(11)]).toEqual([untouched, [!seen[0], seen[1]], untouched]);
      expect(each.messages).toEqual([]);
    }
  });

  it('resolves multisampled renderbuffers, which cannot be read otherwise', () => {
    const { gl } = context;
    const { drawn } = bindPair(context);
    const [name = 0] = gl.framebuffers.generate(1);
    const [color = 0, depth = 0] = gl.renderbuffers.generate(2);
    gl.framebuffers.bind(GL.FRAMEBUFFER, name);
    gl.renderbuffers.bind(GL.RENDERBUFFER, color);
    gl.renderbuffers.setMultisampleStorage(GL.RENDERBUFFER, 3, GL.RGBA8, EDGE, EDGE);
    const attach = (point: number, renderbuffer: number) =>
      gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, point, GL.RENDERBUFFER, renderbuffer);
    attach(GL.COLOR_ATTACHMENT0, color);
    gl.renderbuffers.bind(GL.RENDERBUFFER, depth);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH24_STENCIL8, EDGE, EDGE);
    attach(GL.DEPTH_ATTACHMENT, depth);
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
    gl.renderbuffers.setMultisampleStorage(GL.RENDERBUFFER, 4, GL.DEPTH24_STENCIL8, EDGE, EDGE);
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
    gl.capabilities.enable(GL.DEPTH_TEST);
    context.clear([0, 0, 0, 1], COLOR | DEPTH);
    context.fill([1, 1, 1, 1], [-1, -1, (2 * 5.25) / EDGE - 1, 1]);
    context.fill([1, 0, 0, 1], [-1, -1, 1, 1], 0.5);
    gl.capabilities.disable(GL.DEPTH_TEST);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn);
    gl.blits.blit(WHOLE, WHOLE, COLOR, GL.NEAREST);
    const resolved = readDrawn(context, drawn);
    const red = (x: number) => [...resolved.subarray((4 * EDGE + x) * 4, (4 * EDGE + x) * 4 + 3)];
    expect([red(4), red(5), red(6)]).toEqual([
      [255, 255, 255],
      [255, 64, 64],
      [255, 0, 0],
    ]);
    expect(context.messages).toEqual([]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, name);
    context.read();
    gl.blits.blit(WHOLE, WHOLE, COLOR, GL.NEAREST);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, drawn);
    gl.blits.blit(WHOLE, [0, 0, EDGE, EDGE - 1], COLOR, GL.NEAREST);
    gl.blits.blit([0, 0, 4, 4], [1, 0, 5, 4], COLOR, GL.NEAREST);
    gl.renderbuffers.setMultisampleStorage(GL.RENDERBUFFER, 5, GL.RGBA8, EDGE, EDGE);
    expect(context.errors.splice(0)).toEqual(Array(5).fill(GL.INVALID_OPERATION));
    gl.renderbuffers.setMultisampleStorage(GL.RENDERBUFFER, -1, GL.RGBA8, EDGE, EDGE);
    expect(context.errors.splice(0)).toEqual([GL.INVALID_VALUE]);
    context.messages.splice(0);
  });

  it('rejects what the specification rejects', () => {
    const { gl } = context;
    const blit = (mask: number, filter: number) => {
      gl.blits.blit(WHOLE, WHOLE, mask, filter);
      return context.errors.splice(0);
    };
    const { read } = bindPair(context);
    expect(blit(COLOR, GL.NEAREST)).toEqual([]);
    expect(blit(COLOR | 1, GL.NEAREST)).toEqual([GL.INVALID_VALUE]);
    expect(blit(COLOR, GL.REPEAT)).toEqual([GL.INVALID_ENUM]);
    expect(blit(COLOR | DEPTH, GL.LINEAR)).toEqual([GL.INVALID_OPERATION]);
    // Buffers that only one of the framebuffers has are ignored.
    expect(blit(COLOR | DEPTH | STENCIL, GL.NEAREST)).toEqual([]);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, read);
    expect(blit(COLOR, GL.NEAREST)).toEqual([GL.INVALID_OPERATION]);
    const integers = context.framebuffer(context.texture(EDGE, EDGE, null, RGBA8UI));
    expect(blit(COLOR, GL.LINEAR)).toEqual([GL.INVALID_OPERATION]);
    gl.framebuffers.bind(GL.READ_FRAMEBUFFER, read);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, integers);
    expect(blit(COLOR, GL.NEAREST)).toEqual([GL.INVALID_OPERATION]);
    gl.framebuffers.bind(GL.DRAW_FRAMEBUFFER, gl.framebuffers.generate(1)[0]!);
    expect(blit(COLOR, GL.NEAREST)).toEqual([GL.INVALID_FRAMEBUFFER_OPERATION]);
  });
});
