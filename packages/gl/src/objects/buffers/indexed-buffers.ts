/** Binding points of uniform blocks and of transform feedback (OpenGL ES 3.0, section 2.10.1.1). */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { BufferObject } from './buffer-objects.ts';

/** Number of binding points of uniform blocks. */
export const MAX_UNIFORM_BUFFER_BINDINGS = 72;
/** Number of binding points of transform feedback. */
export const MAX_FEEDBACK_BUFFERS = 4;

/** Buffer bound to a binding point. */
export interface IndexedBinding {
  readonly buffer: BufferObject;
  readonly offsetBytes: number;
  /** Size in bytes; `null` means to the end of the buffer. */
  readonly sizeBytes: number | null;
}

/** Binding points of one context. */
export class IndexedBindings {
  readonly #errors: GlErrors;
  readonly #uniformStepBytes: number;
  readonly #uniform: (IndexedBinding | null)[] = [];
  #feedback: (IndexedBinding | null)[] = [];

  constructor(errors: GlErrors, rules: Pick<ApiRules, 'uniformOffsetStepBytes'>) {
    this.#errors = errors;
    this.#uniformStepBytes = rules.uniformOffsetStepBytes;
  }

  /**
   * Returns whether a binding is valid.
   *
   * @param part Part of the buffer; `null` removes a binding.
   */
  isAllowed(
    target: number,
    index: number,
    part: { readonly offsetBytes: number; readonly sizeBytes: number | null } | null,
  ): boolean {
    const isUniform = target === GL.UNIFORM_BUFFER;
    if (!isUniform && target !== GL.TRANSFORM_FEEDBACK_BUFFER) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `bindBufferRange: target ${nameOfEnum(target)} has no indexed bindings`,
      );
      return false;
    }
    const count = isUniform ? MAX_UNIFORM_BUFFER_BINDINGS : MAX_FEEDBACK_BUFFERS;
    const step = isUniform ? this.#uniformStepBytes : 4;
    const isSize = part?.sizeBytes === undefined || part.sizeBytes === null || part.sizeBytes > 0;
    const isFitting =
      part === null ||
      (part.offsetBytes >= 0 &&
        part.offsetBytes % step === 0 &&
        isSize &&
        (isUniform || (part.sizeBytes ?? 0) % 4 === 0));
    if (index >= 0 && index < count && isFitting) return true;
    this.#errors.raise(
      GL.INVALID_VALUE,
      `bindBufferRange: index ${index} is not in 0..${count - 1}, or the range is empty or not aligned to ${step} bytes`,
    );
    return false;
  }

  set(target: number, index: number, binding: IndexedBinding | null): void {
    this.#of(target)[index] = binding;
  }

  get(target: number, index: number): IndexedBinding | null {
    return this.#of(target)[index] ?? null;
  }

  setAll(target: number, bindings: (IndexedBinding | null)[]): void {
    if (target === GL.TRANSFORM_FEEDBACK_BUFFER) this.#feedback = bindings;
  }

  removeBuffer(buffer: BufferObject): void {
    for (const bindings of [this.#uniform, this.#feedback]) {
      bindings.forEach((binding, index) => {
        if (binding?.buffer === buffer) bindings[index] = null;
      });
    }
  }

  #of(target: number): (IndexedBinding | null)[] {
    return target === GL.UNIFORM_BUFFER ? this.#uniform : this.#feedback;
  }
}
