/** Routes about a cluster: cells, tenants, violations, health, metrics. */
import { RenderError } from '@tessera/frame';
import type { Registry } from 'prom-client';
import Type from 'typebox';
import type { App } from '../http/protocol/app.ts';
import { problems } from '../http/protocol/response-schemas.ts';
import type { GatewayServices } from './gateway-services.ts';

/** Length of the list of violations. */
const LISTED_VIOLATIONS = 100;

/** Services of the routes. */
export interface ClusterSystemOptions extends GatewayServices {
  readonly registry: Registry;
  readonly isStopping: () => boolean;
}

const HEALTHY = { 200: Type.Object({ status: Type.Enum(['ok']) }, { description: 'Yes' }) };

/** Adds the routes about the cluster. */
export function addClusterSystem(app: App, options: ClusterSystemOptions): void {
  const { withEngine, registry, isStopping } = options;

  app.get('/v1/cells', {
    schema: {
      operationId: 'listCells',
      summary: 'List cells, tenants and open units of the cluster',
      tags: ['service'],
    },
    handler: async () => withEngine((engine) => engine.stats()),
  });

  app.get('/v1/violations', {
    schema: {
      operationId: 'listViolations',
      summary: 'List units that two cells rendered differently',
      tags: ['service'],
    },
    handler: async () => ({
      violations: await withEngine((engine) => engine.violations(LISTED_VIOLATIONS)),
    }),
  });

  app.get('/livez', {
    schema: {
      operationId: 'isLive',
      summary: 'Check whether the process responds',
      tags: ['health'],
      response: HEALTHY,
    },
    handler: async () => ({ status: 'ok' as const }),
  });

  app.get('/readyz', {
    schema: {
      operationId: 'isReady',
      summary: 'Check whether the gateway can admit a frame now',
      tags: ['health'],
      response: { ...HEALTHY, ...problems(503) },
    },
    handler: async () => {
      if (isStopping()) throw new RenderError('SHUTTING_DOWN', 'the gateway is stopping');
      await withEngine((engine) => engine.ping());
      return { status: 'ok' as const };
    },
  });

  app.get('/metrics', {
    schema: { operationId: 'getMetrics', summary: 'Get metrics for Prometheus', tags: ['service'] },
    handler: async (_request, reply) => {
      reply.type(registry.contentType);
      return registry.metrics();
    },
  });
}
