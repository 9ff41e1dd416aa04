/**
 * Contexts that a program loses on purpose (WEBGL_lose_context): calls do nothing until it has the context restored,
 * which begins anew then. A lost context has a prototype of its own, so that others do not ask at each call.
 */
import { type CallTable, CORE, type ContextObject, checkArguments } from './call-table.ts';
import { GL } from './constants.ts';
import type { ContextCore } from './context-core.ts';

type LossEvent = 'webglcontextlost' | 'webglcontextrestored';

/** What calls of a lost context give that is not nothing (WebGL 1.0, section 5.14.2). */
const RESULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['isContextLost', true],
  ['checkFramebufferStatus', GL.FRAMEBUFFER_UNSUPPORTED],
  ['clientWaitSync', GL.WAIT_FAILED],
  ['getAttribLocation', -1],
  ['getFragDataLocation', -1],
  ['getUniformBlockIndex', GL.INVALID_INDEX],
  ['getVertexAttribOffset', 0],
]);

/** A prototype whose calls do nothing, over one whose calls do. */
function makeLostPrototype(alive: object): object {
  const lost: object = Object.create(alive);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(alive))) {
    // The error of the loss is asked for as any other.
    if (typeof value !== 'function' || name === 'getError' || name === 'constructor') continue;
    const isAsking = /^(get|create|fenceSync)/.test(name);
    const plain = /^is[A-Z]/.test(name) ? false : isAsking ? null : undefined;
    const result = RESULTS.has(name) ? RESULTS.get(name) : plain;
    const call: CallTable[string] = () => result;
    Object.defineProperty(lost, name, {
      value: checkArguments(name, call, value.length),
      enumerable: true,
    });
  }
  return lost;
}

export class ContextLoss {
  readonly #context: ContextObject & { readonly canvas: unknown };
  readonly #makeCore: (widthPx: number, heightPx: number) => ContextCore;
  #isLost = false;
  #isRestorable = false;

  /** @param makeCore Gives what a context begins with. */
  constructor(
    context: ContextObject & { readonly canvas: unknown },
    makeCore: (widthPx: number, heightPx: number) => ContextCore,
  ) {
    this.#context = context;
    this.#makeCore = makeCore;
  }

  lose(): void {
    const core = this.#context[CORE];
    if (this.#isLost) {
      core.raise(GL.INVALID_OPERATION, 'loseContext', 'the context is lost');
      return;
    }
    this.#isLost = true;
    core.errors.take();
    core.raise(GL.CONTEXT_LOST_WEBGL, 'loseContext', 'the program asked for it');
    for (const object of [this.#context, ...core.extensions.listObjects('WEBGL_lose_context')]) {
      Object.setPrototypeOf(object, makeLostPrototype(Object.getPrototypeOf(object)));
    }
    // Without a canvas there is nobody to ask whether it is wanted back.
    this.#isRestorable = !(this.#context.canvas instanceof EventTarget);
    setTimeout(() => {
      if (this.#fire('webglcontextlost')) this.#isRestorable = true;
    }, 0);
  }

  restore(): void {
    if (!this.#isLost || !this.#isRestorable) {
      const message = this.#isLost ? 'the event of the loss was not cancelled' : 'it is not lost';
      this.#context[CORE].raise(GL.INVALID_OPERATION, 'restoreContext', message);
      return;
    }
    this.#isRestorable = false;
    setTimeout(() => {
      const { widthPx, heightPx } = this.#context[CORE].gl;
      const core = this.#makeCore(widthPx, heightPx);
      core.loss = this;
      Object.defineProperty(this.#context, CORE, { value: core });
      const lost: object = Object.getPrototypeOf(this.#context);
      Object.setPrototypeOf(this.#context, Object.getPrototypeOf(lost));
      this.#isLost = false;
      this.#fire('webglcontextrestored');
    }, 0);
  }

  /** Whether a listener of the canvas has cancelled the event. */
  #fire(type: LossEvent): boolean {
    const { canvas } = this.#context;
    if (!(canvas instanceof EventTarget)) return false;
    const event = new Event(type, { cancelable: true });
    Object.defineProperty(event, 'statusMessage', { value: '' });
    canvas.dispatchEvent(event);
    return event.defaultPrevented;
  }
}
