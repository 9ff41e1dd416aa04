/**
 * Small frames for conformance tests: positions in pixels, a flat or an interpolated color,
 * overrides of state. They are rendered by a whole GPU in this process.
 *
 * Pixel coordinates have x to the right and y down from the top left corner of the target. With a
 * target whose size is a power of two, positions in 1/256 pixel reach the rasterizer exactly.
 */

import {
  type AttributeSource,
  type BufferResource,
  type Draw,
  defaultPipelineState,
  type Frame,
  type Image,
  type IndexSource,
  type PassClear,
  type PipelineState,
  type ProgramSource,
  type Report,
  sha256Hex,
  type TextureBinding,
  type TextureResource,
  type Topology,
  type UniformValue,
} from '@tessera/frame';
import { LocalGpu, type RenderOptions } from '@tessera/local-gpu';

/** Red, green, blue, alpha. */
export type Rgba = readonly [number, number, number, number];

/** x and y in pixels; window depth 0 to 1, default ½; clip w, default 1. */
export type PixelPosition = readonly [x: number, y: number, depth?: number, w?: number];

/** x, y, z, w in clip coordinates. */
export type ClipPosition = readonly [x: number, y: number, z: number, w: number];

/** One draw of a scene. Missing state has OpenGL's initial value. */
export interface SceneDraw {
  readonly topology?: Topology;
  /** Positions in pixels of the whole target, regardless of the viewport. */
  readonly positions?: readonly PixelPosition[];
  /** Positions in clip coordinates, instead of `positions`. */
  readonly clipPositions?: readonly ClipPosition[];
  /** Color of all fragments; white if neither this nor `colors` is given. */
  readonly color?: Rgba;
  /** Interpolated color of each vertex. */
  readonly colors?: readonly Rgba[];
  readonly state?: Partial<PipelineState>;
  /** Vertex shader with `in vec4 position`, instead of the built-in one. */
  readonly vertexSource?: string;
  readonly fragmentSource?: string;
  readonly attributes?: Readonly<Record<string, AttributeSource | FloatArrayAttribute>>;
  readonly uniforms?: Readonly<Record<string, UniformValue>>;
  readonly textures?: Readonly<Record<string, TextureBinding>>;
  readonly indices?: Uint8Array | Uint16Array | Uint32Array;
  readonly first?: number;
  /** Number of vertices or indices; all by default. */
  readonly count?: number;
  readonly instanceCount?: number;
}

/** A tightly packed array of floats, `componentCount` per vertex. */
export interface FloatArrayAttribute {
  readonly floats: readonly number[];
  readonly componentCount: number;
  readonly instanceDivisor?: number;
}

/** A target, its resources and its draws. */
export interface Scene {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly clear?: Partial<PassClear>;
  readonly textures?: readonly TextureResource[];
  /** Buffers that attributes refer to; further buffers follow them. */
  readonly buffers?: readonly Uint8Array[];
  readonly draws: readonly SceneDraw[];
}

/** Built-in vertex shader, which passes position and color through. */
export const PASS_THROUGH_VERTEX = `#version 300 es
in vec4 position;
in vec4 color;
out vec4 shade;
void main() {
  gl_Position = position;
  shade = color;
}`;

const FLAT_VERTEX = `#version 300 es
in vec4 position;
void main() { gl_Position = position; }`;

const INTERPOLATED_FRAGMENT = `#version 300 es
precision highp float;
in vec4 shade;
out vec4 result;
void main() { result = shade; }`;

