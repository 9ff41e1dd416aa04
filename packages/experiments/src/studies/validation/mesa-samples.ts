/**
 * Samples that pass the depth test in captures of OpenGL programs, counted by queries
 * (`GL_SAMPLES_PASSED`, OpenGL 4.6 section 17.3.5) of Mesa's two software renderers. Measured with
 * Mesa 22.3.6 and apitrace 11.1 by `scripts/mesa-samples.sh`.
 */

/** Counts of one capture, over all of its draws. */
export interface MesaSamples {
  readonly llvmpipe: number;
  readonly softpipe: number;
}

/** Counts by the folder of the capture. */
export const MESA_SAMPLES: Readonly<Record<string, MesaSamples>> = {
  buffer: { llvmpipe: 147_071, softpipe: 147_073 },
  'buffer-interleave': { llvmpipe: 147_071, softpipe: 147_073 },
  'buffer-subdata': { llvmpipe: 147_071, softpipe: 147_073 },
  'buffer/200x150': { llvmpipe: 9230, softpipe: 9233 },
  build: { llvmpipe: 45_203, softpipe: 45_202 },
  'build-interleave': { llvmpipe: 45_203, softpipe: 45_202 },
  'build-novbo': { llvmpipe: 45_203, softpipe: 45_202 },
  'build/200x150': { llvmpipe: 2815, softpipe: 2814 },
  bump: { llvmpipe: 71_826, softpipe: 71_825 },
  'bump-height': { llvmpipe: 71_826, softpipe: 71_825 },
  'bump-high-poly': { llvmpipe: 72_795, softpipe: 72_794 },
  'bump-normals-tangent': { llvmpipe: 71_826, softpipe: 71_825 },
  'bump-off': { llvmpipe: 71_826, softpipe: 71_825 },
  'bump/200x150': { llvmpipe: 4480, softpipe: 4480 },
  conditionals: { llvmpipe: 200_632, softpipe: 200_637 },
  'conditionals-fragment': { llvmpipe: 200_712, softpipe: 200_725 },
  'conditionals-none': { llvmpipe: 200_712, softpipe: 200_725 },
  'conditionals/200x150': { llvmpipe: 12_535, softpipe: 12_537 },
  effect2d: { llvmpipe: 480_000, softpipe: 480_000 },
  'effect2d-edge': { llvmpipe: 480_000, softpipe: 480_000 },
  'effect2d/200x150': { llvmpipe: 30_000, softpipe: 30_000 },
  function: { llvmpipe: 200_698, softpipe: 200_700 },
  'function-low': { llvmpipe: 200_698, softpipe: 200_700 },
  'function/200x150': { llvmpipe: 12_553, softpipe: 12_554 },
  ideas: { llvmpipe: 273_490, softpipe: 273_485 },
  'ideas/200x150': { llvmpipe: 17_208, softpipe: 17_223 },
  jellyfish: { llvmpipe: 846_855, softpipe: 846_845 },
  'jellyfish/200x150': { llvmpipe: 52_911, softpipe: 52_908 },
  loop: { llvmpipe: 200_680, softpipe: 200_681 },
  'loop-no-uniform': { llvmpipe: 200_680, softpipe: 200_681 },
  'loop/200x150': { llvmpipe: 12_561, softpipe: 12_563 },
  'shading-phong': { llvmpipe: 86_580, softpipe: 86_581 },
  'shading-phong/200x150': { llvmpipe: 5404, softpipe: 5402 },
  terrain: { llvmpipe: 2_396_871, softpipe: 2_396_755 },
  'terrain/200x150': { llvmpipe: 641_330, softpipe: 641_321 },
  texture: { llvmpipe: 154_810, softpipe: 154_811 },
  'texture-linear': { llvmpipe: 154_810, softpipe: 154_811 },
  'texture-linear-shader': { llvmpipe: 154_810, softpipe: 154_811 },
  'texture-nearest': { llvmpipe: 154_810, softpipe: 154_811 },
  'texture-texgen': { llvmpipe: 69_247, softpipe: 69_246 },
  'texture/200x150': { llvmpipe: 9674, softpipe: 9674 },
};
