/** Services and settings that the routes of a gateway use. */
import type { BlobStore } from '@tessera/blobs';
import { EngineUnavailableError, QuotaExceededError, type WorkEngine } from '@tessera/engine';
import { RenderError } from '@tessera/frame';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Uploads } from '../http/protocol/uploads.ts';
import type { GatewayTenant } from './tenants.ts';

/** Services and settings that the routes of a gateway use. */
export interface GatewayServices {
  readonly config: Config;
  readonly blobs: BlobStore;
  readonly uploads: Uploads;
  readonly version: string;
  /** Folder of bodies that are being received. */
  readonly spoolFolder: string;
  /**
   * Calls the engine.
   *
   * @throws {RenderError} ENGINE_UNAVAILABLE, QUOTA_EXCEEDED.
   */
  readonly withEngine: <Result>(call: (engine: WorkEngine) => Promise<Result>) => Promise<Result>;
  readonly tenantOf: (request: FastifyRequest) => GatewayTenant;
}

/** Converts errors of an engine to problems. */
export function asEngineProblem(error: unknown): unknown {
  if (error instanceof EngineUnavailableError) {
    return new RenderError('ENGINE_UNAVAILABLE', error.message, { cause: error });
  }
  if (error instanceof QuotaExceededError) {
    return new RenderError('QUOTA_EXCEEDED', error.message, { cause: error });
  }
  return error;
}

/**
 * Refuses bytes beyond the quota of a tenant.
 *
 * @throws {RenderError} QUOTA_EXCEEDED, ENGINE_UNAVAILABLE.
 */
export async function admitBytes(
  { withEngine }: Pick<GatewayServices, 'withEngine'>,
  { name, maxBytes }: GatewayTenant,
  bytes: number,
): Promise<void> {
  const stored = await withEngine((engine) => engine.blobBytes(name));
  if (stored + bytes <= maxBytes) return;
  throw new RenderError(
    'QUOTA_EXCEEDED',
    `the tenant has ${stored} bytes of blobs and may have ${maxBytes}`,
  );
}
