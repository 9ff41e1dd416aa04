/**
 * Differences between the four APIs that a context can follow, one field per difference.
 *
 *     desktop-rules.ts   OpenGL 2.1
 *     es2-rules.ts       OpenGL ES 2.0
 *     webgl1-rules.ts    WebGL 1.0, as differences from OpenGL ES 2.0
 *     webgl2-rules.ts    WebGL 2.0, as differences from OpenGL ES 2.0
 *
 * Rules of WebGL's calls that no other API has are in webgl-rules.ts.
 *
 * Code that depends on the API reads a field of the rules, never the name of the API. To add a
 * difference, add a field with its source here and its values in the files above.
 */

/** API that a context follows. */
export type GlDialect = 'gl' | 'gles2' | 'webgl1' | 'webgl2';

/** GLSL version of a source without a `#version` line. */
export type DefaultGlslVersion = 100 | 110;

/** Behavior that differs between the APIs. */
export interface ApiRules {
  /**
   * Whether the API has the fixed functions of OpenGL 1: state, primitives and generated shaders.
   */
  readonly hasFixedFunctions: boolean;
  /** Default GLSL version of the API. */
  readonly defaultGlslVersion: DefaultGlslVersion;

  /**
   * Whether buffers hold only vertices and indices, and are used only for draws (WebGL 1.0, section
   * 5.14.5).
   */
  readonly hasOnlyVertexBuffers: boolean;

  /**
   * Alignment of the offsets of uniform blocks in bytes. Desktop drivers differ in it: 4 is the
   * smallest.
   */
  readonly uniformOffsetStepBytes: number;

  /**
   * Whether an unsized internal format must equal the format of the upload (OpenGL ES 2.0, section
   * 3.7.1).
   */
  readonly isUploadFormatStrict: boolean;
  /**
   * Whether sizes other than powers of two require clamping and exclude mipmaps (OpenGL ES 2.0,
   * section 3.8.2).
   */
  readonly isPowerOfTwoOnly: boolean;
  /** Whether filters stop at the edges of cube faces, as in APIs before OpenGL ES 3.0. */
  readonly isCubeEdgeHard: boolean;
  /**
   * Whether `GL_DEPTH_TEXTURE_MODE` selects the channels of a sampled depth (OpenGL 2.1, section
   * 3.8.5).
   */
  readonly hasDepthTextureMode: boolean;
  /**
   * Whether a parameter lets lookups return stencil values (WEBGL_stencil_texturing); the caller
   * checks for the extension.
   */
  readonly hasStencilTexturing: boolean;
  /** Number of texture units of a context. */
  readonly textureUnitCount: number;
  /** Whether linear filters may read 16-bit floats without an extension. */
  readonly isFloat16Filterable: boolean;
  /** Whether linear filters may read 32-bit floats without an extension. */
  readonly isFloat32Filterable: boolean;
  /**
   * Whether linear filters may read sized depth formats without comparison (not in OpenGL ES 3.0,
   * section 3.8.13).
   */
  readonly areDepthsFilterable: boolean;

  /**
   * Whether all attachments of a framebuffer must have the same size, as in APIs before OpenGL ES
   * 3.0.
   */
  readonly areAttachmentSizesEqual: boolean;
  /**
   * Whether framebuffers accept colors of alpha, luminance and intensity, and signed fractions
   * (OpenGL 3.0, section 4.4.4, and what Mesa accepts of EXT_texture_snorm).
   */
  readonly areLegacyFormatsDrawable: boolean;
  /** GL error for a request of more samples per pixel than a renderbuffer supports. */
  readonly tooManySamplesError: number;
  /** Whether sRGB targets are encoded only if `GL_FRAMEBUFFER_SRGB` is enabled. */
  readonly isSrgbEncodingOptional: boolean;
  /**
   * Whether blits reject multisampled destinations, multisampled sources that are moved or
   * converted, and an image as its own destination (OpenGL ES 3.0, section 4.3.3).
   */
  readonly areBlitsStrict: boolean;

  /**
   * Capabilities that extensions add to those of OpenGL ES; the caller checks for the extension.
   */
  readonly extensionCapabilities: readonly number[];
  /** Whether clear and blend colors are clamped to 0…1, as in APIs without float targets. */
  readonly areColorsClamped: boolean;
  /** Whether `gl_FragColor` is written to all color attachments. */
  readonly isFragColorBroadcast: boolean;
  /**
   * Whether a program may have several shaders of a stage (not in OpenGL ES 2.0, section 2.10.3).
   */
  readonly canStagesHaveSeveralShaders: boolean;
  /** Whether shader objects may be geometry shaders, although programs with them do not link. */
  readonly hasGeometryShaders: boolean;
  /** Whether uniform matrices may be given in row-major order. */
  readonly canTransposeUniforms: boolean;
  /** Whether the largest index value always restarts primitives (WebGL 2.0). */
  readonly isRestartAlwaysEnabled: boolean;
  /**
   * Whether transform feedback refuses indices, modes other than its own, and draws that do not fit
   * into its buffers (WebGL 2.0; Mesa allows them in OpenGL ES 3.0).
   */
  readonly isFeedbackStrict: boolean;
  /**
   * Whether blend factors may use a second color of the fragment shader (EXT_blend_func_extended);
   * the caller checks for the extension.
   */
  readonly hasSecondColors: boolean;
  /** Whether each color attachment needs a fragment shader output (WebGL). */
  readonly areOutputsRequired: boolean;
  /**
   * Whether points are clipped by depth alone, not by their center in x and y (OpenGL ES 2.0,
   * section 2.13).
   */
  readonly isPointClippedByDepth: boolean;
}
