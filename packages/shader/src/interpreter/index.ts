/** Public names of the slow executor. */
export {
  type FragmentStageCall,
  interpretFragmentStage,
  interpretVertexStage,
  type StageCall,
  type VertexStageCall,
} from './interpret-stage.ts';
export type { TextureReader } from './texture-reader.ts';
