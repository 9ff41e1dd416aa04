/**
 * Pages in frames of a test page. Each has global names of its own, and the same contexts and files
 * as the page around it.
 */
import { createContext, runInContext } from 'node:vm';
import {
  createWindow,
  fireEvent,
  type IframeElement,
  PageWorkers,
  type ScriptElement,
  type WindowOptions,
} from '@tessera/webgl/dom';
import { appendTag, parsePage } from './parse-page.ts';

/** Page that has the frame. */
export interface FrameHost {
  /** Global object of the page. */
  readonly window: object;
  readonly options: WindowOptions;
  /** Names that the pages have in addition to their document, such as `WebGLProgram`. */
  readonly names: object;
  readonly read: (address: string) => Uint8Array;
}

/** Names of the platform, before a page adds its own. */
const PLATFORM = Object.getOwnPropertyDescriptors(globalThis);
const WORKERS = new WeakMap<IframeElement, PageWorkers>();

/** Opens the page at the source of a frame, in place of the one before. */
export function openFramePage(frame: IframeElement, host: FrameHost): void {
  const address = new URL(frame.src, host.options.address).href;
  WORKERS.get(frame)?.terminate();
  const workers = new PageWorkers();
  WORKERS.set(frame, workers);
  const runText = (text: string, file: string) => runInContext(text, scope, { filename: file });
  const readText = (from: string) => new TextDecoder().decode(host.read(from));
  const runScript = ({ src, text, type }: ScriptElement): void => {
    if (type !== '' && type !== 'text/javascript') return;
    if (src === '') runText(text, address);
    else runText(readText(new URL(src, address).href), src);
  };
  const page = createWindow({
    ...host.options,
    ...{ address, workers, runScript },
    // Both describe the page around the frame.
    ...{ pending: undefined, showCanvases: undefined },
  });
  const names = { ...page, ...host.names, parent: host.window, top: host.window };
  const scope = createContext({});
  const language = new Set(runInContext('Object.getOwnPropertyNames(globalThis)', scope));
  for (const [name, descriptor] of Object.entries(PLATFORM)) {
    if (!language.has(name)) Object.defineProperty(scope, name, descriptor);
  }
  for (const [name, value] of Object.entries({ ...names, window: scope, self: scope })) {
    Object.defineProperty(scope, name, { value, configurable: true, writable: true });
  }
  frame.contentWindow = scope as unknown as typeof page;
  setImmediate(() => {
    if (frame.contentWindow !== (scope as unknown)) return; // Replaced in the meantime.
    for (const tag of parsePage(readText(address))) appendTag(page.document, tag);
    fireEvent(frame, new Event('load'));
  });
}
