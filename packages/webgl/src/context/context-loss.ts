/**
 * Context loss on request of the program (WEBGL_lose_context). Calls of a lost context do nothing
 * until the program restores it with initial state. A lost context gets its own prototype, so that
 * calls of a working context need no check.
 */

import { GL } from '../interface/constants.ts';
import { WebGLFramebuffer } from '../objects/webgl-framebuffer.ts';
import {
  WebGLBuffer,
  type WebGLObject,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLTransformFeedback,
} from '../objects/webgl-object.ts';
import { WebGLProgram, WebGLShader } from '../objects/webgl-program.ts';
import { WebGLTexture } from '../objects/webgl-texture.ts';
import { WebGLVertexArrayObject } from '../objects/webgl-vertex-array.ts';
import {
  type CallTable,
  CORE,
  type ContextObject,
  checkArguments,
  formsOfCall,
} from './call-table.ts';
import type { ContextCore } from './context-core.ts';

/** Extension whose object keeps working while the context is lost. */
const LOSS_EXTENSION = 'WEBGL_lose_context';

type LossEvent = 'webglcontextlost' | 'webglcontextrestored';

/**
 * Results of calls on a lost context, where they differ from `false`, `null` and `undefined` (WebGL
 * 1.0, section 5.14.2).
 */
const RESULTS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['isContextLost', true],
  ['checkFramebufferStatus', GL.FRAMEBUFFER_UNSUPPORTED],
  ['clientWaitSync', GL.WAIT_FAILED],
  ['getAttribLocation', -1],
  ['getFragDataLocation', -1],
  ['getUniformBlockIndex', GL.INVALID_INDEX],
  ['getVertexAttribOffset', 0],
]);

/**
 * Constructors by call. A lost context creates objects that are invalid from the start (WebGL 1.0,
 * section 5.14.2).
 */
const MAKERS: Readonly<Record<string, (core: ContextCore, type: number) => WebGLObject>> = {
  createBuffer: (core) => new WebGLBuffer(core, 0),
  createFramebuffer: (core) => new WebGLFramebuffer(core, 0),
  createProgram: (core) => new WebGLProgram(core, 0),
  createQuery: (core) => new WebGLQuery(core, 0),
  createRenderbuffer: (core) => new WebGLRenderbuffer(core, 0),
  createSampler: (core) => new WebGLSampler(core, 0),
  createShader: (core, type) => new WebGLShader(core, 0, type),
  createTexture: (core) => new WebGLTexture(core, 0),
  createTransformFeedback: (core) => new WebGLTransformFeedback(core, 0),
  createVertexArray: (core) => new WebGLVertexArrayObject(core, 0),
  createVertexArrayOES: (core) => new WebGLVertexArrayObject(core, 0),
};

function makeLost(make: (core: ContextCore, type: number) => WebGLObject): CallTable[string] {
  return function (this: ContextObject, type: number): WebGLObject {
    const made = make(this[CORE], type);
    made.isDeleted = true;
    return made;
  };
}

/** Creates a prototype that inherits from the working prototype and whose calls do nothing. */
function makeLostPrototype(alive: object): object {
  const lost: object = Object.create(alive);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(alive))) {
    // getError keeps working, because the program reads the loss error with it.
    if (typeof value !== 'function' || name === 'getError' || name === 'constructor') continue;
    const plain = /^is[A-Z]/.test(name) ? false : /^(get|fenceSync)/.test(name) ? null : undefined;
    const result = RESULTS.has(name) ? RESULTS.get(name) : plain;
    const maker = MAKERS[name];
    const call: CallTable[string] = maker === undefined ? () => result : makeLost(maker);
    Object.defineProperty(lost, name, {
      value: checkArguments(name, call, value.length, formsOfCall(value)),
      enumerable: true,
    });
  }
  return lost;
}

/** Loses and restores one context. */
export class ContextLoss {
  readonly #context: ContextObject & { readonly canvas: unknown };
  readonly #makeCore: (widthPx: number, heightPx: number) => ContextCore;
  #isLost = false;
  #isRestorable = false;
  #isReturning = false;

  /** @param makeCore Creates the initial state of the restored context. */
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
      core.raise(GL.INVALID_OPERATION, 'loseContext', 'the context is already lost');
      return;
    }
    this.#silence();
    core.raise(GL.CONTEXT_LOST_WEBGL, 'loseContext', 'the program lost the context on purpose');
    // Without a canvas no listener can request the restoration, so it is always allowed.
    this.#isRestorable = !(this.#context.canvas instanceof EventTarget);
    setTimeout(() => {
      if (this.#fire('webglcontextlost')) this.#isRestorable = true;
    }, 0);
  }

  /** Loses the context for good, without an error or an event. */
  destroy(): void {
    if (!this.#isLost) this.#silence();
    this.#isRestorable = false;
  }

  /** Makes all calls of the context and of its extensions do nothing. */
  #silence(): void {
    this.#isLost = true;
    const core = this.#context[CORE];
    core.errors.take();
    for (const object of [this.#context, ...core.extensions.listObjects(LOSS_EXTENSION)]) {
      Object.setPrototypeOf(object, makeLostPrototype(Object.getPrototypeOf(object)));
    }
  }

  restore(): void {
    if (this.#isReturning) return;
    if (!this.#isLost || !this.#isRestorable) {
      const message = this.#isLost
        ? 'no listener called preventDefault on the webglcontextlost event'
        : 'the context is not lost';
      this.#context[CORE].raise(GL.INVALID_OPERATION, 'restoreContext', message);
      return;
    }
    this.#isReturning = true;
    setTimeout(() => {
      const lostCore = this.#context[CORE];
      const core = this.#makeCore(lostCore.gl.targets.widthPx, lostCore.gl.targets.heightPx);
      core.loss = this;
      const lossObject = lostCore.extensions.find(LOSS_EXTENSION);
      if (lossObject !== undefined) core.extensions.add(LOSS_EXTENSION, lossObject, {});
      Object.defineProperty(this.#context, CORE, { value: core });
      const lost: object = Object.getPrototypeOf(this.#context);
      Object.setPrototypeOf(this.#context, Object.getPrototypeOf(lost));
      this.#isLost = false;
      this.#isRestorable = false;
      this.#isReturning = false;
      this.#fire('webglcontextrestored');
    }, 0);
  }

  /** Fires an event at the canvas and returns whether a listener canceled it. */
  #fire(type: LossEvent): boolean {
    const { canvas } = this.#context;
    if (!(canvas instanceof EventTarget)) return false;
    const event = new Event(type, { cancelable: true });
    Object.defineProperty(event, 'statusMessage', { value: '' });
    canvas.dispatchEvent(event);
    return event.defaultPrevented;
  }
}
