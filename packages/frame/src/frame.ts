/**
 * A frame as a client submits it: GLSL source, uniforms by name, resources, passes of draws.
 *
 * Coordinates: in every rectangle and image, pixel (0, 0) is at the top left and y points down.
 * Device coordinates, texture coordinates and `gl_FragCoord` follow OpenGL (y up).
 */
import type { PipelineState, Topology } from './pipeline-state.ts';
import type { BufferResource, SamplerState, TextureResource } from './resources.ts';

/** GLSL source of one program. */
export interface ProgramSource {
  readonly vertexSource: string;
  readonly fragmentSource: string;
}

/** Sizes of the component types of vertex attributes, in bytes. */
export const COMPONENT_TYPES = {
  float32: { bytes: 4 },
  int8: { bytes: 1 },
  uint8: { bytes: 1 },
  int16: { bytes: 2 },
  uint16: { bytes: 2 },
  int32: { bytes: 4 },
  uint32: { bytes: 4 },
} as const;
/** Name of a component type of {@link COMPONENT_TYPES}. */
export type ComponentType = keyof typeof COMPONENT_TYPES;

/** Source of one vertex attribute: an array in a buffer, or one constant for all vertices. */
export type AttributeSource =
  | {
      readonly kind: 'buffer';
      readonly bufferIndex: number;
      readonly offsetBytes: number;
      readonly strideBytes: number;
      readonly componentType: ComponentType;
      /** Number of components, 1 to 4. Missing components read as 0, 0, 0, 1. */
      readonly componentCount: number;
      /** Whether integers map to 0…1 (unsigned) or −1…1 (signed) for float inputs. */
      readonly isNormalized: boolean;
      /** 0: the attribute advances per vertex; n: it advances once every n instances. */
      readonly instanceDivisor: number;
    }
  | { readonly kind: 'constant'; readonly value: readonly [number, number, number, number] };

/** Location of a draw's indices in a buffer. */
export interface IndexSource {
  readonly bufferIndex: number;
  readonly offsetBytes: number;
  readonly componentType: 'uint8' | 'uint16' | 'uint32';
}

/**
 * Location of a draw's edge flags in a buffer, which polygons drawn as lines or points read: one
 * byte for each triangle of an instance. Bit i draws the edge from corner i, or the point at it.
 */
export interface EdgeFlagSource {
  readonly bufferIndex: number;
  readonly offsetBytes: number;
}

/** Texture and sampler state that a sampler uniform reads with. */
export interface TextureBinding {
  readonly textureIndex: number;
  readonly sampler: SamplerState;
}

/** Value of a uniform: matrices column by column, arrays element by element. */
export type UniformValue = readonly number[] | Float32Array | Int32Array | Uint32Array;

/** One draw call. */
export interface Draw {
  readonly programIndex: number;
  readonly topology: Topology;
  /** First vertex, or first index if `indices` is not null. */
  readonly first: number;
  /** Number of vertices, or of indices if `indices` is not null. */
  readonly count: number;
  readonly indices: IndexSource | null;
  /** Edge flags of the triangles. Default: all edges are drawn. */
  readonly edgeFlags?: EdgeFlagSource | undefined;
  readonly instanceCount: number;
  /**
   * Attribute sources by attribute name of the vertex shader. A shader input without a source reads
   * 0, 0, 0, 1.
   */
  readonly attributes: Readonly<Record<string, AttributeSource>>;
  /**
   * Uniform values by name as GLSL reflection gives it: `a`, `b[0]` (whole array), `c.d`. Missing
   * uniforms are 0.
   */
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  /**
   * Texture bindings by name of the sampler uniform. A sampler without a texture reads opaque
   * black.
   */
  readonly textures: Readonly<Record<string, TextureBinding>>;
  readonly state: PipelineState;
}

/**
 * Contents of a pass's target before its first draw. Integer formats store the color unchanged. For
 * other formats the usual range is 0 to 1, and larger values are permitted.
 */
export interface PassClear {
  readonly color: readonly [number, number, number, number];
  /** Clear colors by color attachment, which replace `color`. */
  readonly colors?: readonly (readonly [number, number, number, number])[] | undefined;
  /** Clear depth, 0 to 1. */
  readonly depth: number;
  /** Clear stencil value, 0 to 255. */
  readonly stencil: number;
}

/**
 * One slice of one level of a texture of the frame: the target of a pass or the destination of a
 * copy.
 */
export interface TextureImage {
  readonly textureIndex: number;
  /** Mipmap level. Default: 0. */
  readonly level?: number | undefined;
  /** Slice of the level. Default: 0. */
  readonly slice?: number | undefined;
}

/** Image that a pass draws into. */
export interface TargetImage extends TextureImage {
  /**
   * Whether the pass treats an srgb image as linear: it stores and blends colors without
   * conversion. Default: false.
   */
  readonly isSrgbRaw?: boolean | undefined;
}

