/** Routes about the service itself: chiplets, counters, health, metrics. */
import { COUNTERS, RenderError } from '@tessera/frame';
import Type from 'typebox';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Config } from '../../config/config.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { App } from '../protocol/app.ts';
import { problems, SPEC_SCHEMA } from '../protocol/response-schemas.ts';

export interface SystemRouteOptions {
  readonly config: Config;
  readonly registry: ChipletRegistry;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
}

const CHIPLET_SCHEMA = Type.Object({
  id: Type.Integer({ description: '0 is the visibility chiplet' }),
  role: Type.Enum(['visibility', 'worker']),
  instance: Type.String(),
  spec: SPEC_SCHEMA,
  presets: Type.Array(Type.String(), { description: 'What a frame may ask for by `spec`' }),
  isReady: Type.Boolean({ description: 'Takes part in the next frame' }),
  mode: Type.Enum(['idle', 'visibility', 'coarse-bin-rendering']),
  current: Type.Union(
    [
      Type.Null(),
      Type.Object({
        frameId: Type.String({ description: 'A rendering: id of the frame, a slash, and more' }),
        passIndex: Type.Integer(),
        binId: Type.Union([Type.Null(), Type.Integer()]),
      }),
    ],
    { description: 'What it works at; without a bin a visibility phase' },
  ),
  pendingRequests: Type.Integer(),
  binsDone: Type.Integer({ description: 'Since it connected' }),
  cyclesDone: Type.Number({ description: 'Simulated cycles since it connected' }),
  faults: Type.Integer({
    description:
      'Wrong or needless answers, and failures at what others rendered; three set it aside',
  }),
  setAsideUntilMs: Type.Union([Type.Null(), Type.Number()], {
    description: 'Until when it gets no work, in milliseconds since 1970',
  }),
  isTrusted: Type.Boolean({
    description: 'Whether its bins are used without another chiplet rendering each of them too',
  }),
  agreedBins: Type.Integer({
    description:
      'Bins that another chiplet rendered to the same result, since it connected or was quarantined',
  }),
});

const COUNTER_CATALOGUE = Object.entries(COUNTERS).map(([name, { unit, meaning }]) => ({
  name,
  unit,
  meaning,
  chipletUnit: name.split('.', 1)[0]!,
}));

export function addSystemRoutes(app: App, options: SystemRouteOptions): void {
  const { config, registry, metrics, isStopping } = options;

  app.get('/v1/chiplets', {
    schema: {
      operationId: 'listChiplets',
      summary: 'The chiplets that are connected',
      tags: ['service'],
      response: { 200: Type.Object({ chiplets: Type.Array(CHIPLET_SCHEMA) }) },
    },
    handler: async () => ({ chiplets: registry.list() }),
  });

  app.get('/v1/counters', {
    schema: {
      operationId: 'listCounters',
      summary: 'The catalogue of counters',
      tags: ['service'],
      response: {
        200: Type.Object({
          counters: Type.Array(
            Type.Object({
              name: Type.String(),
              unit: Type.String({ description: 'What one count is' }),
              meaning: Type.String({ description: 'When it goes up by one' }),
              chipletUnit: Type.String({ description: 'The unit of the chiplet that counts it' }),
            }),
          ),
        }),
      },
    },
    handler: async () => ({ counters: COUNTER_CATALOGUE }),
  });

  const healthy = { 200: Type.Object({ status: Type.Enum(['ok']) }) };

  app.get('/livez', {
    schema: {
      operationId: 'isLive',
      summary: 'Whether the process answers',
      tags: ['health'],
      response: healthy,
    },
    handler: async () => ({ status: 'ok' as const }),
  });

  app.get('/readyz', {
    schema: {
      operationId: 'isReady',
      summary: 'Whether a frame that is posted now can be rendered now',
      tags: ['health'],
      response: { ...healthy, ...problems(503) },
    },
    handler: async () => {
      if (isStopping()) throw new RenderError('SHUTTING_DOWN', 'the service is stopping');
      const workers = registry.list().filter(({ role, isReady }) => role === 'worker' && isReady);
      if (registry.select(Number.POSITIVE_INFINITY) === null) {
        throw new RenderError('NO_CHIPLETS', 'no visibility chiplet, or none that renders bins');
      }
      if (workers.length < config.TESSERA_MIN_WORKERS) {
        const wanted = config.TESSERA_MIN_WORKERS;
        throw new RenderError('NO_CHIPLETS', `${workers.length} workers of at least ${wanted}`);
      }
      return { status: 'ok' as const };
    },
  });

  app.get('/metrics', {
    schema: {
      operationId: 'getMetrics',
      summary: 'Metrics for Prometheus',
      tags: ['service'],
      response: {
        200: {
          description: 'Text exposition format',
          content: { 'text/plain': { schema: Type.String() } },
        },
      },
    },
    handler: async (_request, reply) => {
      reply.type(metrics.registry.contentType);
      return metrics.registry.metrics();
    },
  });
}
