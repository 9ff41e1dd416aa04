/** Rules that only the two versions of WebGL have, one field per difference between them. */
import type { ApiRules } from './api-rules.ts';

/** Extension that an enumeration needs; `null` if it needs none. */
export type NeededExtension = string | null;

/**
 * Rules of a version of WebGL: those of the state machine, and those of the calls, which differ
 * between the versions.
 */
export interface WebGLRules extends ApiRules {
  readonly version: 1 | 2;
  /** Version of WebGL, as GL_VERSION reports it. */
  readonly versionText: string;
  /** Version of GLSL ES, as GL_SHADING_LANGUAGE_VERSION reports it. */
  readonly glslVersionText: string;
  /** Whether all of {@link FEATURE_EXTENSIONS} are available without an extension. */
  readonly hasAllFeatures: boolean;

  /** Whether calls accept an element offset and a length for array arguments. */
  readonly hasArrayOffsets: boolean;
  /** Maximum length of names of attributes and uniforms, in characters. */
  readonly maxNameLength: number;
  /** Capabilities of `enable` and `disable`. */
  readonly capabilities: readonly number[];
  /** Whether SRC_ALPHA_SATURATE is accepted as destination factor. */
  readonly isSaturateDestinationFactor: boolean;
  /** Whether programs have uniform blocks and transform feedback. */
  readonly hasBlocksAndFeedback: boolean;

  /** Targets of `bindBuffer`. */
  readonly bufferTargets: readonly number[];
  /** Usages of `bufferData`. */
  readonly bufferUsages: readonly number[];
  /** Size in bytes of each type of attribute arrays. */
  readonly attributeTypeBytes: ReadonlyMap<number, number>;
  /** Whether attributes can be integers. */
  readonly hasIntegerAttributes: boolean;

  /** Targets of `bindTexture`. */
  readonly textureTargets: readonly number[];
  /** Parameters of `texParameter`. */
  readonly textureParameters: readonly number[];
  /** Whether textures can have immutable storage. */
  readonly hasImmutableTextures: boolean;
  /** Formats of uploads, with the extension that each one needs. */
  readonly uploadFormats: ReadonlyMap<number, NeededExtension>;
  /** Types of uploads, with the extension that each one needs. */
  readonly uploadTypes: ReadonlyMap<number, NeededExtension>;
  /** Whether textures and renderbuffers can have any sized internal format. */
  readonly hasSizedFormats: boolean;
  /** Error for an unknown internal format of an upload. */
  readonly unknownInternalFormatError: number;
  /** Whether pixels can be uploaded to depth textures (WEBGL_depth_texture does not permit it). */
  readonly canUploadDepth: boolean;
  /** Whether mipmaps of sRGB textures can be generated. */
  readonly canGenerateSrgbMipmaps: boolean;
  /** Whether pixels can be transferred from and to buffers. */
  readonly hasPixelBuffers: boolean;
  /** Whether `pixelStorei` sets row lengths, image heights and skips. */
  readonly hasPixelLayouts: boolean;

  /** Whether DRAW_FRAMEBUFFER and READ_FRAMEBUFFER are targets. */
  readonly hasReadFramebuffers: boolean;
  /**
   * Whether DEPTH_STENCIL_ATTACHMENT stands for the depth and the stencil attachment point
   * together.
   */
  readonly isDepthStencilTwoPoints: boolean;
  /** Whether sizes and layers of attachments, and the drawing buffer, can be queried. */
  readonly hasAttachmentQueries: boolean;
  /** Error for a query of an attachment point without an image. */
  readonly missingAttachmentError: number;
  /**
   * Whether an attached level must belong to a complete set of levels (OpenGL ES 3.0, section
   * 4.4.4).
   */
  readonly areAttachedLevelsComplete: boolean;
  /** Whether renderbuffers can have several samples per pixel. */
  readonly hasMultisampling: boolean;
  /** Extension that makes 32-bit float formats color targets. */
  readonly floatTargetExtension: string;
  /** Extensions that each make 16-bit float formats color targets. */
  readonly halfFloatTargetExtensions: readonly string[];
}

/** Features of WebGL 2.0, each with the extensions that add it to WebGL 1.0. */
export const FEATURE_EXTENSIONS = {
  attributeDivisors: ['ANGLE_instanced_arrays'],
  blendMinMax: ['EXT_blend_minmax'],
  colorAttachments: ['WEBGL_draw_buffers'],
  derivativeHint: ['OES_standard_derivatives'],
  floatTargets: ['EXT_color_buffer_half_float', 'WEBGL_color_buffer_float'],
  mipmapTargets: ['OES_fbo_render_mipmap'],
  srgb: ['EXT_sRGB'],
  wideIndices: ['OES_element_index_uint'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Feature that WebGL 1.0 has only with an extension. */
export type Feature = keyof typeof FEATURE_EXTENSIONS;
