/** Routes about the service itself: chiplets, counters, health, metrics. */
import { COUNTERS, RenderError } from '@tessera/frame';
import Type from 'typebox';
import type { ChipletRegistry } from '../../chiplets/chiplet-registry.ts';
import type { Config } from '../../config/config.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { App } from '../protocol/app.ts';
import { problems } from '../protocol/response-schemas.ts';
import { CHIPLET_SCHEMA, COUNTER_SCHEMA } from './system-schemas.ts';

/** Services that the system routes use. */
export interface SystemRouteOptions {
  readonly config: Config;
  readonly registry: ChipletRegistry;
  readonly metrics: Metrics;
  readonly isStopping: () => boolean;
}

const COUNTER_CATALOG = Object.entries(COUNTERS).map(([name, { unit, meaning }]) => ({
  name,
  unit,
  meaning,
  chipletUnit: name.split('.', 1)[0]!,
}));

const HEALTHY_RESPONSE = {
  200: Type.Object({ status: Type.Enum(['ok']) }, { description: 'Yes' }),
};

/** Adds the list of counters. */
export function addCounterList(app: App): void {
  app.get('/v1/counters', {
    schema: {
      operationId: 'listCounters',
      summary: 'List all counters with their meaning',
      tags: ['service'],
      response: {
        200: Type.Object(
          { counters: Type.Array(COUNTER_SCHEMA) },
          { description: 'Counters of reports' },
        ),
      },
    },
    handler: async () => ({ counters: COUNTER_CATALOG }),
  });
}

/** Adds the routes about the service itself. */
export function addSystemRoutes(app: App, options: SystemRouteOptions): void {
  const { registry, metrics } = options;

  app.get('/v1/chiplets', {
    schema: {
      operationId: 'listChiplets',
      summary: 'List the connected chiplets',
      tags: ['service'],
      response: {
        200: Type.Object(
          { chiplets: Type.Array(CHIPLET_SCHEMA) },
          { description: 'Connected chiplets' },
        ),
      },
    },
    handler: async () => ({ chiplets: registry.list() }),
  });

  addCounterList(app);

  app.get('/livez', {
    schema: {
      operationId: 'isLive',
      summary: 'Check whether the process responds',
      tags: ['health'],
      response: HEALTHY_RESPONSE,
    },
    handler: async () => ({ status: 'ok' as const }),
  });

  app.get('/readyz', {
    schema: {
      operationId: 'isReady',
      summary: 'Check whether the service can render a frame now',
      tags: ['health'],
      response: { ...HEALTHY_RESPONSE, ...problems(503) },
    },
    handler: async () => {
      requireReady(options);
      return { status: 'ok' as const };
    },
  });

  app.get('/metrics', {
    schema: {
      operationId: 'getMetrics',
      summary: 'Get metrics for Prometheus',
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

/**
 * @throws {RenderError} SHUTTING_DOWN, or NO_CHIPLETS if chiplets that rendering needs are not
 *   connected.
 */
function requireReady({ config, registry, isStopping }: SystemRouteOptions): void {
  if (isStopping()) throw new RenderError('SHUTTING_DOWN', 'the service is stopping');
  const workers = registry.list().filter(({ role, isReady }) => role === 'worker' && isReady);
  if (registry.select(Number.POSITIVE_INFINITY) === null) {
    throw new RenderError(
      'NO_CHIPLETS',
      'no visibility chiplet is connected, or no chiplet that renders bins',
    );
  }
  const wanted = config.TESSERA_MIN_WORKERS;
  if (workers.length < wanted) {
    throw new RenderError(
      'NO_CHIPLETS',
      `${workers.length} workers are connected; at least ${wanted} are required`,
    );
  }
}
