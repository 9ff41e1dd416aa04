/** Executes lists of calls on a context of Tessera in this process. */
import { createContext, type InternalFailure, type TesseraContext } from '@tessera/webgl';
import { ImageData } from '@tessera/webgl/dom';
import type { CallList, ObjectKind } from './calls/call-list.ts';
import { executeCalls, type Outcome } from './execute-calls.ts';
import { createForeignObjects } from './foreign-objects.ts';

/** Edge of the drawing buffer. */
export const CANVAS_EDGE_PX = 32;

/** Outcomes of a list of calls, with what only Tessera reports. */
export interface TesseraRun {
  readonly outcomes: readonly Outcome[];
  /** Bugs that Tessera reported while it executed the list, with the index of the call. */
  readonly failures: readonly (InternalFailure & { readonly callIndex: number })[];
  /** Exception of the end of the frame, or null. */
  readonly frameError: Error | null;
}

const foreign = new Map<1 | 2, Readonly<Partial<Record<ObjectKind, unknown>>>>();

function foreignObjects(version: 1 | 2): Readonly<Partial<Record<ObjectKind, unknown>>> {
  const found = foreign.get(version) ?? createForeignObjects(makeContext(version, {}));
  foreign.set(version, found);
  return found;
}

function makeContext(version: 1 | 2, options: object): TesseraContext {
  const all = { ...options, createWebGL2Context: version === 2 };
  return createContext(CANVAS_EDGE_PX, CANVAS_EDGE_PX, all);
}

/** Options of {@link runInTessera}. */
export interface TesseraSideOptions {
  /** Extensions that count as missing. */
  readonly skippedExtensions?: readonly string[];
  /** Whether the context has simulated time, which timer queries need. */
  readonly hasSimulatedTime?: boolean;
}

/** Executes a list in a new context and ends the frame, which renders the rest. */
export function runInTessera(
  { version, attributes, calls }: CallList,
  { skippedExtensions = [], hasSimulatedTime = false }: TesseraSideOptions = {},
): TesseraRun {
  const failures: (InternalFailure & { readonly callIndex: number })[] = [];
  const outcomes: Outcome[] = [];
  const onInternalFailure = (failure: InternalFailure) =>
    failures.push({ ...failure, callIndex: outcomes.length });
  const timing = hasSimulatedTime ? { gpu: { timing: 'cycle' } } : {};
  const gl = makeContext(version, { ...attributes, ...timing, onInternalFailure });
  const makeImage = (widthPx: number, heightPx: number) => new ImageData(widthPx, heightPx);
  const setup = { gl, foreign: foreignObjects(version), makeImage, skippedExtensions };
  executeCalls(setup, calls, outcomes);
  let frameError: Error | null = null;
  try {
    gl.frame();
  } catch (error) {
    frameError = error as Error;
  }
  return { outcomes, failures, frameError };
}

/** Returns the extensions that Tessera supports. */
export function extensionsOfTessera(version: 1 | 2): readonly string[] {
  return makeContext(version, {}).getSupportedExtensions() ?? [];
}
