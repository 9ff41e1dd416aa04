import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { RenderbufferState } from '../objects/framebuffers/renderbuffer-state.ts';
import type { ProgramState } from '../objects/programs/program-objects.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import type { VertexArrayState } from '../objects/vertex-arrays/vertex-array.ts';
import type { ApiRules } from '../rules/api-rules.ts';
import type { Capabilities } from '../state/capabilities.ts';
import type { FixedFunctions } from '../state/fixed/fixed-functions.ts';
import type { FixedState } from '../state/fixed/fixed-state.ts';
import type { MatrixStacks } from '../state/fixed/matrix-stacks.ts';
import type { RasterState } from '../state/raster-state.ts';

/** Value of a parameter: numbers, booleans, or an object's name (0 for none). */
export type ParameterValue = number | boolean | readonly number[] | readonly boolean[];

/** Parts of a context that parameters are read from. */
export interface ParameterState {
  readonly rules: ApiRules;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly buffers: BufferState;
  readonly textures: TextureState;
  readonly programs: ProgramState;
  readonly vertexArrays: VertexArrayState;
  readonly framebuffers: FramebufferState;
  readonly renderbuffers: RenderbufferState;
  readonly matrices: MatrixStacks;
  readonly fixed: FixedState;
  readonly fixedFunctions: FixedFunctions;
}

/** Function that reads one parameter. */
export type ParameterReader = (state: ParameterState) => ParameterValue;
