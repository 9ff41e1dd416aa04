import { compileProgram } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import type { GlContext } from '../context.ts';
import { collectKeys } from '../fixed/collect-key.ts';
import type { VertexKey } from '../fixed/program-key.ts';
import { makeVertexSource } from '../fixed/vertex-source.ts';
import { reflectByCompiling } from '../objects/programs/program-reflection.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import { bytesOf, DECLARATION_REFLECTION, makeContext } from '../testing/small-context.ts';
import { CaptureWriter } from './capture-writer.ts';
import { readCalls } from './format/capture-reader.ts';
import { CapturedPointer } from './format/captured-value.ts';
import { replayFrame } from './replay.ts';

const CONTEXT = new CapturedPointer(0x500);
const RENDER = 0x1c00;
const SELECT = 0x1c02;
const MAP1_VERTEX_3 = 0x0d97;

/** Returns a capture of a program without shaders, with a target of 8×8 pixels. */
function startFixed(): CaptureWriter {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, vis: 2, shareList: null, direct: true }, CONTEXT)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: CONTEXT }, true)
    .call('glViewport', { x: 0, y: 0, width: 8, height: 8 }, null, 1);
}

/** Replays the first frame and returns its draws and errors. */
function replayFixed(writer: CaptureWriter, reflection = DECLARATION_REFLECTION) {
  const replayed = replayFrame(readCalls(swap(writer).finish()), {
    reflection,
    frame: 0,
  });
  return { ...replayed, draws: replayed.frame.passes.flatMap((pass) => pass.draws) };
}

describe('replay of the render mode', () => {
  it('draws and clears nothing in selection mode', () => {
    const inMode = (mode: number) => draw(startCapture().call('glRenderMode', { mode }, 0));
    expect(replay(swap(inMode(SELECT))).draws).toHaveLength(0);
    expect(replay(swap(inMode(RENDER))).draws).toHaveLength(1);
  });
});

describe('replay of client arrays', () => {
  it('accepts the name of an array as a capability', () => {
    const writer = startFixed().call('glEnable', { cap: GL.VERTEX_ARRAY });
    expect(replayFixed(writer).errors).toEqual([]);
  });
});

describe('replay of vertex attributes', () => {
  it('accepts arrays in the order blue, green, red, alpha', () => {
    const writer = startCapture().call('glVertexAttribPointer', {
      ...{ index: 4, size: GL.BGRA, type: GL.UNSIGNED_BYTE, normalized: true, stride: 0 },
      pointer: new CapturedPointer(0),
    });
    const { draws, errors } = replay(swap(draw(writer)));
    expect(errors).toEqual([]);
    expect(draws[0]!.attributes.at).toMatchObject({ componentType: 'float32', componentCount: 4 });
  });
});

describe('replay of half floats', () => {
  it('reads their bits as attributes of the vertices', () => {
    const writer = startFixed()
      .call('glColor3hvNV', { v: [0x3c00, 0x3800, 0] })
      .call('glBegin', { mode: GL.POINTS })
      .call('glVertex2hNV', { x: 0x3800, y: 0xb800 })
      .call('glEnd', {});
    const { frame, draws } = replayFixed(writer, reflectByCompiling({ compile: compileProgram }));
    const valuesOf = (name: string) => {
      const source = draws[0]!.attributes[name]!;
      if (source.kind !== 'buffer') return [...source.value];
      return [...new Float32Array(frame.buffers[source.bufferIndex]!.bytes.slice().buffer)];
    };
    expect(valuesOf('gl_Vertex')).toEqual([0.5, -0.5, 0, 1]);
    expect(valuesOf('gl_Color')).toEqual([1, 0.5, 0, 1]);
  });
});

describe('replay of shader stages', () => {
  it('refuses a program with a geometry shader, and other stages, by name', () => {
    const writer = startFixed()
      .call('glCreateShader', { type: GL.GEOMETRY_SHADER }, 1)
      .call('glCreateProgram', {}, 2)
      .call('glAttachShader', { program: 2, shader: 1 })
      .call('glLinkProgram', { program: 2 })
      .call('glUseProgram', { program: 2 });
    expect(() => replayFixed(writer)).toThrow(/glUseProgram.*geometry shaders are not supported/);
    const tessellation = startFixed().call('glCreateShader', { type: 0x8e88 }, 1);
    expect(() => replayFixed(tessellation)).toThrow(/glCreateShader.*0x8e88/);
  });

  it('does not refuse a geometry shader that no program uses', () => {
    const writer = startFixed()
      .call('glCreateShader', { type: GL.GEOMETRY_SHADER }, 1)
      .call('glShaderSource', { shader: 1, count: 1, string: ['layout'], length: null })
      .call('glCompileShader', { shader: 1 })
      .call('glDeleteShader', { shader: 1 });
    expect(replayFixed(writer).draws).toEqual([]);
  });
});

