/**
 * A frame as a client submits it: GLSL source, uniforms by name, resources, passes of draws.
 *
 * Coordinates: pixel (0, 0) is the top left one and y points down in every rectangle and image.
 * Device coordinates, texture coordinates and `gl_FragCoord` are OpenGL's (y up).
 */
import type { PipelineState, Topology } from './pipeline-state.ts';
import type { BufferResource, SamplerState, TextureResource } from './resources.ts';

/** GLSL source of one program. */
export interface ProgramSource {
  readonly vertexSource: string;
  readonly fragmentSource: string;
}

export const COMPONENT_TYPES = {
  float32: { bytes: 4 },
  int8: { bytes: 1 },
  uint8: { bytes: 1 },
  int16: { bytes: 2 },
  uint16: { bytes: 2 },
  int32: { bytes: 4 },
  uint32: { bytes: 4 },
} as const;
export type ComponentType = keyof typeof COMPONENT_TYPES;

/** Where one vertex attribute comes from: an array in a buffer, or one constant for all vertices. */
export type AttributeSource =
  | {
      readonly kind: 'buffer';
      readonly bufferIndex: number;
      readonly offsetBytes: number;
      readonly strideBytes: number;
      readonly componentType: ComponentType;
      /** 1 to 4; missing components read 0, 0, 0, 1. */
      readonly componentCount: number;
      /** Integers map to 0…1 (unsigned) or −1…1 (signed) for float inputs. */
      readonly isNormalized: boolean;
      /** 0: advances per vertex; n: once every n instances. */
      readonly instanceDivisor: number;
    }
  | { readonly kind: 'constant'; readonly value: readonly [number, number, number, number] };

export interface IndexSource {
  readonly bufferIndex: number;
  readonly offsetBytes: number;
  readonly componentType: 'uint8' | 'uint16' | 'uint32';
}

export interface TextureBinding {
  readonly textureIndex: number;
  readonly sampler: SamplerState;
}

/** A uniform's value, column by column for matrices, element after element for arrays. */
export type UniformValue = readonly number[] | Float32Array | Int32Array | Uint32Array;

/** One draw call. */
export interface Draw {
  readonly programIndex: number;
  readonly topology: Topology;
  /** First vertex, or first index when `indices` is given. */
  readonly first: number;
  /** Vertices, or indices when `indices` is given. */
  readonly count: number;
  readonly indices: IndexSource | null;
  readonly instanceCount: number;
  /** By attribute name of the vertex shader. A shader input that is missing here reads 0, 0, 0, 1. */
  readonly attributes: Readonly<Record<string, AttributeSource>>;
  /** By uniform name as GLSL reflection gives it: `a`, `b[0]` (whole array), `c.d`. Missing ones are 0. */
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  /** By sampler uniform name. A sampler without texture reads opaque black. */
  readonly textures: Readonly<Record<string, TextureBinding>>;
  readonly state: PipelineState;
}

/** What a pass's target holds before its first draw. Integers are as they are, all else is 0 to 1 or more. */
export interface PassClear {
  readonly color: readonly [number, number, number, number];
  /** By colour attachment, in place of `color`. */
  readonly colors?: readonly (readonly [number, number, number, number])[] | undefined;
  /** 0 to 1. */
  readonly depth: number;
  /** 0 to 255. */
  readonly stencil: number;
}

/** One slice of one level of a texture of the frame: what a pass draws into, or a copy goes to. */
export interface TextureImage {
  readonly textureIndex: number;
  /** Missing: 0. */
  readonly level?: number | undefined;
  /** Missing: 0. */
  readonly slice?: number | undefined;
}

/**
 * What a pass draws into. OpenGL's coordinates hold in all: y is up, and the lowest row of a texture is the one at
 * t = 0.
 *
 * - The screen, of format `rgba8unorm`, with depth and stencil of its own.
 * - An image of a texture as colour; depth and stencil belong to that image.
 * - Several images: output t of fragment shaders goes to colour t, and depth and stencil to an image of format
 *   `depth24unorm-stencil8`. Without that, tests of depth and stencil are off. Where they are of several sizes, the
 *   pass is of the smallest width and height, and leaves what larger ones have right of it and above as it is.
 *
 * Renderbuffers are textures that nobody samples. All images of a pass have the same number of samples: of four, each
 * has coverage, depth, stencil and colour of its own, and a fragment is shaded once.
 */
export type PassTarget =
  | { readonly kind: 'screen' }
  | ({ readonly kind: 'texture' } & TextureImage)
  | {
      readonly kind: 'images';
      readonly colors: readonly (TextureImage | null)[];
      readonly depthStencil: TextureImage | null;
    };

/** Most colour attachments of a pass. */
export const MAX_COLOR_TARGETS = 8;

/**
 * A rectangle of what a pass has drawn, put into a texture when the pass is done, texel by texel. Rows count from the
 * lowest on both sides. Formats are the same, or both of 8-bit unsigned normalised channels.
 *
 * A target of several samples is resolved where the texture has one: colours to the mean of their samples, in linear
 * light for srgb formats; integers, depth and stencil to the first sample.
 */
export interface TargetCopy {
  /** A colour attachment by its number, or depth and stencil. */
  readonly source: number | 'depth-stencil';
  readonly sourceX: number;
  readonly sourceY: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly into: TextureImage;
  readonly intoX: number;
  readonly intoY: number;
  /** Where channels of the copy come from. Missing: from themselves. Only between formats of 8-bit channels. */
  readonly swizzle?: SamplerState['swizzle'];
  /** Of depth and stencil, the one that is copied alone; missing: both. */
  readonly aspect?: 'depth' | 'stencil' | undefined;
}

export const TARGET_ASPECTS = ['color', 'depth', 'stencil'] as const;
export type TargetAspect = (typeof TARGET_ASPECTS)[number];

/** Draws into one target, in submission order. */
export interface Pass {
  readonly clear: PassClear;
  readonly draws: readonly Draw[];
  /** Missing: the screen. */
  readonly target?: PassTarget | undefined;
  /**
   * What the pass finds in its target as the last pass into it left it; all else is cleared. Missing: nothing.
   * The first pass into an image of a texture may load what the frame gives for it, zeros if it gives nothing.
   */
  readonly loads?: readonly TargetAspect[] | undefined;
  /** Made in order when the pass is done. */
  readonly copies?: readonly TargetCopy[] | undefined;
}

/**
 * Passes run in order. A draw samples a texture as the passes before have left it; the frame's picture is
 * what is on the screen in the end.
 */
export interface Frame {
  /** Size of the screen target, 1 to 8192 each. */
  readonly widthPx: number;
  readonly heightPx: number;
  readonly buffers: readonly BufferResource[];
  readonly textures: readonly TextureResource[];
  readonly programs: readonly ProgramSource[];
  readonly passes: readonly Pass[];
}
