/**
 * Writes the capture of one frame from calls by name, in a window of its own size. The frame is the
 * capture's second one, because the window gets its size while the first one is replayed.
 */
import { CapturedPointer, type CapturedValue } from '@tessera/gl/apitrace';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { SIGNATURES } from './gl-signatures.ts';

const CONTEXT = new CapturedPointer(0x1000);
const DISPLAY = new CapturedPointer(0x2000);
const VISUAL = new CapturedPointer(0x3000);
const DRAWABLE = 7;
const FAKE = 1;

/** Index of the scene's frame in the capture. */
export const SCENE_FRAME = 1;

/** Writes the capture of one frame. */
export class SceneWriter {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly #trace = new CaptureWriter();
  #nextName = 1;

  constructor(widthPx: number, heightPx: number) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    const size = { x: 0, y: 0, width: widthPx, height: heightPx };
    this.#trace
      .call(
        'glXCreateContext',
        { dpy: DISPLAY, vis: VISUAL, shareList: null, direct: true },
        CONTEXT,
      )
      .call('glXMakeCurrent', { dpy: DISPLAY, drawable: DRAWABLE, ctx: CONTEXT }, true)
      .call('glViewport', size, null, FAKE)
      .call('glScissor', size, null, FAKE)
      .call('glClear', { mask: 0x4000 });
    this.#swap();
    this.#trace.call('glViewport', size);
  }

  /** Appends `gl<name>` with arguments by position. Views become their bytes. */
  call(name: string, ...values: readonly (CapturedValue | ArrayBufferView)[]): this {
    return this.callWithResult(name, null, ...values);
  }

  callWithResult(
    name: string,
    result: CapturedValue,
    ...values: readonly (CapturedValue | ArrayBufferView)[]
  ): this {
    const names = SIGNATURES.get(`gl${name}`);
    if (names === undefined || names.length !== values.length) {
      throw new Error(
        `scene: gl${name} takes ${names ?? 'arguments that gl-signatures.ts does not list'}`,
      );
    }
    const args = Object.fromEntries(
      names.map((argument, i) => {
        const value = values[i]!;
        return [
          argument,
          ArrayBuffer.isView(value)
            ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
            : value,
        ];
      }),
    );
    this.#trace.call(`gl${name}`, args, result);
    return this;
  }

  /** Returns an unused object name. */
  newName(): number {
    return this.#nextName++;
  }

  /** Writes calls between `glBegin` and `glEnd`. */
  primitive(mode: number, draw: () => void): this {
    this.call('Begin', mode);
    draw();
    return this.call('End');
  }

  /** Returns the capture, after a swap of buffers. */
  finish(): Uint8Array {
    this.#swap();
    return this.#trace.finish();
  }

  #swap(): void {
    this.#trace.call('glXSwapBuffers', { dpy: DISPLAY, drawable: DRAWABLE });
  }
}
