/**
 * Quota of connections: requests in progress of each client with a token, including event streams.
 * A connection has one request in progress at a time, unless its client sends the next ones early.
 * The places of connections (connection-places.ts) bound those of addresses.
 */
import { QuotaError } from '../../admission/quota-error.ts';
import type { Access } from '../../config/access.ts';
import type { Client } from '../../config/clients.ts';
import { holderOf } from '../access/client-of.ts';
import type { App } from '../protocol/app.ts';
import { HEALTH_ROUTES } from './request-limits.ts';

const SOON_SECONDS = 1;

/** Requests in progress. */
export class ClientRequests {
  readonly #countByClient = new Map<string, number>();

  /** Returns the requests of a client that are in progress. */
  countOf(client: string): number {
    return this.#countByClient.get(client) ?? 0;
  }

  /**
   * Counts a request.
   *
   * @returns Function that ends it. Only the first call has an effect.
   * @throws {QuotaError} If the client has as many as it may have.
   */
  begin({ name, quotas }: Pick<Client, 'name' | 'quotas'>): () => void {
    const used = this.countOf(name);
    const limit = quotas.connections;
    if (limit !== null && used >= limit) {
      const use = { name: 'connections', limit, used } as const;
      throw new QuotaError(use, 'requests of this client are in progress', SOON_SECONDS);
    }
    this.#countByClient.set(name, used + 1);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const left = this.countOf(name) - 1;
      if (left > 0) this.#countByClient.set(name, left);
      else this.#countByClient.delete(name);
    };
  }
}

/** Counts the requests of an app. Call it after authentication was added. */
export function addClientRequests(app: App, access: Access, requests: ClientRequests): void {
  app.addHook('onRequest', async (request, reply) => {
    if (HEALTH_ROUTES.includes(request.routeOptions.url ?? '')) return;
    const client = holderOf(request, access);
    if (client !== undefined) reply.raw.once('close', requests.begin(client));
  });
}
