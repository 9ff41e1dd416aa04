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

/** Version of GLSL of a source without a `#version` line. */
export type DefaultGlslVersion = 100 | 110;

/** Behavior that differs between the APIs. */
export interface ApiRules {
  /**
   * Whether the API has the fixed functions of OpenGL 1: their state, primitives and generated
   * shaders.
   */
  readonly hasFixedFunctions: boolean;
  /** GLSL version of a source without a `#version` line. */
  readonly defaultGlslVersion: DefaultGlslVersion;

  /**
   * Whether buffers hold only vertices and indices, and are used only for draws (WebGL 1.0, section
   * 5.14.5).
   */
  readonly hasOnlyVertexBuffers: boolean;

  /**
   * Whether an unsized internal format must equal the format of the upload (OpenGL ES 2.0, section
   * 3.7.1).
   */
  readonly isUploadFormatStrict: boolean;
  /**
   * Whether other sizes than powers of two need clamping and no mipmaps (OpenGL ES 2.0, section
   * 3.8.2).
   */
  readonly isPowerOfTwoOnly: boolean;
  /** Whether filters end at the edges of cube faces, as they do before OpenGL ES 3.0. */
  readonly isCubeEdgeHard: boolean;
  /**
   * Whether `GL_DEPTH_TEXTURE_MODE` selects the channels of a sampled depth (OpenGL 2.1, section
   * 3.8.5).
   */
  readonly hasDepthTextureMode: boolean;
  /** Whether linear filters may read 16-bit floats without an extension. */
  readonly isFloat16Filterable: boolean;
  /** Whether linear filters may read 32-bit floats without an extension. */
  readonly isFloat32Filterable: boolean;
  /**
   * Whether linear filters may read sized depths that are not compared (not in OpenGL ES 3.0,
   * section 3.8.13).
   */
  readonly areDepthsFilterable: boolean;

  /** Whether all attachments of a framebuffer must have one size, as before OpenGL ES 3.0. */
  readonly areAttachmentSizesEqual: boolean;
  /** Error for more samples per pixel than a renderbuffer can have. */
  readonly tooManySamplesError: number;
  /** Whether sRGB targets are encoded only while `GL_FRAMEBUFFER_SRGB` is enabled. */
  readonly isSrgbEncodingOptional: boolean;
  /**
   * Whether blits refuse multisampled destinations, moved or converted multisampled sources, and an
   * image as its own destination (OpenGL ES 3.0, section 4.3.3).
   */
  readonly areBlitsStrict: boolean;

  /** Whether clear and blend colors are clamped to 0…1, as where no target has floats. */
  readonly areColorsClamped: boolean;
  /** Whether `gl_FragColor` is written to all color attachments. */
  readonly isFragColorBroadcast: boolean;
  /** Whether matrices of uniforms may be given row by row. */
  readonly canTransposeUniforms: boolean;
  /** Whether the largest index always restarts primitives (WebGL 2.0). */
  readonly isRestartAlwaysEnabled: boolean;
  /** Whether each color attachment needs a fragment shader output (WebGL 2.0). */
  readonly areOutputsRequired: boolean;
  /**
   * Whether a point is clipped as a whole by depth alone, and not by its center in x and y (ES 2.0,
   * section 2.13).
   */
  readonly isPointClippedByDepth: boolean;
}
