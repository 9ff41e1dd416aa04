/** Global names of a dedicated worker (HTML, section 10.2.1.2) in a thread of Node. */
import nodeProcess from 'node:process';
import { setImmediate } from 'node:timers';
import { type OffscreenCanvasClass, offscreenCanvasOf } from '../canvas/offscreen-canvas.ts';
import { createImageBitmap } from '../images/image-bitmap.ts';
import {
  clonePageValue,
  encodeMessage,
  type MessageScope,
  readTransfer,
} from '../messages/message-codec.ts';
import { defineNames, makeNavigator } from '../scope/define-names.ts';
import { makePageFetch } from '../scope/page-fetch.ts';
import { SCOPE_CLASSES } from '../scope/scope-classes.ts';
import type { ScopeServices } from '../scope/scope-services.ts';
import { xmlHttpRequestOf } from '../scope/xml-http-request.ts';
import { workerClassOf } from '../workers/page-worker.ts';
import type { PageWorkers } from '../workers/page-workers.ts';
import type { WorkerStart } from '../workers/worker-protocol.ts';
import type { LazyContexts } from './lazy-contexts.ts';
import type { PortTarget, ThreadPort } from './thread-port.ts';

/** Names of Node by which libraries decide that they do not run in a worker of a page. */
const NAMES_OF_NODE = ['process', 'global'] as const;

/** Base class of the global scopes of workers. Libraries test whether `self` is an instance. */
class WorkerGlobalScope {}
Object.defineProperty(WorkerGlobalScope, Symbol.hasInstance, {
  value: (object: unknown) => object === globalThis,
});
class DedicatedWorkerGlobalScope extends WorkerGlobalScope {}

/** Parts of a worker whose functions are global names. */
export interface ThreadParts {
  readonly start: WorkerStart;
  readonly port: ThreadPort;
  readonly services: ScopeServices;
  readonly workers: PageWorkers;
  readonly contexts: LazyContexts;
  readonly frames: {
    request(callback: (timeMs: number) => void): number;
    cancel(id: number): void;
  };
  readonly importScripts: (...addresses: readonly unknown[]) => void;
  readonly reportError: (error: unknown) => void;
}

/** Global scope of this thread as the target of events, and what messages need of it. */
export interface ThreadScope {
  readonly events: EventTarget;
  readonly OffscreenCanvas: OffscreenCanvasClass;
}

/** Defines the names of a worker on `globalThis`, and removes those of Node. */
export function openThreadScope(parts: ThreadParts): ThreadScope {
  const { start, port, services, contexts, frames } = parts;
  const events = new EventTarget();
  const OwnCanvas = offscreenCanvasOf(contexts.create);
  const scope: MessageScope = {
    OffscreenCanvas: OwnCanvas,
    targetOf: (number) => port.targetOf(number),
  };
  const pageFetch = makePageFetch(services);
  const parent = { ...parts, OffscreenCanvas: OwnCanvas };
  for (const name of NAMES_OF_NODE) Reflect.deleteProperty(globalThis, name);
  defineNames(globalThis, {
    ...SCOPE_CLASSES,
    ...pageFetch,
    ...{ self: globalThis, WorkerGlobalScope, DedicatedWorkerGlobalScope },
    ...{ OffscreenCanvas: OwnCanvas, Worker: workerClassOf(parent) },
    XMLHttpRequest: xmlHttpRequestOf(services, pageFetch),
    name: start.name,
    location: services.address,
    origin: services.address.origin,
    navigator: makeNavigator(),
    isSecureContext: true,
    crossOriginIsolated: false,
    onmessage: null,
    onmessageerror: null,
    onerror: null,
    addEventListener: events.addEventListener.bind(events),
    removeEventListener: events.removeEventListener.bind(events),
    dispatchEvent: events.dispatchEvent.bind(events),
    postMessage: (message: unknown, transfer?: unknown) => postMessage(port, message, transfer),
    close: () => {
      port.post({ kind: 'closed' });
      setImmediate(() => nodeProcess.exit());
    },
    importScripts: parts.importScripts,
    requestAnimationFrame: (callback: (timeMs: number) => void) => frames.request(callback),
    cancelAnimationFrame: (id: number) => frames.cancel(id),
    createImageBitmap: (...args: Parameters<typeof createImageBitmap>) =>
      services.pending.track('createImageBitmap', createImageBitmap(...args)),
    structuredClone: (value: unknown, options?: unknown) => clonePageValue(value, options, scope),
    reportError: parts.reportError,
  });
  contexts.defineClasses(globalThis);
  return { events, OffscreenCanvas: OwnCanvas };
}

function postMessage(port: ThreadPort, message: unknown, transfer: unknown): void {
  const { encoded, moved } = encodeMessage(message, readTransfer(transfer), {
    numberOf: (target) => (target as PortTarget).number, // A worker has no targets of its own.
  });
  port.post({ kind: 'message', message: encoded }, moved);
}
