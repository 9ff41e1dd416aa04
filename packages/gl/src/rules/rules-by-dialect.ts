import type { ApiRules, GlDialect } from './api-rules.ts';
import { DESKTOP_RULES } from './desktop-rules.ts';
import { ES2_RULES } from './es2-rules.ts';
import { WEBGL1_RULES } from './webgl1-rules.ts';
import { WEBGL2_RULES } from './webgl2-rules.ts';

/** Rules of each API. */
export const RULES_BY_DIALECT: Readonly<Record<GlDialect, ApiRules>> = {
  gl: DESKTOP_RULES,
  gles2: ES2_RULES,
  webgl1: WEBGL1_RULES,
  webgl2: WEBGL2_RULES,
};
