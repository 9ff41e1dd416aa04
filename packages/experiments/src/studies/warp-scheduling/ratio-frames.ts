/**
 * Frames whose bins have one of the paper's five ratios of vertex warps to fragment warps.
 *
 * All frames draw the same small triangles without shared vertices. A share of them is in front of
 * the depth to which the target is cleared; depth tests kill all others after their vertices were
 * shaded. The share alone determines the ratio:
 *
 * - A vertex warp of 32 lanes holds the vertices of ten triangles.
 * - A fragment warp holds eight quads. A triangle is half of a square of 4×4 pixels and covers
 *   samples of three quads.
 *
 * Both shaders follow the paper's set-up in warp-model.ts: clauses of instructions with a read of
 * memory between two.
 */
import type { Frame } from '@tessera/frame';
import { buildFrame } from '../validation/made-frames.ts';
import { type RatioName, TASK_RATIOS } from './strategy-study.ts';

const SIZE = { widthPx: 640, heightPx: 480 } as const;
const SQUARE_PX = 4;
const WARP_TRIANGLES = 10;
const WARP_QUADS = 8;
const TRIANGLE_QUADS = 3;
/** Depths in device coordinates, before and behind the cleared depth of 0.5. */
const DEPTHS = { visible: -0.5, hidden: 0.5 } as const;
const CLEAR = { color: [0, 0, 0, 1], depth: 0.5, stencil: 0 } as const;
const CLAUSES = 3;
const CLAUSE_INSTRUCTIONS = 8;
/** Edge of the texture that both shaders read: larger than a first-level cache. */
const TEXTURE_EDGE = 256;

/** Returns the frame of a ratio. */
export function ratioFrame(ratio: RatioName): Frame {
  const [vertex, fragment] = TASK_RATIOS[ratio];
  const corners = makeTriangles(
    (WARP_QUADS / TRIANGLE_QUADS / WARP_TRIANGLES) * (fragment / vertex),
  );
  const texels = new Uint8Array(4 * TEXTURE_EDGE ** 2).fill(128);
  const sampler = { minFilter: 'nearest', magFilter: 'nearest', mipmapFilter: 'none' };
  return buildFrame({
    ...SIZE,
    buffers: [new Uint8Array(corners.buffer)],
    textures: [
      { format: 'rgba8unorm', widthPx: TEXTURE_EDGE, heightPx: TEXTURE_EDGE, levels: [texels] },
    ],
    programs: [{ vertexSource: VERTEX, fragmentSource: FRAGMENT }],
    passes: [
      {
        clear: CLEAR,
        draws: [
          {
            programIndex: 0,
            count: corners.length / 3,
            attributes: {
              at: { bufferIndex: 0, strideBytes: 12, componentType: 'float32', componentCount: 3 },
            },
            textures: { image: { textureIndex: 0, sampler } },
            state: { depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' } },
          },
        ],
      },
    ],
  });
}

/**
 * Returns the corners of two triangles per square, with the share of visible ones spread evenly.
 */
function makeTriangles(visibleShare: number): Float32Array {
  const [columns, rows] = [SIZE.widthPx / SQUARE_PX, SIZE.heightPx / SQUARE_PX];
  const corners = new Float32Array(columns * rows * 18);
  for (let triangle = 0; triangle < 2 * columns * rows; triangle++) {
    const square = triangle >> 1;
    const [column, row] = [square % columns, Math.floor(square / columns)];
    const isVisible =
      Math.floor((triangle + 1) * visibleShare) > Math.floor(triangle * visibleShare);
    const z = isVisible ? DEPTHS.visible : DEPTHS.hidden;
    const [left, right] = [column, column + 1].map((x) => (2 * x) / columns - 1);
    const [low, high] = [row, row + 1].map((y) => (2 * y) / rows - 1);
    // Both arrays have two numbers.
    const [x, y] = triangle % 2 === 0 ? [left!, low!] : [right!, high!];
    corners.set([x, y, z, right!, low!, z, left!, high!, z], 9 * triangle);
  }
  return corners;
}

/** Clauses of dependent multiply-adds. Between two of them is a lookup at another place. */
const WORK = Array.from({ length: CLAUSES }, (_, clause) => {
  const steps = 'x = x * 1.25 + y; y = y * 0.75 + x; '.repeat(CLAUSE_INSTRUCTIONS / 2);
  const lookup = `x += texelFetch(image, (place + ${37 * clause}) & ${TEXTURE_EDGE - 1}, 0).x;`;
  return clause < CLAUSES - 1 ? `${steps}${lookup}` : steps;
}).join('\n  ');

const VERTEX = `#version 300 es
in vec3 at;
uniform sampler2D image;
out float shade;
void main() {
  ivec2 place = ivec2(gl_VertexID & ${TEXTURE_EDGE - 1}, gl_VertexID >> 8);
  float x = at.x;
  float y = at.y;
  ${WORK}
  shade = x + y;
  gl_Position = vec4(at, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D image;
in float shade;
out vec4 color;
void main() {
  ivec2 place = ivec2(gl_FragCoord.xy);
  float x = shade;
  float y = gl_FragCoord.y;
  ${WORK}
  color = vec4(fract(x), fract(y), 0.5, 1.0);
}`;
