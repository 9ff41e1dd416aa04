/** Actions of clients of a gateway, by operation of its OpenAPI document. */
import { sha256Of } from '../clients/bodies.ts';
import { watchService, watchSubject } from '../clients/event-routes.ts';
import { deleteFrame, getFrame, postFrame } from '../clients/frame-routes.ts';
import { type HistoryClient, seenOf } from '../clients/history-client.ts';
import { readResult } from '../clients/result-routes.ts';
import { plain, ROUTE_ACTIONS, type RouteAction } from '../clients/routes.ts';
import { deleteStudy, listStudies, postStudy, readStudyResult } from '../clients/study-routes.ts';

const BYTES = { 'Content-Type': 'application/octet-stream' };

async function listFrames(client: HistoryClient): Promise<void> {
  const call = { operation: 'listFrames', isWholeList: true };
  await client.ask(call, { method: 'GET', path: '/v1/frames' }, ({ body }) => {
    const { frames } = JSON.parse(body.toString()) as { frames: unknown[] };
    return { seen: frames.map((frame) => seenOf('frame', frame)) };
  });
}

/** Contents of blobs, which all clients share. */
const contentOf = (client: HistoryClient) =>
  Buffer.from(`blob ${client.services.run} ${client.random.integer(0, 30)}`);

function ofBlob(operation: string, method: string, weight: number): RouteAction {
  return {
    weight,
    run: async (client) => {
      const content = contentOf(client);
      const subject = sha256Of(content);
      const hasBody = method === 'PUT' || method === 'PATCH';
      const headers: Record<string, string> = { ...BYTES };
      if (method === 'PATCH') {
        headers['Upload-Offset'] = '0';
        headers['Upload-Length'] = String(content.length);
      }
      const request = {
        method,
        path: `/v1/blobs/${subject}`,
        ...(hasBody ? { body: content, headers } : {}),
      };
      await client.ask({ operation, subject, place: 'content' }, request, ({ status, body }) =>
        method === 'GET' && status === 200 ? { digest: sha256Of(body) } : {},
      );
    },
  };
}

const ofStudy = (operation: Parameters<typeof readStudyResult>[1], weight: number) => ({
  weight,
  run: (client: HistoryClient) => readStudyResult(client, operation),
});

async function listUnits(client: HistoryClient): Promise<void> {
  const study = client.services.subjects.pick(client.random, 'study');
  if (study === null) return;
  const path = `/v1/studies/${study.id}/units`;
  await client.ask({ operation: 'listStudyUnits', subject: study.id }, { method: 'GET', path });
}

/** Actions of a gateway. A run fails if its OpenAPI document has another operation. */
export const CLUSTER_ACTIONS: Readonly<Record<string, RouteAction>> = {
  postFrame: { weight: 120, run: postFrame },
  listFrames: { weight: 20, run: listFrames },
  getFrame: { weight: 200, run: getFrame },
  deleteFrame: { weight: 40, run: deleteFrame },
  getFrameImage: { weight: 90, run: (client) => readResult(client, 'getFrameImage', true) },
  getFrameReport: { weight: 80, run: (client) => readResult(client, 'getFrameReport', true) },
  getFrameTimeline: { weight: 20, run: (client) => readResult(client, 'getFrameTimeline', true) },
  getFrameMeasurement: {
    weight: 20,
    run: (client) => readResult(client, 'getFrameMeasurement', true),
  },
  watchFrame: { weight: 15, run: (client) => watchSubject(client, 'frame') },
  watchStudy: { weight: 5, run: (client) => watchSubject(client, 'study') },
  watchCluster: { weight: 5, run: (client) => watchService(client, 'watchCluster') },
  postStudy: { weight: 4, run: postStudy },
  listStudies: { weight: 10, run: listStudies },
  getStudy: ofStudy('getStudy', 15),
  listStudyRows: ofStudy('listStudyRows', 8),
  getStudySeries: ofStudy('getStudySeries', 8),
  getStudyCsv: ofStudy('getStudyCsv', 8),
  getStudyParquet: ofStudy('getStudyParquet', 3),
  getStudyPlot: ofStudy('getStudyPlot', 8),
  listStudyUnits: { weight: 8, run: listUnits },
  deleteStudy: { weight: 3, run: deleteStudy },
  headBlob: ofBlob('headBlob', 'HEAD', 10),
  getBlob: ofBlob('getBlob', 'GET', 10),
  putBlob: ofBlob('putBlob', 'PUT', 10),
  patchBlob: ofBlob('patchBlob', 'PATCH', 5),
  listCells: plain('listCells', '/v1/cells', 10),
  listViolations: plain('listViolations', '/v1/violations', 5),
  listCounters: ROUTE_ACTIONS.listCounters,
  listSpecs: plain('listSpecs', '/v1/specs', 3),
  listSpecParameters: ROUTE_ACTIONS.listSpecParameters,
  getSpec: plain('getSpec', '/v1/specs/default', 3),
  isLive: ROUTE_ACTIONS.isLive,
  isReady: ROUTE_ACTIONS.isReady,
  getMetrics: ROUTE_ACTIONS.getMetrics,
  getSession: ROUTE_ACTIONS.getSession,
  signIn: ROUTE_ACTIONS.signIn,
  signOut: ROUTE_ACTIONS.signOut,
};
