/** Gateway on loopback that has nothing but the routes of blobs. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { openBlobStore } from '@tessera/blobs';
import { fastify } from 'fastify';
import { addBlobRoutes, type BlobRouteOptions } from '../gateway/blob-routes.ts';
import type { App } from '../http/protocol/app.ts';
import { answerError, PROBLEM_SCHEMA } from '../http/protocol/problem.ts';

/** Time for which the gateway keeps uploads. */
export const KEEP_UPLOADS_MS = 24 * 3_600_000;

/** Running gateway. */
export interface TestGateway {
  readonly port: number;
  /** Address without a path. */
  readonly origin: string;
  /** Errors that were answered. */
  readonly errors: readonly unknown[];
  readonly close: () => Promise<void>;
}

/** Returns the URL of the blobs of a gateway on a folder. */
export function blobsUrl(folder: string): string {
  return pathToFileURL(join(folder, 'blobs')).href;
}

/** Starts a gateway on a folder, or another one on the same folder. */
export async function startTestGateway(
  folder: string,
  options: Partial<BlobRouteOptions> = {},
): Promise<TestGateway> {
  const server = fastify({ forceCloseConnections: true }).withTypeProvider<TypeBoxTypeProvider>();
  const app = server as unknown as App;
  const errors: unknown[] = [];
  app.addSchema(PROBLEM_SCHEMA);
  app.setErrorHandler(async (error, request, reply) => {
    errors.push(error);
    await answerError(error, request, reply);
  });
  addBlobRoutes(app, {
    blobs: openBlobStore(blobsUrl(folder)),
    spoolFolder: join(folder, 'spool'),
    maxBytes: 2 ** 32,
    maxSpoolBytes: 2 ** 33,
    keepUploadsMs: KEEP_UPLOADS_MS,
    tenantOf: ({ headers }) => String(headers['x-tenant'] ?? 'default'),
    admit: async () => {},
    stored: async () => {},
    ...options,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  return { port, origin: `http://127.0.0.1:${port}`, errors, close: () => app.close() };
}
