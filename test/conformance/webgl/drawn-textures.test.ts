/**
 * Textures that were drawn to: uploads over them, copies, mipmaps, later frames, feedback loops,
 * deletion.
 */
import { GL } from '@tessera/gl';
import { describe, expect, it } from 'vitest';
import { ResidentContext } from './resident-context.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const BLUE = [0, 0, 255, 255];
const NOTHING = [0, 0, 0, 0];
const BLACK = [0, 0, 0, 255];

/** Creates a context that draws to a texture of 4×4 texels. */
function setUp(options: ConstructorParameters<typeof ResidentContext>[0] = {}) {
  const context = new ResidentContext(options);
  const texture = context.texture(4, 4);
  const framebuffer = context.framebuffer(texture);
  context.gl.raster.setViewport(0, 0, 4, 4);
  return { context, gl: context.gl, texture, framebuffer };
}

/** Draws the texture to the drawing buffer of 16×16 pixels. */
function showTexture(context: ResidentContext, texture: number): void {
  const { gl } = context;
  gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
  gl.raster.setViewport(0, 0, 16, 16);
  gl.textures.bind(GL.TEXTURE_2D, texture);
  context.fillWithMap();
}

const upload = (widthPx: number, heightPx: number, level = 0) => ({
  target: GL.TEXTURE_2D,
  level,
  widthPx,
  heightPx,
  format: GL.RGBA,
  type: GL.UNSIGNED_BYTE,
});

describe('a texture that was drawn to', () => {
  it('accepts uploads over a part of it', () => {
    const { context, gl, texture, framebuffer } = setUp();
    context.clear([1, 0, 0, 1]);
    const bytes = Uint8Array.of(...BLUE, ...GREEN);
    gl.textures.uploads.subImage(1, 2, { ...upload(2, 1), bytes });
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    expect(context.read(0, 2, 4, 1)).toEqual([...RED, ...BLUE, ...GREEN, ...RED]);
    showTexture(context, texture);
    expect(context.read(5, 9)).toEqual(BLUE);
    expect(context.read(5, 4)).toEqual(RED);
    expect(context.messages).toEqual([]);
  });

  it('can be drawn to again after an upload', () => {
    const { context, gl } = setUp();
    context.clear([1, 0, 0, 1]);
    gl.textures.uploads.subImage(0, 0, { ...upload(1, 1), bytes: Uint8Array.of(...BLUE) });
    context.fill([0, 1, 0, 1], [0, 0, 1, 1]);
    expect(context.read(0, 0)).toEqual(BLUE);
    expect(context.read(1, 1)).toEqual(RED);
    expect(context.read(3, 3)).toEqual(GREEN);
  });

  it('keeps its other levels and faces when one is replaced', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const [cube = 0] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_CUBE_MAP, cube);
    gl.textures.uploads.storage(GL.TEXTURE_CUBE_MAP, 3, GL.RGBA8, 4, 4);
    const face = (index: number) => GL.TEXTURE_CUBE_MAP_POSITIVE_X + index;
    for (let i = 0; i < 6; i++) {
      context.framebuffer(cube, i % 3, face(i));
      context.clear([i / 5, 1, 0, 1]);
    }
    gl.textures.uploads.subImage(0, 0, {
      ...upload(4, 4),
      target: face(3),
      bytes: new Uint8Array(64).fill(7),
    });
    for (let i = 0; i < 6; i++) {
      context.framebuffer(cube, i % 3, face(i));
      expect(context.read()).toEqual(i === 3 ? [7, 7, 7, 7] : [i * 51, 255, 0, 255]);
      context.framebuffer(cube, (i + 1) % 3, face(i));
      expect(context.read()).toEqual(NOTHING);
    }
    expect(context.messages).toEqual([]);
  });

  it.each([true, false])(
    'is sampled in later frames; the renderer tells of it: %s',
    (isAdopted) => {
      const { context, texture } = setUp();
      context.clear([0, 1, 0, 1]);
      context.show(isAdopted);
      context.gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
      context.gl.raster.setViewport(0, 0, 16, 16);
      context.fill([1, 0, 0, 1]);
      context.show(isAdopted);
      showTexture(context, texture);
      const before = context.resolved.length;
      expect([...context.show(isAdopted).subarray(0, 4)]).toEqual(GREEN);
      expect(context.resolved.length).toBe(before);
      expect(context.resolved.length).toBe(isAdopted ? 0 : 1);
    },
  );

  it.each([true, false])('keeps its contents in later frames: %s', (isAdopted) => {
    const { context, gl, framebuffer } = setUp();
    gl.capabilities.enable(GL.BLEND);
    gl.raster.setBlendFactors(1, 1, 1, 1);
    for (let frame = 0; frame < 5; frame++) {
      gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
      context.fill([0.2, 0, 0, 0.2]);
      context.show(isAdopted);
    }
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    expect(context.read(2, 2)).toEqual([255, 0, 0, 255]);
  });

  it('costs nothing if each frame redraws it and no result is adopted', () => {
    const { context, texture, framebuffer } = setUp();
    for (let frame = 0; frame < 4; frame++) {
      context.gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
      context.gl.raster.setViewport(0, 0, 4, 4);
      context.clear([0, frame / 5, 0, 1]);
      showTexture(context, texture);
      expect(context.show(false)[1]).toBe(frame * 51);
    }
    expect(context.resolved).toEqual([]);
  });

  it('cannot be sampled by draws that write it', () => {
    const { context, gl, texture } = setUp();
    context.clear([0, 1, 0, 1]);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    context.fillWithMap();
    expect(context.errors).toEqual([GL.INVALID_OPERATION]);
    expect(context.read()).toEqual(GREEN);
  });

  it('can be sampled at other levels than the one that is drawn', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const [texture = 0] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 3, GL.RGBA8, 4, 4);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST_MIPMAP_NEAREST);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MAG_FILTER, GL.NEAREST);
    context.framebuffer(texture);
    gl.raster.setViewport(0, 0, 4, 4);
    context.clear([0.2, 0.4, 0.6, 1]);
    for (const level of [1, 2]) {
      gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_BASE_LEVEL, level - 1);
      gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MAX_LEVEL, level - 1);
      context.framebuffer(texture, level);
      gl.raster.setViewport(0, 0, 4 >> level, 4 >> level);
      const program = context.use('gl_FragColor = texture2D(map, at) * 0.5;');
      context.draw(program, {});
    }
    expect(context.messages).toEqual([]);
    expect(context.read()).toEqual([13, 26, 38, 64]);
  });
});