/**
 * Target of a pass. All kinds use OpenGL's coordinates: y points up, and the lowest row of a
 * texture is at t = 0.
 *
 * - `screen`: the screen, in the format `rgba8unorm`, with its own depth and stencil and the
 *   frame's number of samples.
 * - `texture`: an image of a texture as the color attachment. Depth and stencil belong to that
 *   image.
 * - `images`: several images. Output t of the fragment shader goes to color t. Depth and stencil go
 *   to an image in the format `depth24unorm-stencil8`; without one, depth and stencil tests are
 *   off. If the images differ in size, the pass has the smallest width and height. The pixels of
 *   larger images to the right of that area and above it stay unchanged.
 * - `feedback`: no image (transform feedback). The vertex shaders of the draws write their varyings
 *   to memory, primitive by primitive and corner by corner, and nothing is rasterized. Each draw is
 *   of points, lines or triangles. Only a frame that is a part of another one may have such a pass.
 *   It has no loads, copies or queries.
 *
 * Renderbuffers are textures that are never sampled. All images of a pass have the same number of
 * samples. With several samples, each has its own coverage, depth, stencil and color, and a
 * fragment is shaded once.
 */
export type PassTarget =
  | { readonly kind: 'screen' }
  | ({ readonly kind: 'texture' } & TargetImage)
  | {
      readonly kind: 'images';
      readonly colors: readonly (TargetImage | null)[];
      readonly depthStencil: TextureImage | null;
    }
  | { readonly kind: 'feedback' };

/** Maximum number of color attachments of a pass. */
export const MAX_COLOR_TARGETS = 8;

/**
 * Copy of a rectangle of the pass's target into a texture, texel by texel, after the pass is
 * complete. Rows count from the lowest row on both sides. The formats must be equal, or both have
 * 8-bit unsigned normalized channels.
 *
 * A multisample target is resolved if the texture has one sample. The screen can be copied into
 * such textures only. Colors become the mean of their
 * samples, in linear light for srgb formats. Integers, depth and stencil take the first sample.
 */
export interface TargetCopy {
  /** Color attachment to copy, by number, or depth and stencil. */
  readonly source: number | 'depth-stencil';
  readonly sourceX: number;
  readonly sourceY: number;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly into: TextureImage;
  readonly intoX: number;
  readonly intoY: number;
  /**
   * Source of each channel of the copy. Default: each channel is its own source. Only permitted
   * between formats with 8-bit channels.
   */
  readonly swizzle?: SamplerState['swizzle'];
  /** Depth or stencil, if only one of the two is copied. Default: both are copied. */
  readonly aspect?: 'depth' | 'stencil' | undefined;
}

/** Aspects of a target that a pass can load. */
export const TARGET_ASPECTS = ['color', 'depth', 'stencil'] as const;
/** Name of an aspect of {@link TARGET_ASPECTS}. */
export type TargetAspect = (typeof TARGET_ASPECTS)[number];

/** Maximum number of queries of a pass. */
export const MAX_PASS_QUERIES = 4096;

/**
 * Occlusion query over consecutive draws of a pass. It counts the fragments that pass all tests; a
 * fragment of a multisample target counts once if any of its samples passes. Queries may overlap.
 */
export interface PassQuery {
  /** Index of the first draw in the pass. */
  readonly firstDraw: number;
  /** Number of draws, at least 1. */
  readonly drawCount: number;
}

/** Draws into one target, in submission order. */
export interface Pass {
  readonly clear: PassClear;
  readonly draws: readonly Draw[];
  /** Target of the pass. Default: the screen. */
  readonly target?: PassTarget | undefined;
  /**
   * Aspects that keep what the previous pass left in the same target; all others are cleared.
   * Default: none. The first pass into an image of a texture may load the contents that the frame
   * gives for it, or zeros if it gives none.
   */
  readonly loads?: readonly TargetAspect[] | undefined;
  /** Copies, made in order after the pass is complete. */
  readonly copies?: readonly TargetCopy[] | undefined;
  /** Occlusion queries, at most {@link MAX_PASS_QUERIES}. Default: none. */
  readonly queries?: readonly PassQuery[] | undefined;
}

/**
 * Passes run in order. A draw samples a texture with the contents that the previous passes left in
 * it. The frame's image is what the screen holds after the last pass.
 */
export interface Frame {
  /** Width of the screen target, 1 to 16384. The same range applies to the height. */
  readonly widthPx: number;
  readonly heightPx: number;
  /**
   * Number of samples of a pixel of the screen, one of {@link SAMPLE_COUNTS}. Default: 1. The
   * frame's image and copies of the screen have the means of the samples, rounded half up. Passes
   * that load the screen load all samples.
   */
  readonly sampleCount?: number | undefined;
  readonly buffers: readonly BufferResource[];
  readonly textures: readonly TextureResource[];
  readonly programs: readonly ProgramSource[];
  readonly passes: readonly Pass[];
}
