/** `GET /v1/quota`: what the client of the request may use, and what it uses. */
import Type from 'typebox';
import type { ClientQuotas } from '../../admission/client-quotas.ts';
import type { Access } from '../../config/access.ts';
import { QUOTA_NAMES } from '../../config/clients.ts';
import { clientOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';

/** Services that the route uses. */
export interface QuotaRouteOptions {
  readonly access: Access;
  readonly quotas: ClientQuotas;
}

const QUOTA_SCHEMA = Type.Object({
  name: Type.Enum(QUOTA_NAMES),
  limit: Type.Union([Type.Number(), Type.Null()], { description: 'Upper bound; null for none' }),
  used: Type.Number({ description: 'Use by this client; 0 for what is not counted for it' }),
});

/** Adds the route. */
export function addQuotaRoute(app: App, { access, quotas }: QuotaRouteOptions): void {
  app.get('/v1/quota', {
    schema: {
      operationId: 'getQuota',
      summary: 'Get the quotas of the client that asks, and its use of them',
      description:
        'Bytes and seconds are counted for clients with tokens only. Seconds are those of the period that ends now.',
      tags: ['service'],
      response: {
        200: Type.Object(
          {
            client: Type.String({ description: 'Name of the client' }),
            weight: Type.Number({ description: 'Turns relative to other clients' }),
            periodSeconds: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Period of quotas of time; null for a client without a token',
            }),
            quotas: Type.Array(QUOTA_SCHEMA),
          },
          { description: 'Quotas and use' },
        ),
      },
    },
    handler: async (request, reply) => {
      const client = clientOf(request, access);
      reply.header('Cache-Control', 'no-store');
      return {
        client,
        weight: quotas.weightOf(client),
        periodSeconds: quotas.periodSecondsOf(client),
        quotas: quotas.statusOf(client).map((quota) => ({ ...quota })),
      };
    },
  });
}