describe('replay of evaluators', () => {
  it('draws the points of a line at the places of a grid', () => {
    const writer = startFixed()
      .call('glMap1f', {
        ...{ target: MAP1_VERTEX_3, u1: 0, u2: 1, stride: 3, order: 2 },
        points: [-1, 0, 0, 1, 0, 0],
      })
      .call('glEnable', { cap: MAP1_VERTEX_3 })
      .call('glMapGrid1f', { un: 4, u1: 0, u2: 1 })
      .call('glEvalMesh1', { mode: 0x1b00, i1: 0, i2: 4 });
    expect(replayFixed(writer).draws).toMatchObject([{ topology: 'points', count: 5 }]);
  });
});

describe('replay of pixel rectangles', () => {
  const pixels = (format: number, type: number, bytes: Uint8Array) =>
    startFixed().call('glDrawPixels', { width: 2, height: 1, format, type, pixels: bytes });

  it('draws depths in the raster color', () => {
    const writer = pixels(GL.DEPTH_COMPONENT, GL.FLOAT, bytesOf(Float32Array.of(0.25, 2)));
    const { draws, frame } = replayFixed(writer);
    expect(draws).toHaveLength(1);
    const { textureIndex } = draws[0]!.textures.image!;
    const { format, levels } = frame.textures[textureIndex!]!;
    expect(format).toBe('r32float');
    expect(levels[0]).toEqual(bytesOf(Float32Array.of(0.25, 1)));
  });

  it('writes each bit of stencil values after zeros', () => {
    const { draws } = replayFixed(pixels(GL.STENCIL_INDEX, GL.UNSIGNED_BYTE, Uint8Array.of(5, 1)));
    const writes = draws.map(({ state }) => [
      state.stencil.front.reference,
      state.stencil.front.writeMask,
    ]);
    expect(writes).toEqual([
      [0, 255],
      [1, 1],
      [4, 4],
    ]);
  });

  it('looks up color indices in the pixel maps', () => {
    const writer = startFixed();
    for (const map of [0x0c72, 0x0c73, 0x0c74, 0x0c75]) {
      writer.call('glPixelMapfv', { map, mapsize: 2, values: map === 0x0c72 ? [0, 1] : [1, 0] });
    }
    writer.call('glDrawPixels', {
      ...{ width: 2, height: 1, format: 0x1900, type: GL.UNSIGNED_BYTE },
      pixels: Uint8Array.of(1, 0),
    });
    const { draws, frame } = replayFixed(writer);
    const { levels } = frame.textures[draws[0]!.textures.image!.textureIndex!]!;
    expect([...levels[0]!]).toEqual([255, 0, 0, 0, 0, 255, 255, 255]);
  });

  it('pass texturing with the coordinate of the raster position', () => {
    const { gl } = makeContext('gl');
    const { vertexArrays, pixels, textures } = gl;
    const image = { target: GL.TEXTURE_2D, level: 0, widthPx: 1, heightPx: 1 };
    const texel = { format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes: Uint8Array.of(1, 2, 3, 4) };
    textures.uploads.image(GL.RGBA, { ...image, ...texel });
    textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    gl.capabilities.enable(GL.TEXTURE_2D);
    gl.fixedFunctions.attribute('gl_MultiTexCoord0', [0.25, 0.5, 0, 1]);
    pixels.rasterPos([0, 0]);
    gl.fixedFunctions.attribute('gl_MultiTexCoord0', [1, 1, 0, 1]);
    pixels.drawPixels(1, 1, GL.RGBA, GL.UNSIGNED_BYTE, Uint8Array.of(5, 6, 7, 8));
    const [drawn] = gl.frames.take().passes.flatMap(({ draws }) => draws);
    expect(vertexArrays.currentValue('gl_MultiTexCoord0')).toEqual([1, 1, 0, 1]);
    expect(drawn!.uniforms.rasterCoordinate0).toEqual([0.25, 0.5, 0, 1]);
    expect(Object.keys(drawn!.textures).sort()).toEqual(['image', 'tessera_Texture0']);
  });

  it('refuses texturing with generated coordinates by name', () => {
    const writer = startFixed();
    for (const cap of [FIXED.TEXTURE_GEN_S, GL.TEXTURE_2D]) writer.call('glEnable', { cap });
    writer
      .call('glTexParameteri', { target: GL.TEXTURE_2D, pname: 0x2801, param: GL.NEAREST })
      .call('glTexImage2D', {
        ...{ target: GL.TEXTURE_2D, level: 0, internalformat: GL.RGBA, width: 1, height: 1 },
        ...{ border: 0, format: GL.RGBA, type: GL.UNSIGNED_BYTE, pixels: new Uint8Array(4) },
      })
      .call('glRasterPos2f', { x: 0, y: 0 })
      .call('glDrawPixels', {
        ...{ width: 1, height: 1, format: GL.RGBA, type: GL.UNSIGNED_BYTE },
        pixels: new Uint8Array(4),
      });
    expect(() => replayFixed(writer)).toThrow(/glDrawPixels.*generated texture coordinates/);
  });

  it('copies the part of a rectangle that is inside the framebuffer', () => {
    const rect = { x: 6, y: 0, width: 4, height: 2, type: 0x1800 };
    const writer = startFixed().call('glCopyPixels', rect);
    const { frame } = replayFixed(writer);
    const [copy] = frame.passes.flatMap(({ copies }) => copies ?? []);
    expect(copy).toMatchObject({ sourceX: 6, sourceY: 0, widthPx: 2, heightPx: 2 });
  });

  it('copies stencil values through a texture, bit by bit', () => {
    const rect = { x: 0, y: 0, width: 3, height: 2, type: FIXED.STENCIL };
    const { frame } = replayFixed(startFixed().call('glCopyPixels', rect));
    const [source, values, screen] = frame.passes;
    expect(source?.copies).toMatchObject([{ source: 'depth-stencil', widthPx: 3, heightPx: 2 }]);
    const bits = [1, 2, 4, 8, 16, 32, 64, 128];
    const tests = values!.draws.map(({ state: { stencil }, uniforms }) => {
      const { compare, reference, readMask } = stencil.front;
      expect(uniforms.color).toEqual(new Array(4).fill(reference / 255));
      return [compare, reference, readMask];
    });
    expect(tests).toEqual(bits.map((bit) => ['equal', bit, bit]));
    expect(values?.loads).toContain('stencil');
    const written = screen!.draws.map(({ state }) => state.stencil.front.reference);
    expect(written).toEqual([0, ...bits]);
  });

  it('copies depth and stencil into colors, red or blue first', () => {
    const copy = (type: number) => {
      const rect = { x: 0, y: 0, width: 1, height: 1, type };
      return replayFixed(startFixed().call('glCopyPixels', rect)).draws.at(-1)!;
    };
    const colors = copy(FIXED.DEPTH_STENCIL_TO_RGBA);
    expect(Object.keys(colors.textures)).toEqual(['image', 'secondImage']);
    expect(colors.uniforms.isBlueFirst).toEqual([0]);
    expect(copy(FIXED.DEPTH_STENCIL_TO_BGRA).uniforms.isBlueFirst).toEqual([1]);
  });

  it('rejects a copy of another type', () => {
    const rect = { x: 0, y: 0, width: 1, height: 1, type: 0x1803 };
    const writer = startFixed().call('glCopyPixels', rect);
    expect(() => replayFixed(writer)).toThrow(/GL_INVALID_ENUM.*0x1803 is not a type of pixels/);
  });
});

