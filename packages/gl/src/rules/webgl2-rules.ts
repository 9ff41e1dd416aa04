import type { ApiRules } from './api-rules.ts';
import { ES2_RULES } from './es2-rules.ts';

/** Rules of WebGL 2.0, which is OpenGL ES 3.0, as differences from OpenGL ES 2.0. */
export const WEBGL2_RULES: ApiRules = Object.freeze({
  ...ES2_RULES,
  isCubeEdgeHard: false,
  isFloat32Filterable: false,
  areDepthsFilterable: false,
  areAttachmentSizesEqual: false,
  areColorsClamped: false,
  isFragColorBroadcast: false,
  canTransposeUniforms: true,
  isRestartAlwaysEnabled: true,
  areOutputsRequired: true,
});
