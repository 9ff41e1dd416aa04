/**
 * Replays conditional rendering (OpenGL 3.0, section 2.14; NV_conditional_render). A replay does
 * not count fragments, so only the result of a query around no draws is known: it is 0.
 */
import { numberOf, refuseCall } from './call-arguments.ts';
import type { CallReplay } from './recorded-names.ts';

/** Functions that render. The others take effect in a skipped part, too. */
const RENDERS =
  /^gl(?:Begin$|End$|Vertex(?:[234]|P[234])|Rect|ArrayElement|Draw(?!Buffer)|MultiDraw|Clear(?:$|Buffer)|Bitmap|CopyPixels|BlitFramebuffer)/;

/** Queries of a recorded context that surround draws, and the part that depends on one. */
export class ConditionalRendering {
  readonly #emptyQueries = new Set<number>();
  readonly #openQueries = new Map<number, number>();
  /** Whether rendering is skipped. */
  isSkipping = false;

  beginQuery(target: number, query: number): void {
    this.#openQueries.set(target, query);
    this.#emptyQueries.add(query);
  }

  endQuery(target: number): void {
    this.#openQueries.delete(target);
  }

  noteDraw(): void {
    for (const query of this.#openQueries.values()) this.#emptyQueries.delete(query);
  }

  /** Returns whether the result of a query is known to be 0. */
  isEmpty(query: number): boolean {
    return this.#emptyQueries.has(query);
  }
}

const begin: CallReplay = ({ conditional }, call) => {
  const query = numberOf(call, 'id');
  if (!conditional.isEmpty(query)) refuseCall(call, `the result of query ${query} is not known`);
  conditional.isSkipping = true;
};

const end: CallReplay = ({ conditional }) => {
  conditional.isSkipping = false;
};

/** Replay functions of queries and conditional rendering, by function name. */
export const CONDITIONAL_CALLS: Readonly<Record<string, CallReplay>> = {
  glBeginQuery: ({ conditional }, call) =>
    conditional.beginQuery(numberOf(call, 'target'), numberOf(call, 'id')),
  glEndQuery: ({ conditional }, call) => conditional.endQuery(numberOf(call, 'target')),
  glBeginConditionalRender: begin,
  glBeginConditionalRenderNV: begin,
  glEndConditionalRender: end,
  glEndConditionalRenderNV: end,
};
/** Returns the replay of a function, which is skipped where rendering is. */
export function makeConditional(functionName: string, replay: CallReplay): CallReplay {
  if (!RENDERS.test(functionName)) return replay;
  return (context, call) => {
    if (context.conditional.isSkipping) return;
    context.conditional.noteDraw();
    replay(context, call);
  };
}