describe('a frame that ends with an empty framebuffer', () => {
  it('is refused by the name of the framebuffer', () => {
    const { gl } = makeContext('gl');
    gl.framebuffers.bind(GL.FRAMEBUFFER, 25);
    expect(() => gl.frames.takeBound(false)).toThrow(
      expect.objectContaining({
        code: 'FRAME_UNSUPPORTED',
        message: 'framebuffer 25 has no attachments',
      }),
    );
  });
});

/** Returns the vertex key of a draw of polygons. */
function vertexKeyOf(gl: GlContext): VertexKey {
  const stages = { hasVertex: false, hasFragment: false, readsCoordinates: () => false };
  const { vertex } = collectKeys(gl, stages, {
    ...{ kind: 'polygons', isAffine: () => true, materials: [] },
    rasterized: new Set(['polygons']),
    isLineStippled: false,
  } as const);
  return vertex!;
}

describe('fog distance', () => {
  it.each([
    [FIXED.EYE_RADIAL, 'length(eye3)'],
    [FIXED.EYE_PLANE, 'eye3.z'],
    [FIXED.EYE_PLANE_ABSOLUTE, 'abs(eye3.z)'],
  ])('of mode %d is %s', (mode, distance) => {
    const { gl, messages } = makeContext('gl');
    gl.capabilities.enable(FIXED.FOG);
    gl.fixedFunctions.fog(FIXED.FOG_DISTANCE_MODE, [mode]);
    expect(messages).toEqual([]);
    expect(makeVertexSource(vertexKeyOf(gl))).toContain(`gl_FogFragCoord = ${distance};`);
  });

  it('is the absolute value of z by default, and no other mode is accepted', () => {
    const { gl, messages } = makeContext('gl');
    expect(gl.fixed.fog.distance).toBe('absolute-plane');
    gl.fixedFunctions.fog(FIXED.FOG_DISTANCE_MODE, [GL.LINEAR]);
    expect(messages).toHaveLength(1);
    expect(gl.fixed.fog.distance).toBe('absolute-plane');
  });
});

describe('light with a direction and a cutoff', () => {
  it('has a cone but no attenuation', () => {
    const { gl } = makeContext('gl');
    gl.capabilities.enable(FIXED.LIGHTING);
    gl.capabilities.enable(FIXED.LIGHT0);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.SPOT_CUTOFF, [45]);
    gl.fixedFunctions.light(FIXED.LIGHT0, FIXED.LINEAR_ATTENUATION, [1]);
    const vertex = vertexKeyOf(gl);
    expect(vertex.lighting?.lights).toMatchObject([{ isSpot: true, isAttenuated: false }]);
  });
});
