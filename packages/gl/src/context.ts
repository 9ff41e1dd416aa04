/**
 * One OpenGL context: OpenGL ES 2.0, OpenGL 2.1, WebGL 1 or WebGL 2. It creates and connects its
 * parts, which callers use directly: `gl.buffers.bind(…)`, `gl.draws.drawArrays(…)`,
 * `gl.frames.take()`. The parts accept numbers for enumerations and objects, and raise the GL
 * errors that the specifications define.
 */
import { GL } from './api/constants.ts';
import { GlErrors } from './api/gl-errors.ts';
import { AssemblyPrograms } from './assembly/assembly-programs.ts';
import {
  DEFAULT_DRAWING_BUFFER,
  DEFAULT_MAX_FRAME_BYTES,
  type GlContextOptions,
} from './context-options.ts';
import { AccumulationBuffer } from './draw/accumulation-buffer.ts';
import { Clears } from './draw/clears.ts';
import { DrawCalls } from './draw/draw-calls.ts';
import { DrawTargets } from './draw/draw-targets.ts';
import { DrawPrograms } from './fixed/draw-programs.ts';
import { ImagePrograms } from './fixed/image-programs.ts';
import { reflectVariants } from './fixed/reflect-variants.ts';
import { BufferState } from './objects/buffers/buffer-objects.ts';
import { FramebufferState } from './objects/framebuffers/framebuffer-state.ts';
import { RenderbufferState } from './objects/framebuffers/renderbuffer-state.ts';
import { type ProgramObject, ProgramState } from './objects/programs/program-objects.ts';
import { ShaderState } from './objects/programs/shader-objects.ts';
import { QueryState } from './objects/queries/query-objects.ts';
import { TransformFeedbackState } from './objects/queries/transform-feedback.ts';
import { TextureState } from './objects/textures/texture-state.ts';
import { VertexArrayState } from './objects/vertex-arrays/vertex-array.ts';
import { FramebufferBlits } from './pixels/framebuffer-blits.ts';
import { PixelReads } from './pixels/pixel-reads.ts';
import { PixelRectangles } from './pixels/pixel-rectangles.ts';
import { TextureCopies } from './pixels/texture-copies.ts';
import { DrawRecorder } from './recording/draw-recorder.ts';
import { PassRenderer } from './recording/pass-renderer.ts';
import { DrawingBuffer } from './recording/passes/drawing-buffer.ts';
import { RecordedFrames } from './recording/recorded-frames.ts';
import { Recording } from './recording/recording.ts';
import { UploadContents } from './recording/upload-contents.ts';
import type { ApiRules } from './rules/api-rules.ts';
import { RULES_BY_DIALECT } from './rules/rules-by-dialect.ts';
import { SharedObjects } from './shared-objects.ts';
import { Capabilities } from './state/capabilities.ts';
import { Evaluators } from './state/fixed/evaluators.ts';
import { FixedFunctions } from './state/fixed/fixed-functions.ts';
import { FixedState } from './state/fixed/fixed-state.ts';
import { MatrixStacks } from './state/fixed/matrix-stacks.ts';
import { RasterState } from './state/raster-state.ts';

/** OpenGL context, composed of parts for its state, draws and frames. */
export class GlContext {
  /** Rules of the context's API where the APIs differ. */
  readonly rules: ApiRules;
  readonly errors: GlErrors;
  /** Objects that contexts can share: buffers, textures, renderbuffers, shaders and programs. */
  readonly shared: SharedObjects;
  readonly capabilities: Capabilities;
  readonly raster: RasterState;
  readonly matrices: MatrixStacks;
  readonly fixed: FixedState;
  readonly buffers: BufferState;
  readonly vertexArrays: VertexArrayState;
  readonly textures: TextureState;
  readonly shaders: ShaderState<ProgramObject>;
  readonly programs: ProgramState;
  /** Assembly programs (desktop only). */
  readonly assembly: AssemblyPrograms;
  readonly framebuffers: FramebufferState;
  readonly renderbuffers: RenderbufferState;
  readonly feedback: TransformFeedbackState;
  readonly queries: QueryState;
  readonly recording: Recording;
  readonly recorder: DrawRecorder;
  readonly targets: DrawTargets;
  readonly draws: DrawCalls;
  readonly accumulation: AccumulationBuffer;
  readonly clears: Clears;
  readonly reads: PixelReads;
  readonly copies: TextureCopies;
  readonly blits: FramebufferBlits;
  /** Bitmaps and pixel rectangles (desktop only). */
  readonly pixels: PixelRectangles;
  /** Fixed-function state and primitives (desktop only). */
  readonly fixedFunctions: FixedFunctions;
  /** Evaluators of curves and surfaces (desktop only). */
  readonly evaluators: Evaluators;
  readonly frames: RecordedFrames;

