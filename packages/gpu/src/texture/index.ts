/**
 * Texture unit on its own, for measurements: textures in memory and the kernels that sample them.
 */

export { samplingStateOf } from './filter/sampling-state.ts';
export { selectLevels, writeTextureDescriptors } from './layout/texture-descriptor.ts';
export { TexturePool } from './layout/texture-pool.ts';
export { SampleKernels } from './sample/sample-kernel.ts';
