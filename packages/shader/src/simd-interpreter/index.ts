/** Public names of the SIMD interpreter. */
export {
  compileSimdInterpreter,
  instantiateSimdInterpreter,
  type SimdInterpreter,
} from './simd-interpreter.ts';
export { createStepper, type Stepper, type StepResult } from './stepper.ts';
export { kernelTextureUnit, readerTextureUnit, type TextureUnit } from './texture-unit.ts';
export {
  interpreterScratchBytes,
  programImageBytes,
  writeProgramImage,
} from './write-program-image.ts';