describe('mipmaps', () => {
  /** Returns levels 0 to 2 of a texture, as draws read them. */
  function readLevels(context: ResidentContext, texture: number): number[][] {
    const { gl } = context;
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST_MIPMAP_NEAREST);
    return [0, 1, 2].map((level) => {
      const scale = 4 >> level;
      gl.raster.setViewport(0, 0, scale, scale);
      context.fillWithMap();
      return context.read();
    });
  }

  it('are generated from drawn texels', () => {
    const { context, gl, texture } = setUp();
    context.clear([1, 0, 0, 1]);
    context.fill([0, 0, 1, 1], [0, -1, 1, 1]);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    expect(readLevels(context, texture)).toEqual([RED, RED, [128, 0, 128, 255]]);
  });

  it.each([true, false])('stay unchanged when the base is redrawn: %s', (isRead) => {
    const { context, gl, texture, framebuffer } = setUp();
    context.clear([1, 0, 0, 1]);
    if (isRead) expect(context.read()).toEqual(RED);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    context.clear([0, 1, 0, 1]);
    expect(readLevels(context, texture)).toEqual([GREEN, RED, RED]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    expect(readLevels(context, texture)).toEqual([GREEN, GREEN, GREEN]);
  });

  it('stay unchanged when the base is uploaded again, and can be replaced one by one', () => {
    const { context, gl, texture } = setUp();
    context.clear([1, 0, 0, 1]);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    const blue = new Uint8Array(64).map((_, i) => BLUE[i % 4]!);
    gl.textures.uploads.subImage(0, 0, { ...upload(4, 4), bytes: blue });
    gl.textures.uploads.subImage(0, 0, { ...upload(1, 1, 2), bytes: Uint8Array.of(...GREEN) });
    expect(context.messages).toEqual([]);
    expect(readLevels(context, texture)).toEqual([BLUE, RED, GREEN]);
  });

  it('can be drawn to one by one', () => {
    const { context, gl, texture } = setUp();
    context.clear([1, 0, 0, 1]);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    context.framebuffer(texture, 1);
    gl.raster.setViewport(0, 0, 2, 2);
    context.clear([0, 1, 0, 1]);
    expect(context.messages).toEqual([]);
    expect(readLevels(context, texture)).toEqual([RED, GREEN, RED]);
  });

  it('are generated from levels that were drawn one by one', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const [texture = 0] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 3, GL.RGBA8, 4, 4);
    for (const [level, blue] of [0, 1, 1].entries()) {
      context.framebuffer(texture, level);
      context.clear([1 - blue, 0, blue, 1]);
    }
    expect(readLevels(context, texture)).toEqual([RED, BLUE, BLUE]);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    expect(readLevels(context, texture)).toEqual([RED, RED, RED]);
    expect(context.messages).toEqual([]);
  });

  it.each([
    ['sRGB', [0x8c43, GL.RGBA, GL.UNSIGNED_BYTE], [255, 0, 0, 255], 0.5, [188, 188, 0, 255]],
    ['half floats', [0x881a, GL.RGBA, 0x140b], [255, 0, 0, 255], 0.5, [128, 128, 0, 255]],
  ] as const)('of %s stay unchanged too', (_name, storage, expected, _half, mean) => {
    const context = new ResidentContext();
    const { gl } = context;
    const texture = context.texture(4, 4, null, storage);
    context.framebuffer(texture);
    gl.raster.setViewport(0, 0, 4, 4);
    context.clear([1, 0, 0, 1]);
    context.fill([0, 1, 0, 1], [0, -1, 1, 1]);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    context.clear([1, 0, 0, 1]);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST_MIPMAP_NEAREST);
    const target = context.texture(1, 1);
    context.framebuffer(target);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.raster.setViewport(0, 0, 1, 1);
    const isSrgb = storage[0] === 0x8c43;
    const program = context.use(
      isSrgb
        ? 'gl_FragColor = pow(texture2D(map, at), vec4(vec3(1.0 / 2.2), 1.0));'
        : 'gl_FragColor = texture2D(map, at);',
    );
    context.draw(program, {});
    expect(context.messages).toEqual([]);
    const found = context.read();
    for (const [i, value] of mean.entries()) expect(Math.abs(found[i]! - value)).toBeLessThan(3);
    expect(expected.length).toBe(4);
  });
});