const FLAT_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 result;
void main() { result = color; }`;

/**
 * GLSL function `encodeBits(v)`: the color whose four bytes are those of `v`, low byte in red; see
 * {@link DrawnImage}.
 */
export const ENCODE_BITS = `
vec4 encodeBits(uint v) {
  return vec4(v & 255u, (v >> 8) & 255u, (v >> 16) & 255u, v >> 24) / 255.0;
}
vec4 encodeBits(float v) { return encodeBits(floatBitsToUint(v)); }
`;

/** Rendered scene with its report. */
export class DrawnImage implements Image {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8Array;
  readonly report: Report;
  readonly #view: DataView;

  constructor({ widthPx, heightPx, rgba }: Image, report: Report) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.rgba = rgba;
    this.report = report;
    this.#view = new DataView(rgba.buffer, rgba.byteOffset, rgba.byteLength);
  }

  /** Returns the bytes of a pixel. */
  pixel(x: number, y: number): Rgba {
    const at = 4 * (y * this.widthPx + x);
    const [red, green, blue, alpha] = this.rgba.subarray(at, at + 4);
    return [red!, green!, blue!, alpha!];
  }

  /** Returns the float that the fragment shader wrote with `encodeBits`. */
  float(x: number, y: number): number {
    return this.#view.getFloat32(4 * (y * this.widthPx + x), true);
  }

  /** Returns the unsigned integer that the fragment shader wrote with `encodeBits`. */
  word(x: number, y: number): number {
    return this.#view.getUint32(4 * (y * this.widthPx + x), true);
  }

  /** Returns whether red is above 0. */
  isLit(x: number, y: number): boolean {
    return this.pixel(x, y)[0] > 0;
  }
}

/** Returns the clip coordinates of a position in pixels: `w` times the device coordinates. */
export function toClip(
  [x, y, depth = 0.5, w = 1]: PixelPosition,
  widthPx: number,
  heightPx: number,
): ClipPosition {
  return [((2 * x) / widthPx - 1) * w, (1 - (2 * y) / heightPx) * w, (2 * depth - 1) * w, w];
}

/**
 * Returns the two triangles of a rectangle with edges in pixels, counter-clockwise in a window with
 * y up.
 */
export function rectangle(
  left: number,
  top: number,
  right: number,
  bottom: number,
  depth = 0.5,
): PixelPosition[] {
  const a: PixelPosition = [left, top, depth];
  const b: PixelPosition = [left, bottom, depth];
  const c: PixelPosition = [right, bottom, depth];
  const d: PixelPosition = [right, top, depth];
  return [a, b, c, a, c, d];
}

/** Returns a texture resource from its levels, or from level 0. */
export function makeTexture(texture: Omit<TextureResource, 'sha256'>): TextureResource {
  const { levels, ...shape } = texture;
  const head = `${JSON.stringify(shape)} ${levels.length}\n`;
  const bytes = [...new TextEncoder().encode(head), ...levels.flatMap((level) => [...level])];
  return { ...texture, sha256: sha256Hex(Uint8Array.from(bytes)) };
}

/** Returns the frame of a scene. */
export function makeFrame(scene: Scene): Frame {
  const { widthPx, heightPx } = scene;
  const buffers: BufferResource[] = [];
  const programs: ProgramSource[] = [];
  const addBuffer = (array: ArrayBufferView): number => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    return buffers.push({ sha256: sha256Hex(bytes), bytes }) - 1;
  };
  for (const buffer of scene.buffers ?? []) addBuffer(buffer);
  const addProgram = (program: ProgramSource): number => {
    const known = programs.findIndex(
      (other) =>
        other.vertexSource === program.vertexSource &&
        other.fragmentSource === program.fragmentSource,
    );
    return known >= 0 ? known : programs.push(program) - 1;
  };
  const addFloats = ({ floats, componentCount, instanceDivisor = 0 }: FloatArrayAttribute) =>
    ({
      kind: 'buffer',
      bufferIndex: addBuffer(Float32Array.from(floats)),
      offsetBytes: 0,
      strideBytes: 4 * componentCount,
      componentType: 'float32',
      componentCount,
      isNormalized: false,
      instanceDivisor,
    }) satisfies AttributeSource;

  const draws = scene.draws.map((draw): Draw => {
    const isInterpolated = draw.colors !== undefined;
    const vertexSource = draw.vertexSource ?? (isInterpolated ? PASS_THROUGH_VERTEX : FLAT_VERTEX);
    const fragmentSource =
      draw.fragmentSource ?? (isInterpolated ? INTERPOLATED_FRAGMENT : FLAT_FRAGMENT);
    const positions =
      draw.clipPositions ??
      (draw.positions ?? []).map((position) => toClip(position, widthPx, heightPx));
    const attributes: Record<string, AttributeSource> = {};
    if (positions.length > 0) {
      attributes.position = addFloats({ floats: positions.flat(), componentCount: 4 });
    }
    if (isInterpolated) {
      attributes.color = addFloats({ floats: draw.colors.flat(), componentCount: 4 });
    }
    for (const [name, source] of Object.entries(draw.attributes ?? {})) {
      attributes[name] = 'floats' in source ? addFloats(source) : source;
    }
    return {
      programIndex: addProgram({ vertexSource, fragmentSource }),
      topology: draw.topology ?? 'triangles',
      first: draw.first ?? 0,
      count: draw.count ?? (draw.indices ?? positions).length,
      indices: draw.indices === undefined ? null : indexSource(draw.indices, addBuffer),
      instanceCount: draw.instanceCount ?? 1,
      attributes,
      uniforms: { color: draw.color ?? [1, 1, 1, 1], ...draw.uniforms },
      textures: draw.textures ?? {},
      state: { ...defaultPipelineState(widthPx, heightPx), ...draw.state },
    };
  });
  const clear: PassClear = { color: [0, 0, 0, 0], depth: 1, stencil: 0, ...scene.clear };
  const textures = scene.textures ?? [];
  return { widthPx, heightPx, buffers, textures, programs, passes: [{ clear, draws }] };
}

function indexSource(
  indices: Uint8Array | Uint16Array | Uint32Array,
  addBuffer: (array: ArrayBufferView) => number,
): IndexSource {
  const componentType = ({ 1: 'uint8', 2: 'uint16', 4: 'uint32' } as const)[
    indices.BYTES_PER_ELEMENT as 1 | 2 | 4
  ];
  return { bufferIndex: addBuffer(indices), offsetBytes: 0, componentType };
}

/** GPUs by number of chiplets, so that chiplets are created once per test file. */
const gpus = new Map<number, LocalGpu>();

/**
 * Renders a scene.
 *
 * @param chipletCount 1 to 3.
 */
export async function drawScene(
  scene: Scene,
  chipletCount = 2,
  { binCount = 32, ...options }: RenderOptions & { readonly binCount?: number } = {},
): Promise<DrawnImage> {
  let gpu = gpus.get(chipletCount);
  if (gpu === undefined) {
    gpu = new LocalGpu({ chipletCount });
    gpus.set(chipletCount, gpu);
  }
  const grid = { kind: 'bins', count: binCount } as const;
  const { image, report } = await gpu.render(makeFrame(scene), { grid, ...options });
  return new DrawnImage(image, report);
}
