/**
 * Replays occlusion queries and conditional rendering (OpenGL 3.0, section 2.14;
 * NV_conditional_render; ARB_conditional_render_inverted). A query that decides about draws is
 * counted by rendering its draws during the replay.
 */
import type { QueryPart } from '../../recording/passes/query-part.ts';
import { numberOf, refuseCall } from './call-arguments.ts';
import type { CallReplay, RecordedContext } from './recorded-names.ts';

/** GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE. */
const OCCLUSION_TARGETS: readonly number[] = [0x8914, 0x8c2f, 0x8d6a];

/** First mode that draws if a query counted nothing: GL_QUERY_WAIT_INVERTED. */
const FIRST_INVERTED_MODE = 0x8e17;

/** Draws of the occlusion queries of a recorded context, by name of the query. */
export class OcclusionQueries {
  readonly #parts = new Map<number, readonly QueryPart[]>();

  begin({ gl }: RecordedContext, target: number, query: number): void {
    if (OCCLUSION_TARGETS.includes(target)) this.#parts.set(query, gl.recording.startCounting());
    else this.#parts.delete(query);
  }

  end({ gl }: RecordedContext, target: number): void {
    if (OCCLUSION_TARGETS.includes(target)) gl.recording.stopCounting();
  }

  /** Returns the draws of a query; `null` if it is no occlusion query. */
  partsOf(query: number): readonly QueryPart[] | null {
    return this.#parts.get(query) ?? null;
  }
}

const begin: CallReplay = ({ gl, occlusion }, call) => {
  const query = numberOf(call, 'id');
  const parts = occlusion.partsOf(query);
  if (parts === null) return refuseCall(call, `query ${query} is no occlusion query`);
  const isAnyPassed = gl.recording.countFragments(parts) > 0;
  const isInverted = numberOf(call, 'mode') >= FIRST_INVERTED_MODE;
  gl.fixed.isDiscarding = isAnyPassed === isInverted;
};

const end: CallReplay = ({ gl }) => {
  gl.fixed.isDiscarding = false;
};

/** Replay functions of queries and conditional rendering, by function name. */
export const CONDITIONAL_CALLS: Readonly<Record<string, CallReplay>> = {
  glBeginQuery: (context, call) =>
    context.occlusion.begin(context, numberOf(call, 'target'), numberOf(call, 'id')),
  glEndQuery: (context, call) => context.occlusion.end(context, numberOf(call, 'target')),
  glBeginConditionalRender: begin,
  glBeginConditionalRenderNV: begin,
  glEndConditionalRender: end,
  glEndConditionalRenderNV: end,
};