describe('copies', () => {
  it('of the drawing buffer omit pixels outside it', () => {
    const context = new ResidentContext();
    const { gl } = context;
    context.fill([1, 0, 0, 1]);
    const texture = context.texture(4, 4, new Uint8Array(64).fill(9));
    gl.copies.subImage(GL.TEXTURE_2D, 0, 0, 0, -2, 14, 4, 4);
    context.framebuffer(texture);
    const nine = [9, 9, 9, 9];
    expect(context.read(0, 0, 4, 1)).toEqual([...nine, ...nine, ...RED, ...RED]);
    expect(context.read(0, 1, 4, 1)).toEqual([...nine, ...nine, ...RED, ...RED]);
    expect(context.read(2, 2)).toEqual(nine);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.copies.image(GL.TEXTURE_2D, 0, GL.RGBA, -2, 14, 4, 4);
    context.framebuffer(texture);
    expect(context.read(0, 0, 4, 1)).toEqual([...NOTHING, ...NOTHING, ...RED, ...RED]);
    expect(context.read(2, 2)).toEqual(NOTHING);
    expect(context.messages).toEqual([]);
  });

  it.each([
    ['webgl1', GL.LUMINANCE, [51, 51, 51, 255]],
    ['webgl1', GL.ALPHA, [0, 0, 0, 128]],
    ['webgl1', GL.LUMINANCE_ALPHA, [51, 51, 51, 128]],
    ['webgl1', GL.RGB, [51, 102, 153, 255]],
    ['webgl2', GL.RGBA, [51, 102, 153, 128]],
  ] as const)('in %s into %i', (dialect, internalFormat, expected) => {
    const context = new ResidentContext({ dialect });
    const { gl } = context;
    context.clear([0.2, 0.4, 0.6, 128 / 255]);
    const texture = context.texture(1, 1);
    gl.copies.image(GL.TEXTURE_2D, 0, internalFormat, 3, 3, 4, 4);
    context.fillWithMap();
    expect(context.messages).toEqual([]);
    expect(context.read(8, 8)).toEqual(expected);
    expect(texture).toBeGreaterThan(0);
  });

  it('preserve floats', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const half = [0x881a, GL.RGBA, 0x140b] as const;
    const source = context.texture(4, 4, null, half);
    const framebuffer = context.framebuffer(source);
    gl.raster.setViewport(0, 0, 4, 4);
    context.clear([2, 0.5, -1, 1]);
    const texture = context.texture(4, 4, null, half);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 1, 1, 0, 0, 2, 2);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    const read = (x: number) => {
      const values = new Float32Array(4);
      gl.reads.read(x, 1, 1, 1, GL.RGBA, GL.FLOAT, new Uint8Array(values.buffer));
      return [...values];
    };
    expect(read(1)).toEqual([2, 0.5, -1, 1]);
    expect(read(0)).toEqual([0, 0, 0, 0]);
    expect(context.messages).toEqual([]);
  });

  it('need the channels, and never read what they write', () => {
    const context = new ResidentContext({ dialect: 'webgl1', buffer: { hasAlpha: false } });
    const { gl } = context;
    const texture = context.texture(4, 4);
    gl.copies.image(GL.TEXTURE_2D, 0, GL.RGBA, 0, 0, 4, 4);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    context.framebuffer(texture);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 0, 0, 2, 2, 2, 2);
    expect(context.errors).toEqual(new Array(3).fill(GL.INVALID_OPERATION));
  });

  it('into a texture persist in the next frame', () => {
    for (const isAdopted of [true, false]) {
      const context = new ResidentContext();
      const { gl } = context;
      context.fill([0, 1, 0, 1]);
      const texture = context.texture(4, 4);
      gl.copies.subImage(GL.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
      context.show(isAdopted);
      showTexture(context, texture);
      expect(context.read()).toEqual(GREEN);
    }
  });
});

