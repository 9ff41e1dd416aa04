/**
 * Query and sync objects (WebGL 2.0, sections 3.7.12 and 3.7.14). The result of a query or sync
 * becomes available only after the program returns to its event loop. A program that polls in a
 * loop therefore never sees it, as in browsers. `getQueryParameter` returns the result of an ended
 * query at once, and renders its draws if no frame has.
 */

import { checkObject, isAlive, isDeletable } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { WebGLQuery, WebGLSync } from '../../objects/webgl-object.ts';

/** Targets of which only one can be active at a time. */
const SAMPLE_TARGETS: readonly number[] = [
  GL.ANY_SAMPLES_PASSED,
  GL.ANY_SAMPLES_PASSED_CONSERVATIVE,
];

/** WebGL calls for query and sync objects. */
export const queryCalls = {
  createQuery(this: ContextObject): WebGLQuery {
    const core = this[CORE];
    return new WebGLQuery(core, core.gl.queries.generate(1)[0]!);
  },
  deleteQuery(this: ContextObject, query: WebGLQuery | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteQuery', query, WebGLQuery)) return;
    query.isDeleted = true;
    for (const [target, active] of core.activeQueries) {
      if (active === query) core.activeQueries.delete(target);
    }
    core.gl.queries.remove([query.glName]);
  },
  isQuery(this: ContextObject, query: WebGLQuery | null): boolean {
    return isAlive(this[CORE], 'isQuery', query, WebGLQuery) && query.begunTarget !== 0;
  },
  beginQuery(this: ContextObject, target: number, query: WebGLQuery): void {
    const core = this[CORE];
    if (!checkObject(core, 'beginQuery', query, WebGLQuery)) return;
    const before = core.errorCount;
    core.gl.queries.begin(target, query.glName);
    if (core.errorCount !== before) return;
    query.begunTarget = target;
    query.isActive = true;
    query.isAvailable = false;
    query.beginCount++;
    core.activeQueries.set(target, query);
  },
  endQuery(this: ContextObject, target: number): void {
    const core = this[CORE];
    const before = core.errorCount;
    core.gl.queries.end(target);
    if (core.errorCount !== before) return;
    const query = core.activeQueries.get(target);
    core.activeQueries.delete(target);
    if (query === undefined) return;
    query.isActive = false;
    const { beginCount } = query;
    setImmediate(() => {
      if (query.beginCount === beginCount) query.isAvailable = true;
    });
  },
  getQuery(this: ContextObject, target: number, parameter: number): WebGLQuery | null {
    const core = this[CORE];
    const isTarget =
      SAMPLE_TARGETS.includes(target) || target === GL.TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN;
    if (isTarget && parameter === GL.CURRENT_QUERY) return core.activeQueries.get(target) ?? null;
    core.raise(
      GL.INVALID_ENUM,
      'getQuery',
      `target ${enumName(target)} with parameter ${enumName(parameter)} is not accepted`,
    );
    return null;
  },
  getQueryParameter(this: ContextObject, query: WebGLQuery, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getQueryParameter';
    if (!checkObject(core, caller, query, WebGLQuery)) return null;
    if (query.begunTarget === 0 || query.isActive) {
      core.raise(GL.INVALID_OPERATION, caller, 'the query is active or was never started');
      return null;
    }
    if (parameter === GL.QUERY_RESULT_AVAILABLE) return query.isAvailable;
    if (parameter === GL.QUERY_RESULT) {
      const result = core.gl.queries.result(query.glName) ?? 0;
      return SAMPLE_TARGETS.includes(query.begunTarget) ? Number(result > 0) : result;
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },

  fenceSync(this: ContextObject, condition: number, flags: number): WebGLSync | null {
    const core = this[CORE];
    if (condition !== GL.SYNC_GPU_COMMANDS_COMPLETE) {
      core.rejectEnum('fenceSync', 'condition', condition);
      return null;
    }
    if (flags !== 0) {
      core.raise(GL.INVALID_VALUE, 'fenceSync', `flags ${flags} must be 0`);
      return null;
    }
    const sync = new WebGLSync(core, 0);
    setImmediate(() => {
      sync.isSignaled = true;
    });
    return sync;
  },
  isSync(this: ContextObject, sync: WebGLSync | null): boolean {
    return isAlive(this[CORE], 'isSync', sync, WebGLSync);
  },
  deleteSync(this: ContextObject, sync: WebGLSync | null): void {
    if (isDeletable(this[CORE], 'deleteSync', sync, WebGLSync)) sync.isDeleted = true;
  },
  clientWaitSync(this: ContextObject, sync: WebGLSync, flags: number, timeout: number): number {
    const core = this[CORE];
    const caller = 'clientWaitSync';
    if (!checkObject(core, caller, sync, WebGLSync)) return GL.WAIT_FAILED;
    if ((flags & ~GL.SYNC_FLUSH_COMMANDS_BIT) !== 0) {
      core.raise(
        GL.INVALID_VALUE,
        caller,
        `flags ${flags} have bits other than SYNC_FLUSH_COMMANDS_BIT`,
      );
      return GL.WAIT_FAILED;
    }
    if (timeout > 0) {
      core.raise(
        GL.INVALID_OPERATION,
        caller,
        `timeout ${timeout} exceeds MAX_CLIENT_WAIT_TIMEOUT_WEBGL (0)`,
      );
      return GL.WAIT_FAILED;
    }
    return sync.isSignaled ? GL.ALREADY_SIGNALED : GL.TIMEOUT_EXPIRED;
  },
  waitSync(this: ContextObject, sync: WebGLSync, flags: number, timeout: number): void {
    const core = this[CORE];
    if (!checkObject(core, 'waitSync', sync, WebGLSync)) return;
    if (flags !== 0 || timeout !== GL.TIMEOUT_IGNORED) {
      core.raise(
        GL.INVALID_VALUE,
        'waitSync',
        `flags must be 0 and timeout TIMEOUT_IGNORED, not ${flags} and ${timeout}`,
      );
    }
  },
  getSyncParameter(this: ContextObject, sync: WebGLSync, parameter: number): number | null {
    const core = this[CORE];
    if (!checkObject(core, 'getSyncParameter', sync, WebGLSync)) return null;
    switch (parameter) {
      case GL.OBJECT_TYPE:
        return GL.SYNC_FENCE;
      case GL.SYNC_STATUS:
        return sync.isSignaled ? GL.SIGNALED : GL.UNSIGNALED;
      case GL.SYNC_CONDITION:
        return GL.SYNC_GPU_COMMANDS_COMPLETE;
      case GL.SYNC_FLAGS:
        return 0;
      default:
        core.rejectEnum('getSyncParameter', 'parameter', parameter);
        return null;
    }
  },
};
