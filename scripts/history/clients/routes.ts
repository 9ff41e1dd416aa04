/**
 * Actions of clients, by operation of the OpenAPI document. A test compares the table with the
 * document, so a new route needs a row here.
 */
import type { OperationName } from '@tessera/client';
import { watchService, watchSubject } from './event-routes.ts';
import {
  deleteFrame,
  getFrame,
  labelFrame,
  listFrames,
  postFrame,
  readStatus,
  renderAgain,
} from './frame-routes.ts';
import type { HistoryClient } from './history-client.ts';
import { readResult } from './result-routes.ts';
import {
  deleteSequence,
  labelSequence,
  listSequences,
  postSequence,
  readSequenceResult,
} from './sequence-routes.ts';
import { deleteSpec, getSpec, listSpecs, putResource, putSpec } from './stored-routes.ts';
import { deleteStudy, listStudies, postStudy, readStudyResult } from './study-routes.ts';

/** Action of a client. */
export interface RouteAction {
  /** Relative frequency. */
  readonly weight: number;
  readonly run: (client: HistoryClient) => Promise<void>;
}

const results = (operation: string, weight: number): RouteAction => ({
  weight,
  run: (client) => readResult(client, operation),
});
const ofSequence = (operation: string, place: string, weight: number): RouteAction => ({
  weight,
  run: (client) => readSequenceResult(client, operation, place),
});
const ofStudy = (operation: Parameters<typeof readStudyResult>[1], weight: number) => ({
  weight,
  run: (client: HistoryClient) => readStudyResult(client, operation),
});

/** Returns an action that sends a request about the service itself. */
export function plain(operation: string, path: string, weight: number): RouteAction {
  return {
    weight,
    run: async (client) => {
      await client.ask({ operation }, { method: 'GET', path });
    },
  };
}

/** Actions of all routes. */
export const ROUTE_ACTIONS: Readonly<Record<OperationName, RouteAction>> = {
  postFrame: { weight: 120, run: postFrame },
  renderFrameAgain: { weight: 15, run: renderAgain },
  listFrames: { weight: 40, run: listFrames },
  getFrame: { weight: 200, run: getFrame },
  deleteFrame: { weight: 130, run: deleteFrame },
  labelFrame: { weight: 40, run: labelFrame },
  getFrameImage: results('getFrameImage', 110),
  getFrameReport: results('getFrameReport', 80),
  getFrameTimeline: results('getFrameTimeline', 20),
  getFrameMeasurement: results('getFrameMeasurement', 30),
  getFrameHeatMap: results('getFrameHeatMap', 3),
  getPixelHistory: results('getPixelHistory', 3),
  listFrameDraws: results('listFrameDraws', 3),
  listFrameShaders: results('listFrameShaders', 2),
  getShaderProfile: results('getShaderProfile', 2),
  watchFrame: { weight: 15, run: (client) => watchSubject(client, 'frame') },
  watchStudy: { weight: 5, run: (client) => watchSubject(client, 'study') },
  watchService: { weight: 10, run: watchService },
  postSequence: { weight: 6, run: postSequence },
  listSequences: { weight: 10, run: listSequences },
  getSequence: {
    weight: 20,
    run: async (client) => {
      const sequence = client.services.subjects.pick(client.random, 'sequence');
      if (sequence !== null) await readStatus(client, sequence);
    },
  },
  labelSequence: { weight: 5, run: labelSequence },
  deleteSequence: { weight: 5, run: deleteSequence },
  getSequenceReport: ofSequence('getSequenceReport', 'report', 10),
  getSequenceTimeline: ofSequence('getSequenceTimeline', 'timeline', 4),
  getSequenceImages: ofSequence('getSequenceImages', 'images', 6),
  postStudy: { weight: 4, run: postStudy },
  listStudies: { weight: 10, run: listStudies },
  getStudy: ofStudy('getStudy', 15),
  listStudyRows: ofStudy('listStudyRows', 8),
  getStudySeries: ofStudy('getStudySeries', 8),
  getStudyCsv: ofStudy('getStudyCsv', 8),
  getStudyParquet: ofStudy('getStudyParquet', 3),
  getStudyPlot: ofStudy('getStudyPlot', 8),
  deleteStudy: { weight: 4, run: deleteStudy },
  putResource: { weight: 30, run: putResource },
  putSpec: { weight: 15, run: putSpec },
  getSpec: { weight: 30, run: getSpec },
  deleteSpec: { weight: 10, run: deleteSpec },
  listSpecs: { weight: 10, run: listSpecs },
  listSpecParameters: plain('listSpecParameters', '/v1/specs/parameters', 3),
  listCounters: plain('listCounters', '/v1/counters', 5),
  listChiplets: plain('listChiplets', '/v1/chiplets', 10),
  isLive: plain('isLive', '/livez', 15),
  isReady: plain('isReady', '/readyz', 15),
  getMetrics: plain('getMetrics', '/metrics', 5),
  getSession: plain('getSession', '/v1/session', 3),
  getQuota: plain('getQuota', '/v1/quota', 3),
  signIn: {
    weight: 3,
    run: async (client) => {
      const headers = { 'Content-Type': 'application/json' };
      const body = JSON.stringify({ token: 'none' });
      const request = { method: 'POST', path: '/v1/session', headers, body };
      await client.ask({ operation: 'signIn' }, request);
    },
  },
  signOut: {
    weight: 3,
    run: async (client) => {
      await client.ask({ operation: 'signOut' }, { method: 'DELETE', path: '/v1/session' });
    },
  },
};

/** Runs a random action, as often as its weight says. */
export async function runAction(
  client: HistoryClient,
  actions: readonly RouteAction[],
): Promise<void> {
  const sum = actions.reduce((total, { weight }) => total + weight, 0);
  let left = client.random.next() * sum;
  for (const action of actions) {
    left -= action.weight;
    if (left < 0) return action.run(client);
  }
}