describe('objects', () => {
  it('stay alive while they are attached or bound', () => {
    const { context, gl, framebuffer } = setUp();
    const other = context.texture(4, 4);
    const [renderbuffer = 0] = gl.renderbuffers.generate(1);
    gl.renderbuffers.bind(GL.RENDERBUFFER, renderbuffer);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH_COMPONENT16, 4, 4);
    gl.framebuffers.attachRenderbuffer(
      GL.FRAMEBUFFER,
      GL.DEPTH_ATTACHMENT,
      GL.RENDERBUFFER,
      renderbuffer,
    );
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.renderbuffers.remove([renderbuffer]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.clears.clear(GL.DEPTH_BUFFER_BIT);
    context.fill([0, 1, 0, 1], [-1, -1, 1, 1], -0.5);
    context.fill([1, 0, 0, 1], [-1, -1, 1, 1], 0.5);
    expect(context.read()).toEqual(GREEN);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, other, 0);
    gl.textures.remove([other]);
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
    context.clear([1, 0, 0, 1]);
    context.read();
    expect(context.errors).toEqual([GL.INVALID_OPERATION]);
  });

  it('without contents read as zero, and incomplete textures sample as black', () => {
    const { context, gl, texture } = setUp();
    expect(context.read(1, 1)).toEqual(NOTHING);
    const [renderbuffer = 0] = gl.renderbuffers.generate(1);
    gl.renderbuffers.bind(GL.RENDERBUFFER, renderbuffer);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.RGB565, 4, 4);
    gl.framebuffers.attachRenderbuffer(
      GL.FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0,
      GL.RENDERBUFFER,
      renderbuffer,
    );
    expect(context.read(1, 1)).toEqual(BLACK);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR_MIPMAP_LINEAR);
    context.clear([1, 1, 1, 1]);
    context.fillWithMap();
    expect(context.read(1, 1)).toEqual(BLACK);
    expect(context.messages).toEqual([]);
  });
});

