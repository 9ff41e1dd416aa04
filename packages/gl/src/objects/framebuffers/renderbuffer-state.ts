/** Names, binding and storage of renderbuffers (OpenGL ES 2.0, section 4.4). */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import { storageOf } from '../../texels/texel-storage.ts';
import type { ObjectTable } from '../object-table.ts';
import { MAX_TEXTURE_EDGE_PX } from '../textures/upload-targets.ts';
import { MAX_SAMPLES, RenderbufferObject, renderbufferStorage } from './renderbuffer-object.ts';

/** Renderbuffers of one context. */
export class RenderbufferState {
  readonly #errors: GlErrors;
  readonly #rules: ApiRules;
  readonly #table: ObjectTable<RenderbufferObject>;
  readonly #onRemove: (renderbuffer: RenderbufferObject) => void;
  #bound: RenderbufferObject | null = null;

  /** @param onRemove Callback for each deleted renderbuffer. */
  constructor(
    errors: GlErrors,
    rules: ApiRules,
    table: ObjectTable<RenderbufferObject>,
    onRemove: (renderbuffer: RenderbufferObject) => void,
  ) {
    this.#errors = errors;
    this.#rules = rules;
    this.#table = table;
    this.#onRemove = onRemove;
  }

  /** Bound renderbuffer, or `null` if none is bound. */
  get bound(): RenderbufferObject | null {
    return this.#bound;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isRenderbuffer(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  bind(target: number, name: number): void {
    if (target !== GL.RENDERBUFFER) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `bindRenderbuffer: ${nameOfEnum(target)} is not GL_RENDERBUFFER`,
      );
      return;
    }
    this.#bound =
      name === 0 ? null : this.#table.obtain(name, (made) => new RenderbufferObject(made));
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const renderbuffer = name === 0 ? null : this.#table.remove(name);
      if (renderbuffer === null) continue;
      if (this.#bound === renderbuffer) this.#bound = null;
      this.#onRemove(renderbuffer);
    }
  }

  /**
   * Allocates storage for the bound renderbuffer.
   *
   * @param samples Minimum number of samples per pixel. 0 means one.
   */
  setMultisampleStorage(
    target: number,
    samples: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
  ): void {
    if (samples < 0 || samples > MAX_SAMPLES) {
      const error = samples > 0 ? this.#rules.tooManySamplesError : GL.INVALID_VALUE;
      this.#errors.raise(
        error,
        `renderbufferStorageMultisample: sample count ${samples} is not in 0..${MAX_SAMPLES}`,
      );
      return;
    }
    this.setStorage(target, internalFormat, widthPx, heightPx, samples);
  }

  /**
   * Allocates storage for the bound renderbuffer.
   *
   * @param samples Number of samples per pixel, at most MAX_SAMPLES. 0 means one.
   */
  setStorage(
    target: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
    samples = 0,
  ): void {
    const caller = 'renderbufferStorage';
    if (target !== GL.RENDERBUFFER) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(target)} is not GL_RENDERBUFFER`,
      );
      return;
    }
    const isEs = this.#rules.isUploadFormatStrict;
    const isForeign =
      isEs && internalFormat !== GL.STENCIL_INDEX8 && storageOf(internalFormat, 0, true) === null;
    if (isForeign || renderbufferStorage(internalFormat) === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(internalFormat)} is not a renderbuffer format`,
      );
      return;
    }
    const edgePx = Math.max(widthPx, heightPx);
    if (Math.min(widthPx, heightPx) < 0 || edgePx > MAX_TEXTURE_EDGE_PX) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: size ${widthPx}×${heightPx} is not in 0..${MAX_TEXTURE_EDGE_PX}`,
      );
      return;
    }
    if (this.#bound === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: no renderbuffer is bound`);
      return;
    }
    const sampleCount = samples > 0 ? MAX_SAMPLES : 1;
    this.#bound.setStorage(internalFormat, widthPx, heightPx, sampleCount);
  }
}
