/**
 * Events of a tenant's frames and studies and of the cluster, for the dashboard. Gateways have no
 * state, so the events are what differs between two looks at the engine.
 */
import type { EngineStats, WorkEngine } from '@tessera/engine';
import Type from 'typebox';
import type { App } from '../http/protocol/app.ts';
import { EVENT_STREAM_TYPE, problems } from '../http/protocol/response-schemas.ts';
import { EventStream } from '../http/protocol/server-sent-events.ts';
import { delay } from '../process/delay.ts';
import type { GatewayServices } from './gateway-services.ts';
import { statusOfFrame, statusOfStudy } from './statuses.ts';

/** Interval between two looks at the engine. */
const LOOK_MS = 1000;
/** Newest frames and studies that are looked at. */
const NEWEST = 20;
/** Looks that may fail one after the other before a stream ends, so that the client reconnects. */
const MAX_FAILURES = 10;

/** Event that is sent if its body has changed. */
interface Change {
  readonly name: 'frame' | 'study' | 'cluster';
  /** Id of the frame or study; empty for the cluster. */
  readonly subject: string;
  readonly body: object;
}

/** Adds the route. */
export function addClusterEvents(app: App, { withEngine, tenantOf }: GatewayServices): void {
  /** Latest look of each tenant, which all of its streams share. */
  const latest = new Map<string, { readonly atMs: number; readonly look: Promise<Look> }>();
  const lookFor = (tenant: string) => {
    const known = latest.get(tenant);
    if (known !== undefined && performance.now() - known.atMs < LOOK_MS) return known.look;
    const look = withEngine((engine) => lookAt(engine, tenant));
    latest.set(tenant, { atMs: performance.now(), look });
    return look;
  };

  app.get('/v1/events', {
    schema: {
      operationId: 'watchCluster',
      summary: "Follow the tenant's frames and studies and the cluster by server-sent events",
      description:
        'Sends `snapshot`, then `frame`, `study` and `cluster` with the status of what changed, at most once a second.',
      tags: ['service'],
      response: {
        200: {
          description: 'Server-sent events until the client disconnects',
          content: { [EVENT_STREAM_TYPE]: { schema: Type.String() } },
        },
        ...problems(503),
      },
    },
    handler: async (request, reply) => {
      const tenant = tenantOf(request).name;
      const look = () => lookFor(tenant);
      const first = await look();
      const closed = new AbortController();
      const stream = new EventStream(reply, () => closed.abort());
      follow(stream, first, look, closed.signal)
        .catch((error) => request.log.error({ err: error }, 'a stream of events failed'))
        .finally(() => stream.end());
      return reply;
    },
  });
}

async function follow(
  stream: EventStream,
  first: Look,
  look: () => Promise<Look>,
  signal: AbortSignal,
): Promise<void> {
  let id = 0;
  const { waitingUnits: waiting, runningUnits: running } = first.stats;
  stream.send({
    id: id++,
    name: 'snapshot',
    body: { queue: { waiting, running }, chiplets: [], frames: [], cluster: first.stats },
  });
  let known = first.texts;
  for (let failures = 0; failures < MAX_FAILURES && !signal.aborted; ) {
    await delay(LOOK_MS, signal);
    try {
      const { changes, texts } = await look();
      for (const change of changes) {
        const { name, body } = change;
        const key = keyOf(change);
        if (known.get(key) !== texts.get(key)) stream.send({ id: id++, name, body });
      }
      known = texts;
      failures = 0;
    } catch {
      failures++;
    }
  }
}

function keyOf({ name, subject }: Change): string {
  return `${name} ${subject}`;
}

/** Numbers and changes that a look at the engine found. */
interface Look {
  readonly stats: EngineStats;
  readonly changes: readonly Change[];
  /** JSON of each body by `keyOf`, made once for all streams. */
  readonly texts: ReadonlyMap<string, string>;
}

async function lookAt(engine: WorkEngine, tenant: string): Promise<Look> {
  const newest = { tenant, limit: NEWEST };
  const stats = await engine.stats();
  const changes: Change[] = [{ name: 'cluster', subject: '', body: stats }];
  for (const batch of await engine.batches({ ...newest, workClass: 'study' })) {
    changes.push({ name: 'study', subject: batch.id, body: statusOfStudy(batch) });
  }
  for (const batch of await engine.batches({ ...newest, workClass: 'interactive' })) {
    const [unit] = await engine.units(batch.id, { from: 0, limit: 1 });
    changes.push({ name: 'frame', subject: batch.id, body: statusOfFrame(batch, unit!) });
  }
  const texts = new Map(changes.map((change) => [keyOf(change), JSON.stringify(change.body)]));
  return { stats, changes, texts };
}