describe('a frame with parts that were rendered before', () => {
  /**
   * Draws a pass like a shadow map, then the drawing buffer with depth, with an optional read in
   * between.
   */
  function drawFrame(context: ResidentContext, texture: number, isRead: boolean): Uint8Array {
    const { gl } = context;
    const framebuffer = context.framebuffer(texture);
    gl.raster.setViewport(0, 0, 4, 4);
    context.clear([0, 1, 0, 1]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.raster.setViewport(0, 0, 16, 16);
    gl.capabilities.enable(GL.DEPTH_TEST);
    context.clear([0.2, 0.2, 0.2, 1], GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    context.fill([1, 0, 0, 1], [-1, -1, 0, 1], -0.5);
    if (isRead) expect(context.read(0, 0)).toEqual(RED);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    context.fillWithMap([-0.5, -1, 0.5, 1]);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    return context.show();
  }

  it('has the same image, and a report of all its passes', () => {
    const [plain, read] = [false, true].map((isRead) => {
      const context = new ResidentContext({ timing: 'cycle' });
      const image = drawFrame(context, context.texture(4, 4), isRead);
      return { context, image };
    });
    expect(read!.image).toEqual(plain!.image);
    const whole = plain!.context.report(plain!.image, 3);
    const joined = read!.context.report(read!.image, 3);
    expect(whole.passes.map(({ draws }) => draws)).toEqual([0, 2]);
    // The read splits the pass to the drawing buffer, which is copied to the screen at the end.
    expect(joined.passes.map(({ draws, target }) => [draws, target])).toEqual([
      [0, 'texture'],
      [1, 'images'],
      [1, 'images'],
      [1, 'screen'],
    ]);
    expect(joined.totals.cycles).toBeGreaterThan(whole.totals.cycles!);
    // Each pass waits for the results of earlier passes that it reads, as in a frame rendered as a
    // whole.
    const { measurement } = read!.context.lastAccount!;
    expect(measurement.passes.map(({ binsNeed }) => binsNeed)).toEqual([[], [], [0, 1], [2]]);
    expect(joined.passes[2]!.bytesExchanged).toBe(16 * 16 * 8 + 4 * 4 * 4);
    expect(whole.passes[1]!.bytesExchanged).toBe(4 * 4 * 4);
  });

  it('is the same for any bins', () => {
    const images = [1, 4].map((binCount) => {
      const context = new ResidentContext({ binCount, widthPx: 160, heightPx: 130 });
      return drawFrame(context, context.texture(4, 4), true);
    });
    expect(images[1]).toEqual(images[0]);
  });

  it('continues after the maximum number of draws of a frame', () => {
    const context = new ResidentContext({ widthPx: 2, heightPx: 2 });
    const { gl } = context;
    gl.capabilities.enable(GL.BLEND);
    gl.raster.setBlendFactors(1, 1, 1, 1);
    const program = context.use('gl_FragColor = color;');
    context.draw(program, { color: [0, 0, 0, 1 / 255] });
    for (let i = 0; i < 15_100; i++)
      gl.draws.drawArrays(GL.TRIANGLE_STRIP, 0, i % 150 === 0 ? 4 : 0);
    for (let i = 0; i < 15_050; i++) gl.draws.drawArrays(GL.POINTS, 0, 1);
    expect(context.resolved.length).toBe(1);
    expect(context.read(0, 0)).toEqual([0, 0, 0, 102]);
  });
});
