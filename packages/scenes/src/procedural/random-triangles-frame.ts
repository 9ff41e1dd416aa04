/**
 * Randomly placed triangles, overlapping and partly transparent: a scene that exposes errors in the
 * drawing order.
 */
import {
  type AttributeSource,
  type Draw,
  defaultPipelineState,
  type Frame,
  type ProgramSource,
  RenderError,
} from '@tessera/frame';
import { bytesOf, FrameBuilder } from '../build/frame-builder.ts';
import type { SceneSize } from './cube-frame.ts';
import { ALPHA_BLEND } from './plain-draw.ts';
import { seededRandom } from './seeded-random.ts';

/** Size, seed and number of triangles. */
export interface RandomTrianglesOptions extends SceneSize {
  readonly seed: number;
  readonly count: number;
  /** Largest extent of a triangle as a fraction of the image; 0.5 by default. */
  readonly size?: number;
  /** Fraction of the triangles that is blended, drawn after the others; 0.25 by default. */
  readonly blendedShare?: number;
}

const MAX_COUNT = 5_000_000;

/**
 * Positions in clip space with w from 0.5 to 2, so that interpolation is not linear on the screen.
 */
const PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

in vec4 a_position;
in vec4 a_color;
out vec4 v_color;

void main() {
  gl_Position = a_position;
  v_color = a_color;
}
`,
  fragmentSource: `#version 300 es
precision highp float;

in vec4 v_color;
out vec4 o_color;

void main() {
  o_color = v_color;
}
`,
});

const FLOATS_PER_VERTEX = 8;

/** Returns a frame with one draw with depth test and depth writes, and one that blends. */
export function randomTrianglesFrame(options: RandomTrianglesOptions): Frame {
  const { widthPx, heightPx, seed, count, size = 0.5, blendedShare = 0.25 } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) {
    throw new RenderError('REQUEST_INVALID', `count: ${count} is not from 1 to ${MAX_COUNT}`);
  }
  const builder = new FrameBuilder();
  const bufferIndex = builder.addBuffer(bytesOf(makeVertices(seed, count, size)));
  const floats = (firstFloat: number): AttributeSource => ({
    kind: 'buffer',
    bufferIndex,
    offsetBytes: firstFloat * 4,
    strideBytes: FLOATS_PER_VERTEX * 4,
    componentType: 'float32',
    componentCount: 4,
    isNormalized: false,
    instanceDivisor: 0,
  });
  const state = defaultPipelineState(widthPx, heightPx);
  const blendedCount = Math.round(count * blendedShare);
  const opaque: Draw = {
    programIndex: builder.addProgram(PROGRAM),
    topology: 'triangles',
    first: 0,
    count: (count - blendedCount) * 3,
    indices: null,
    instanceCount: 1,
    attributes: { a_position: floats(0), a_color: floats(4) },
    uniforms: {},
    textures: {},
    state: {
      ...state,
      depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
    },
  };
  builder.addDraw(opaque);
  builder.addDraw({
    ...opaque,
    first: opaque.count,
    count: blendedCount * 3,
    state: {
      ...state,
      depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'less' },
      blend: ALPHA_BLEND,
    },
  });
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

function makeVertices(seed: number, count: number, size: number): Float32Array {
  const random = seededRandom(seed).next;
  const vertices = new Float32Array(count * 3 * FLOATS_PER_VERTEX);
  let at = 0;
  for (let triangle = 0; triangle < count; triangle++) {
    const x = random() * 2 - 1;
    const y = random() * 2 - 1;
    for (let corner = 0; corner < 3; corner++) {
      const w = 0.5 + 1.5 * random();
      const px = x + (random() * 2 - 1) * size;
      const py = y + (random() * 2 - 1) * size;
      const pz = random() * 2 - 1;
      vertices.set([px * w, py * w, pz * w, w], at);
      vertices.set([random(), random(), random(), 0.2 + 0.8 * random()], at + 4);
      at += FLOATS_PER_VERTEX;
    }
  }
  return vertices;
}
