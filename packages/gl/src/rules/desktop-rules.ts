import { GL } from '../api/constants.ts';
import type { ApiRules } from './api-rules.ts';

/** Rules of OpenGL 2.1 with EXT_framebuffer_object and ARB_framebuffer_sRGB. */
export const DESKTOP_RULES: ApiRules = Object.freeze({
  hasFixedFunctions: true,
  defaultGlslVersion: 110,
  hasOnlyVertexBuffers: false,
  uniformOffsetStepBytes: 4,
  isUploadFormatStrict: false,
  isPowerOfTwoOnly: false,
  isCubeEdgeHard: true,
  hasDepthTextureMode: true,
  textureUnitCount: 128,
  isFloat16Filterable: true,
  isFloat32Filterable: true,
  areDepthsFilterable: true,
  areAttachmentSizesEqual: false,
  areLegacyFormatsDrawable: true,
  tooManySamplesError: GL.INVALID_VALUE,
  isSrgbEncodingOptional: true,
  areBlitsStrict: false,
  extensionCapabilities: [],
  areColorsClamped: false,
  isFragColorBroadcast: true,
  hasGeometryShaders: true,
  canStagesHaveSeveralShaders: true,
  canTransposeUniforms: true,
  isRestartAlwaysEnabled: false,
  isFeedbackStrict: false,
  areOutputsRequired: false,
  hasSecondColors: false,
  isPointClippedByDepth: false,
});
