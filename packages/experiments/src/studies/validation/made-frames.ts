/** Frames whose time follows from one parameter of the hardware. */
import { createHash } from 'node:crypto';
import { type Frame, readNativeFrame, type Sha256 } from '@tessera/frame';

/** Texture of a made frame: square, one level, read without filtering. */
export interface MadeTexture {
  readonly edgeTexels: number;
  readonly format: 'r32uint' | 'rg32float' | 'rgba32float';
  /** Texels, one or four words each. */
  readonly words: Uint32Array | Float32Array;
}

/** Shader of triangles that cover the target, and the texture that it reads. */
export interface MadeFrame {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Body of the fragment shader's `main`. It writes `color`, reads `image` and `flag`. */
  readonly fragment: string;
  readonly texture?: MadeTexture | undefined;
  /** Value of the uniform `flag`; 0 by default. */
  readonly flag?: number | undefined;
  /** Edge length of the squares of two triangles; by default one triangle covers the target. */
  readonly squareEdgePx?: number | undefined;
  /** Depths of the layers in device coordinates, drawn one after another; one at 0 by default. */
  readonly layers?: readonly number[] | undefined;
  /** Number of varyings of four components, which the shader reads as `v0`, `v1` and so on. */
  readonly varyingVectors?: number | undefined;
  /** State of all draws; without depth test and depth writes by default. */
  readonly state?: object | undefined;
  /** Samples per pixel of the target; 1 by default, which is the screen. */
  readonly sampleCount?: 1 | 4 | undefined;
}

const CLEAR = { color: [0, 0, 0, 1], depth: 1, stencil: 0 } as const;
const NEAREST = { minFilter: 'nearest', magFilter: 'nearest', mipmapFilter: 'none' } as const;

/** Returns the frame: each layer's triangles cover the target once. */
export function makeFrame(made: MadeFrame): Frame {
  const { widthPx, heightPx, fragment, texture, flag = 0, squareEdgePx } = made;
  const { layers = [0], varyingVectors = 0, sampleCount = 1 } = made;
  const state = made.state ?? { depth: { isTestEnabled: false, isWriteEnabled: false } };
  const corners =
    squareEdgePx === undefined
      ? Float32Array.of(-1, -1, 3, -1, -1, 3)
      : listCorners(widthPx / squareEdgePx, heightPx / squareEdgePx);
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  const textures = texture === undefined ? [] : [describeTexture(texture)];
  const draws = layers.map((layer) => ({
    programIndex: 0,
    count: corners.length / 2,
    attributes: { at },
    uniforms: { ...(fragment.includes('flag') ? { flag: [flag] } : {}), layer: [layer] },
    textures: texture === undefined ? {} : { image: { textureIndex: 0, sampler: NEAREST } },
    state,
  }));
  const target = { format: 'rgba8unorm', widthPx, heightPx, sampleCount };
  const passes =
    sampleCount === 1
      ? [{ draws }]
      : [
          { clear: CLEAR, target: { kind: 'texture', textureIndex: textures.length }, draws },
          { clear: CLEAR, draws: [] },
        ];
  return buildFrame({
    widthPx,
    heightPx,
    buffers: [new Uint8Array(corners.buffer)],
    textures: sampleCount === 1 ? textures : [...textures, target],
    programs: [
      {
        vertexSource: vertexSource(varyingVectors),
        fragmentSource: fragmentSource(fragment, texture, varyingVectors),
      },
    ],
    passes,
  });
}

function describeTexture({ edgeTexels, format, words }: MadeTexture): object {
  const levels = [new Uint8Array(words.buffer)];
  return { format, widthPx: edgeTexels, heightPx: edgeTexels, levels };
}

/** Reads a frame of the native format. */
export function buildFrame(native: object): Frame {
  return readNativeFrame(native, hashParts);
}

/** Returns the corners of all triangles of a grid of squares, x and y from −1 to 1. */
function listCorners(columns: number, rows: number): Float32Array {
  const corners = new Float32Array(columns * rows * 12);
  let at = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const [left, right] = [column, column + 1].map((x) => (2 * x) / columns - 1);
      const [low, high] = [row, row + 1].map((y) => (2 * y) / rows - 1);
      // Both arrays have two numbers.
      corners.set([left!, low!, right!, low!, left!, high!], at);
      corners.set([right!, low!, right!, high!, left!, high!], at + 6);
      at += 12;
    }
  }
  return corners;
}

function vertexSource(varyingVectors: number): string {
  const names = Array.from({ length: varyingVectors }, (_, i) => `v${i}`);
  return `#version 300 es
in vec2 at;
uniform float layer;
${names.map((name) => `out vec4 ${name};`).join(' ')}
void main() {
  gl_Position = vec4(at, layer, 1.0);
  ${names.map((name, i) => `${name} = vec4(at, ${i}.0, 1.0);`).join(' ')}
}`;
}

function fragmentSource(
  body: string,
  texture: MadeTexture | undefined,
  varyingVectors: number,
): string {
  const names = Array.from({ length: varyingVectors }, (_, i) => `v${i}`);
  const sampler = texture?.format === 'r32uint' ? 'usampler2D' : 'sampler2D';
  return `#version 300 es
precision highp float;
precision highp int;
uniform highp ${sampler} image;
uniform float flag;
${names.map((name) => `in vec4 ${name};`).join(' ')}
out vec4 color;
void main() { color = vec4(0.0); ${body} }`;
}

function hashParts(parts: readonly (Uint8Array | string)[]): Sha256 {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex') as Sha256;
}
