/**
 * Query objects (WebGL 2.0, section 3.7.12). The result of a query becomes available only after the
 * program returns to its event loop. A program that polls in a loop therefore never sees it, as in
 * browsers. `getQueryParameter` returns the result of an ended query at once, and renders its draws
 * if no frame has.
 */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLQuery } from '../../objects/webgl-object.ts';

/** Targets of which only one can be active at a time. */
const SAMPLE_TARGETS: readonly number[] = [
  GL.ANY_SAMPLES_PASSED,
  GL.ANY_SAMPLES_PASSED_CONSERVATIVE,
];
/** Bits of a time in nanoseconds: those of an exact number. */
const TIME_BITS = 53;

/** Returns whether the program has enabled a version of EXT_disjoint_timer_query. */
export function hasTimers({ extensions }: ContextCore): boolean {
  return (
    extensions.isEnabled('EXT_disjoint_timer_query') ||
    extensions.isEnabled('EXT_disjoint_timer_query_webgl2')
  );
}

/** Returns whether queries of the target can be begun. */
function isTarget(core: ContextCore, target: number): boolean {
  if (target === GL.TIME_ELAPSED_EXT) return hasTimers(core);
  const isOfWebGL2 =
    SAMPLE_TARGETS.includes(target) || target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN;
  return isOfWebGL2 && core.rules.version === 2;
}

/** Makes the result of a query available after the program returns to its event loop. */
function announce(query: WebGLQuery): void {
  const { beginCount } = query;
  setImmediate(() => {
    if (query.beginCount === beginCount) query.isAvailable = true;
  });
}

/** `deleteQuery`, which ends an active query. */
export function deleteQuery(core: ContextCore, caller: string, query: WebGLQuery | null): void {
  if (!isDeletable(core, caller, query, WebGLQuery)) return;
  query.isDeleted = true;
  for (const [target, active] of core.activeQueries) {
    if (active === query) core.activeQueries.delete(target);
  }
  core.gl.queries.remove([query.glName]);
}

/** `isQuery`. */
export function isQuery(core: ContextCore, caller: string, query: WebGLQuery | null): boolean {
  return isAlive(core, caller, query, WebGLQuery) && query.begunTarget !== 0;
}

/** `beginQuery`. */
export function beginQuery(
  core: ContextCore,
  caller: string,
  target: number,
  query: WebGLQuery,
): void {
  if (!checkObject(core, caller, query, WebGLQuery)) return;
  if (!isTarget(core, target)) {
    core.rejectEnum(caller, 'target', target);
    return;
  }
  if (query.begunTarget !== 0 && query.begunTarget !== target) {
    const message = `the query was first begun for ${enumName(query.begunTarget)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return;
  }
  const before = core.errorCount;
  core.gl.queries.begin(target, query.glName);
  if (core.errorCount !== before) return;
  query.begunTarget = target;
  query.isActive = true;
  query.isAvailable = false;
  query.beginCount++;
  core.activeQueries.set(target, query);
}

/** `endQuery`. */
export function endQuery(core: ContextCore, caller: string, target: number): void {
  if (!isTarget(core, target)) {
    core.rejectEnum(caller, 'target', target);
    return;
  }
  const before = core.errorCount;
  core.gl.queries.end(target);
  if (core.errorCount !== before) return;
  const query = core.activeQueries.get(target);
  core.activeQueries.delete(target);
  if (query === undefined) return;
  query.isActive = false;
  announce(query);
}

/**
 * `queryCounterEXT`. Simulated time has no zero that all frames share, so a timestamp has 0 bits
 * and is 0 (EXT_disjoint_timer_query, section 4.2).
 */
export function queryCounter(
  core: ContextCore,
  caller: string,
  query: WebGLQuery,
  target: number,
): void {
  if (!checkObject(core, caller, query, WebGLQuery)) return;
  if (target !== GL.TIMESTAMP_EXT) core.rejectEnum(caller, 'target', target);
  else if (query.begunTarget !== 0 && query.begunTarget !== target) {
    const message = `the query was first begun for ${enumName(query.begunTarget)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
  } else {
    query.begunTarget = target;
    query.isAvailable = false;
    query.beginCount++;
    announce(query);
  }
}

/** `getQuery`. */
export function getQuery(
  core: ContextCore,
  caller: string,
  target: number,
  parameter: number,
): WebGLQuery | number | null {
  const isTimestamp = target === GL.TIMESTAMP_EXT && hasTimers(core);
  if (parameter === GL.CURRENT_QUERY && (isTimestamp || isTarget(core, target))) {
    return core.activeQueries.get(target) ?? null;
  }
  if (parameter === GL.QUERY_COUNTER_BITS_EXT && hasTimers(core)) {
    if (isTimestamp) return 0;
    if (target === GL.TIME_ELAPSED_EXT) return TIME_BITS;
  }
  core.raise(
    GL.INVALID_ENUM,
    caller,
    `target ${enumName(target)} with parameter ${enumName(parameter)} is not accepted`,
  );
  return null;
}

/** `getQueryParameter`. */
export function getQueryParameter(
  core: ContextCore,
  caller: string,
  query: WebGLQuery,
  parameter: number,
): unknown {
  if (!checkObject(core, caller, query, WebGLQuery)) return null;
  if (query.begunTarget === 0 || query.isActive) {
    core.raise(GL.INVALID_OPERATION, caller, 'the query is active or was never started');
    return null;
  }
  const { queries } = core.gl;
  if (parameter === GL.QUERY_RESULT_AVAILABLE) {
    return query.isAvailable && queries.isKnown(query.glName);
  }
  if (parameter === GL.QUERY_RESULT) {
    if (query.begunTarget === GL.TIMESTAMP_EXT) return 0;
    const result = queries.result(query.glName) ?? 0;
    return SAMPLE_TARGETS.includes(query.begunTarget) ? Number(result > 0) : result;
  }
  core.rejectEnum(caller, 'parameter', parameter);
  return null;
}

/** WebGL calls for query objects. */
export const queryCalls = {
  createQuery(this: ContextObject): WebGLQuery {
    const core = this[CORE];
    return new WebGLQuery(core, core.gl.queries.generate(1)[0]!);
  },
  deleteQuery(this: ContextObject, query: WebGLQuery | null): void {
    deleteQuery(this[CORE], 'deleteQuery', query);
  },
  isQuery(this: ContextObject, query: WebGLQuery | null): boolean {
    return isQuery(this[CORE], 'isQuery', query);
  },
  beginQuery(this: ContextObject, target: number, query: WebGLQuery): void {
    beginQuery(this[CORE], 'beginQuery', target, query);
  },
  endQuery(this: ContextObject, target: number): void {
    endQuery(this[CORE], 'endQuery', target);
  },
  getQuery(this: ContextObject, target: number, parameter: number): WebGLQuery | number | null {
    return getQuery(this[CORE], 'getQuery', target, parameter);
  },
  getQueryParameter(this: ContextObject, query: WebGLQuery, parameter: number): unknown {
    return getQueryParameter(this[CORE], 'getQueryParameter', query, parameter);
  },
};
