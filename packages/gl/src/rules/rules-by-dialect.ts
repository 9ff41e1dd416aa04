import type { ApiRules, GlDialect } from './api-rules.ts';
import { DESKTOP_RULES } from './desktop-rules.ts';
import { ES2_RULES } from './es2-rules.ts';
import type { WebGLRules } from './webgl-rules.ts';
import { WEBGL1_RULES } from './webgl1-rules.ts';
import { WEBGL2_RULES } from './webgl2-rules.ts';

/** API rules by dialect. */
export const RULES_BY_DIALECT = {
  gl: DESKTOP_RULES,
  gles2: ES2_RULES,
  webgl1: WEBGL1_RULES,
  webgl2: WEBGL2_RULES,
} as const satisfies Readonly<Record<GlDialect, ApiRules>> & {
  readonly webgl1: WebGLRules;
  readonly webgl2: WebGLRules;
};
