/** The texture unit by itself, for measurements: textures in memory and the kernels that sample them. */
export { SampleKernels } from './sample-kernel.ts';
export { samplingStateOf } from './sampling-state.ts';
export { writeTextureDescriptors } from './texture-descriptor.ts';
export { TexturePool } from './texture-pool.ts';
