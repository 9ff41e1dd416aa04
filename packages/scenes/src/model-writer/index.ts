export { type ModelGlbOptions, makeModelGlb } from './make-model-glb.ts';
export { packGlb } from './pack-glb.ts';
