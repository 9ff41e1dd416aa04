/** Transform feedback objects (OpenGL ES 3.0, section 2.15). */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { BufferState } from '../buffers/buffer-objects.ts';
import type { IndexedBinding } from '../buffers/indexed-buffers.ts';
import { ObjectTable } from '../object-table.ts';
import type { LinkedProgram } from '../programs/program-objects.ts';

/** Vertices per primitive, by the modes that can be captured. */
export const VERTICES_BY_FEEDBACK_MODE: ReadonlyMap<number, number> = new Map([
  [GL.POINTS, 1],
  [GL.LINES, 2],
  [GL.TRIANGLES, 3],
]);

/** Transform feedback object. */
export class FeedbackObject {
  readonly name: number;
  readonly bindings: (IndexedBinding | null)[] = [];
  isPaused = false;
  /** Number of vertices that the last completed capture wrote; 0 before the first. */
  writtenVertices = 0;
  /** Capture in progress; `null` if inactive. */
  active: { readonly mode: number; readonly program: LinkedProgram; vertexCount: number } | null =
    null;

  constructor(name: number) {
    this.name = name;
  }

  /** Whether draws are captured. */
  get isCapturing(): boolean {
    return this.active !== null && !this.isPaused;
  }
}

/** Transform feedback objects of one context. */
export class TransformFeedbackState {
  readonly #errors: GlErrors;
  readonly #buffers: BufferState;
  readonly #currentProgram: () => LinkedProgram | null;
  readonly #table = new ObjectTable<FeedbackObject>();
  readonly #nameless = new FeedbackObject(0);
  readonly #active = new Set<FeedbackObject>();
  #current = this.#nameless;

  /** @param currentProgram Returns the executable of the program in use. */
  constructor(errors: GlErrors, buffers: BufferState, currentProgram: () => LinkedProgram | null) {
    this.#errors = errors;
    this.#currentProgram = currentProgram;
    this.#buffers = buffers;
    buffers.exchangeFeedback(this.#current.bindings);
  }

  get current(): FeedbackObject {
    return this.#current;
  }

  /** Returns whether an object captures the program's outputs, even if paused or not bound. */
  isCaptured(program: LinkedProgram | null): boolean {
    return [...this.#active].some(({ active }) => active!.program === program);
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  /** Returns an object that was bound once, or `null`. */
  find(name: number): FeedbackObject | null {
    return name === 0 ? this.#nameless : this.#table.get(name);
  }

  isFeedback(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  bind(name: number): void {
    if (this.#current.isCapturing) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'bindTransformFeedback: the bound transform feedback is active',
      );
      return;
    }
    this.#current =
      name === 0 ? this.#nameless : this.#table.obtain(name, (made) => new FeedbackObject(made));
    this.#buffers.exchangeFeedback(this.#current.bindings);
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const object = name === 0 ? null : this.#table.get(name);
      if (object !== null && object.active !== null) {
        this.#errors.raise(
          GL.INVALID_OPERATION,
          `deleteTransformFeedback: transform feedback ${name} is active`,
        );
        continue;
      }
      if (name !== 0) this.#table.remove(name);
      if (object !== null && object === this.#current) this.bind(0);
    }
  }

  /** Starts to capture the outputs of the program in use. */
  begin(mode: number): void {
    const caller = 'beginTransformFeedback';
    const program = this.#currentProgram();
    if (!VERTICES_BY_FEEDBACK_MODE.has(mode)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: mode ${nameOfEnum(mode)} is not GL_POINTS, GL_LINES or GL_TRIANGLES`,
      );
      return;
    }
    const object = this.#current;
    const { varyings = [], isSeparate = false } = program?.feedback ?? {};
    const isBound = Array.from({ length: isSeparate ? varyings.length : 1 }, (_, i) => i).every(
      (index) => (object.bindings[index] ?? null) !== null,
    );
    if (object.active !== null || program === null || varyings.length === 0 || !isBound) {
      const problem =
        object.active === null
          ? 'the program has no varyings to capture, or a buffer is not bound'
          : 'transform feedback is already active';
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: ${problem}`);
      return;
    }
    object.active = { mode, program, vertexCount: 0 };
    object.isPaused = false;
    this.#active.add(object);
  }

  end(): void {
    if (this.#current.active === null) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'endTransformFeedback: transform feedback is not active',
      );
      return;
    }
    this.#current.writtenVertices = this.#current.active.vertexCount;
    this.#current.active = null;
    this.#active.delete(this.#current);
    this.#current.isPaused = false;
  }

  pause(): void {
    if (this.#current.isCapturing) this.#current.isPaused = true;
    else
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'pauseTransformFeedback: transform feedback is not active or is already paused',
      );
  }

  /** Continues after a pause, with the same program in use. */
  resume(): void {
    const program = this.#currentProgram();
    const { active, isPaused } = this.#current;
    if (active !== null && isPaused && active.program === program) this.#current.isPaused = false;
    else
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'resumeTransformFeedback: transform feedback is not paused, or another program is in use',
      );
  }
}
