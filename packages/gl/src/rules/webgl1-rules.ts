import type { ApiRules } from './api-rules.ts';
import { ES2_RULES } from './es2-rules.ts';

/** Rules of WebGL 1.0: OpenGL ES 2.0 with these differences. */
export const WEBGL1_RULES: ApiRules = Object.freeze({
  ...ES2_RULES,
  hasOnlyVertexBuffers: true,
  isPowerOfTwoOnly: true,
  isFloat16Filterable: false,
  isFloat32Filterable: false,
  areColorsClamped: false,
});
