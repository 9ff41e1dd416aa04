/**
 * Quick selection of cases from every folder of the Khronos suite; `npm run conformance` runs all
 * of them. The test also checks the names in the baseline against the suite.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../../scripts/conformance/baseline.ts';
import { listNpmSuite } from '../../../scripts/conformance/npm-suite.ts';
import { runSuite } from '../../../scripts/conformance/run-suite.ts';

const SELECTION: readonly string[] = [
  'attribs_gl-bindAttribLocation-aliasing',
  'attribs_gl-vertex-attrib',
  'attribs_gl-vertexattribpointer',
  'buffers_buffer-bind-test',
  'buffers_buffer-data-array-buffer-delete',
  'buffers_index-validation',
  'canvas_buffer-preserve-test',
  'canvas_drawingbuffer-static-canvas-test',
  'canvas_drawingbuffer-test',
  'canvas_framebuffer-bindings-unaffected-on-resize',
  'context_context-type-test',
  'context_incorrect-context-object-behaviour',
  'context_methods',
  'extensions_angle-instanced-arrays',
  'extensions_get-extension',
  'extensions_oes-element-index-uint',
  'extensions_oes-standard-derivatives',
  'glsl_bugs_essl3-shaders-with-webgl1',
  'glsl_misc_boolean_precision',
  'glsl_misc_shader-struct-scope',
  'glsl_misc_shader-varying-packing-restrictions',
  'glsl_misc_shader-with-functional-scoping',
  'glsl_misc_shaders-with-mis-matching-uniforms',
  'glsl_misc_shaders-with-mis-matching-varyings',
  'glsl_misc_shaders-with-uniform-structs',
  'glsl_misc_struct-unary-operators',
  'glsl_variables_gl-fragcoord',
  'glsl_variables_gl-frontfacing',
  'glsl_variables_gl-pointcoord',
  'limits_gl-min-uniforms',
  'misc_is-object',
  'misc_shader-precision-format',
  'misc_type-conversion-test',
  'more_conformance_methods',
  'more_conformance_webGLArrays',
  'more_functions_drawElementsBadArgs',
  'more_functions_isTestsBadArgs',
  'ogles_GL_build_build_001_to_008',
  'ogles_GL_biConstants_biConstants_001_to_008',
  'programs_gl-get-active-uniform',
  'programs_gl-shader-test',
  'reading_read-pixels-pack-alignment',
  'renderbuffers_framebuffer-object-attachment',
  'renderbuffers_framebuffer-state-restoration',
  'renderbuffers_framebuffer-test',
  'rendering_culling',
  'rendering_gl-scissor-test',
  'rendering_polygon-offset',
  'rendering_triangle',
  'state_gl-enable-enum-test',
  'state_gl-enum-tests',
  'state_gl-getstring',
  'textures_copy-tex-image-2d-formats',
  'textures_copy-tex-image-and-sub-image-2d',
  'textures_tex-input-validation',
  'textures_texture-formats-test',
  'textures_texture-mips',
  'textures_texture-sub-image-cube-maps',
  'typedarrays_data-view-crash',
  'uniforms_gl-uniform-arrays',
  'uniforms_null-uniform-location',
  'uniforms_uniform-location',
];

const suite = listNpmSuite();

// Vitest reports the tests as skipped if the package gl-conformance is not installed.
describe.skipIf(suite === null)('gl-conformance', () => {
  it('passes a selection of all folders', async () => {
    const cases = suite!.cases.filter(({ name }) => SELECTION.includes(name));
    expect(cases).toHaveLength(SELECTION.length);
    expect(new Set(cases.map(({ folder }) => folder))).toEqual(
      new Set(suite!.cases.map(({ folder }) => folder)),
    );
    const verdicts = await runSuite({
      suite: { kind: 'npm' },
      context: '@tessera/webgl',
      isVerbose: false,
      cases,
      casesPerProcess: cases.length,
      jobs: 1,
      timeoutMs: 60_000,
    });
    const failing = verdicts.filter(({ outcome }) => outcome !== 'pass');
    expect(failing.map(({ name, messages }) => [name, ...messages])).toEqual([]);
  }, 300_000);

  it('has every name of the baseline', () => {
    const path = fileURLToPath(new URL('./baseline.json', import.meta.url));
    const names = new Set(suite!.cases.map(({ name }) => name));
    expect(Object.keys(readBaseline(path)).filter((name) => !names.has(name))).toEqual([]);
  });
});
