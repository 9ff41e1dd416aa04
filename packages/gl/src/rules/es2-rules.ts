import { GL } from '../api/constants.ts';
import type { ApiRules } from './api-rules.ts';

/** Rules of OpenGL ES 2.0 with the extensions that make float formats filterable. */
export const ES2_RULES: ApiRules = Object.freeze({
  hasFixedFunctions: false,
  defaultGlslVersion: 100,
  hasOnlyVertexBuffers: false,
  uniformOffsetStepBytes: 256,
  isUploadFormatStrict: true,
  isPowerOfTwoOnly: false,
  isCubeEdgeHard: true,
  hasDepthTextureMode: false,
  textureUnitCount: 32,
  isFloat16Filterable: true,
  isFloat32Filterable: true,
  areDepthsFilterable: true,
  areAttachmentSizesEqual: true,
  areLegacyFormatsDrawable: false,
  tooManySamplesError: GL.INVALID_OPERATION,
  isSrgbEncodingOptional: false,
  areBlitsStrict: true,
  extensionCapabilities: [],
  areColorsClamped: true,
  isFragColorBroadcast: true,
  hasGeometryShaders: false,
  canStagesHaveSeveralShaders: false,
  canTransposeUniforms: false,
  isRestartAlwaysEnabled: false,
  isFeedbackStrict: false,
  areOutputsRequired: false,
  hasSecondColors: false,
  isPointClippedByDepth: true,
});
