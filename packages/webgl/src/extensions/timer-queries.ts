/**
 * Timer queries (EXT_disjoint_timer_query and its form for WebGL 2). A time is that of the
 * simulated cycles in which the passes between two calls were completed, by the clock of the
 * chiplets.
 */
import {
  beginQuery,
  deleteQuery,
  endQuery,
  getQuery,
  getQueryParameter,
  isQuery,
  queryCounter,
} from '../calls/draws/query-calls.ts';
import { CORE, type ContextObject } from '../context/call-table.ts';
import { type WebGLQuery, WebGLTimerQueryEXT } from '../objects/webgl-object.ts';
import { type ExtensionGroup, FIRST, SECOND } from './extension-entry.ts';

const counterCalls = {
  queryCounterEXT(this: ContextObject, query: WebGLQuery, target: number): void {
    queryCounter(this[CORE], 'queryCounterEXT', query, target);
  },
};

const timerCalls = {
  ...counterCalls,
  createQueryEXT(this: ContextObject): WebGLTimerQueryEXT {
    const core = this[CORE];
    return new WebGLTimerQueryEXT(core, core.gl.queries.generate(1)[0]!);
  },
  deleteQueryEXT(this: ContextObject, query: WebGLQuery | null): void {
    deleteQuery(this[CORE], 'deleteQueryEXT', query);
  },
  isQueryEXT(this: ContextObject, query: WebGLQuery | null): boolean {
    return isQuery(this[CORE], 'isQueryEXT', query);
  },
  beginQueryEXT(this: ContextObject, target: number, query: WebGLQuery): void {
    beginQuery(this[CORE], 'beginQueryEXT', target, query);
  },
  endQueryEXT(this: ContextObject, target: number): void {
    endQuery(this[CORE], 'endQueryEXT', target);
  },
  getQueryEXT(this: ContextObject, target: number, parameter: number): unknown {
    return getQuery(this[CORE], 'getQueryEXT', target, parameter);
  },
  getQueryObjectEXT(this: ContextObject, query: WebGLQuery, parameter: number): unknown {
    return getQueryParameter(this[CORE], 'getQueryObjectEXT', query, parameter);
  },
};

/** Extensions of queries, which contexts without simulated time do not have. */
export const queryExtensions: ExtensionGroup = {
  EXT_disjoint_timer_query: { versions: FIRST, calls: timerCalls, needsTime: true },
  EXT_disjoint_timer_query_webgl2: { versions: SECOND, calls: counterCalls, needsTime: true },
};