  constructor(options: GlContextOptions) {
    const { dialect, widthPx, heightPx, reflection, renderer } = options;
    const rules = RULES_BY_DIALECT[dialect];
    const errors = new GlErrors(options.onError);
    const shared = options.shared ?? new SharedObjects();
    this.rules = rules;
    this.errors = errors;
    this.shared = shared;

    // State. Functions and parts that receive `this` access other parts only when they are called,
    // because those may not exist yet.
    const activeUnit = () => this.textures.activeUnit;
    this.capabilities = new Capabilities(errors, rules, activeUnit, (capability) =>
      this.fixedFunctions.noteEnabled(capability),
    );
    this.raster = new RasterState(errors, rules, this.capabilities, widthPx, heightPx);
    this.matrices = new MatrixStacks(errors, activeUnit);
    this.fixed = new FixedState(errors, activeUnit);

    // Objects.
    const { budget } = shared;
    this.vertexArrays = new VertexArrayState(errors, rules, () =>
      this.buffers.bound(GL.ARRAY_BUFFER),
    );
    this.buffers = new BufferState(errors, rules, shared.buffers, budget, this.vertexArrays);
    const contents = new UploadContents(this);
    this.textures = new TextureState(errors, rules, shared.textures, budget, contents, (texture) =>
      this.framebuffers.detachTexture(texture),
    );
    this.framebuffers = new FramebufferState(this, contents);
    this.renderbuffers = new RenderbufferState(
      errors,
      rules,
      shared.renderbuffers,
      (renderbuffer) => this.framebuffers.detachRenderbuffer(renderbuffer),
    );
    const linkedProgram = () => this.programs.current?.linked ?? null;
    this.feedback = new TransformFeedbackState(errors, this.buffers, linkedProgram);
    this.shaders = new ShaderState(errors, rules, shared.programs, reflection);
    const variants = rules.hasFixedFunctions ? reflectVariants(reflection) : reflection;
    this.programs = new ProgramState(this, shared.programs, variants);
    this.assembly = new AssemblyPrograms(this);

    // Draws and frames.
    const drawingBuffer =
      renderer === undefined
        ? null
        : new DrawingBuffer(options.drawingBuffer ?? DEFAULT_DRAWING_BUFFER, widthPx, heightPx);
    const passRenderer = drawingBuffer && new PassRenderer(renderer!, drawingBuffer);
    const maxFrameBytes = options.maxFrameBytes ?? DEFAULT_MAX_FRAME_BYTES;
    const { feedbackRenderer = null } = options;
    this.recording = new Recording(this, maxFrameBytes, passRenderer, feedbackRenderer);
    this.recorder = new DrawRecorder(this);
    this.targets = new DrawTargets(this, drawingBuffer, widthPx, heightPx);
    this.draws = new DrawCalls(this, new DrawPrograms(this, reflection));
    this.accumulation = new AccumulationBuffer(this);
    this.clears = new Clears(this);
    this.reads = new PixelReads(this);
    this.copies = new TextureCopies(this);
    this.blits = new FramebufferBlits(this);
    this.queries = new QueryState(this);
    this.pixels = new PixelRectangles(this, new ImagePrograms(this, reflection));
    this.fixedFunctions = new FixedFunctions(this);
    this.evaluators = new Evaluators(errors, this.capabilities, this.fixedFunctions);
    this.frames = new RecordedFrames(this);
  }
}
