/** Frames whose time follows from one parameter of the hardware. */
import { createHash } from 'node:crypto';
import { type Frame, readNativeFrame, type Sha256 } from '@tessera/frame';

/** Shader of triangles that cover the target, and the texture that it reads. */
export interface MadeFrame {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Body of the fragment shader's `main`. It writes `color`, reads `image` and `flag`. */
  readonly fragment: string;
  /** Words of an r32ui texture with this edge length in texels. */
  readonly texture?: { readonly edgeTexels: number; readonly words: Uint32Array } | undefined;
  /** Value of the uniform `flag`; 0 by default. */
  readonly flag?: number | undefined;
  /** Edge length of the squares of two triangles; by default one triangle covers the target. */
  readonly squareEdgePx?: number | undefined;
}

const VERTEX = `#version 300 es
in vec2 at;
void main() { gl_Position = vec4(at, 0.0, 1.0); }`;

/** Returns the frame: triangles that cover the target once, without a depth test. */
export function makeFrame({
  widthPx,
  heightPx,
  fragment,
  texture,
  flag = 0,
  squareEdgePx,
}: MadeFrame): Frame {
  const corners =
    squareEdgePx === undefined
      ? Float32Array.of(-1, -1, 3, -1, -1, 3)
      : listCorners(widthPx / squareEdgePx, heightPx / squareEdgePx);
  const at = { bufferIndex: 0, strideBytes: 8, componentType: 'float32', componentCount: 2 };
  const edge = texture?.edgeTexels ?? 0;
  const sampler = { minFilter: 'nearest', magFilter: 'nearest', mipmapFilter: 'none' };
  return buildFrame({
    widthPx,
    heightPx,
    buffers: [new Uint8Array(corners.buffer)],
    textures:
      texture === undefined
        ? []
        : [
            {
              format: 'r32uint',
              widthPx: edge,
              heightPx: edge,
              levels: [new Uint8Array(texture.words.buffer)],
            },
          ],
    programs: [{ vertexSource: VERTEX, fragmentSource: fragmentSource(fragment) }],
    passes: [
      {
        draws: [
          {
            programIndex: 0,
            count: corners.length / 2,
            attributes: { at },
            uniforms: fragment.includes('flag') ? { flag: [flag] } : {},
            textures: texture === undefined ? {} : { image: { textureIndex: 0, sampler } },
            state: { depth: { isTestEnabled: false, isWriteEnabled: false } },
          },
        ],
      },
    ],
  });
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

function fragmentSource(body: string): string {
  return `#version 300 es
precision highp float;
precision highp int;
uniform highp usampler2D image;
uniform float flag;
out vec4 color;
void main() { color = vec4(0.0); ${body} }`;
}

function hashParts(parts: readonly (Uint8Array | string)[]): Sha256 {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex') as Sha256;
}
