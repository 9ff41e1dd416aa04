/** Metrics of quotas by client, with a bounded number of labels. */
import { Gauge, type Registry } from 'prom-client';
import type { ClientQuotas } from '../admission/client-quotas.ts';
import { QUOTA_NAMES, type QuotaName } from '../config/clients.ts';

/** Upper bound on clients with a label of their own; the others share one. */
export const MAX_LABELLED = 100;
/** Label of all other clients together, which no client can have as its name. */
export const OTHERS = '(others)';

/** Adds the limits and the use of the quotas of clients with tokens. */
export function addQuotaMetrics(
  registry: Registry,
  quotas: Pick<ClientQuotas, 'clients' | 'statusOf'>,
): void {
  if (quotas.clients.length === 0) return;
  new Gauge({
    name: 'tessera_quota_used',
    help: 'Use of each quota by client; seconds of the period that ends now',
    labelNames: ['client', 'quota'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: client } of quotas.clients.slice(0, MAX_LABELLED)) {
        for (const { name: quota, used } of quotas.statusOf(client))
          this.set({ client, quota }, used);
      }
      const others = quotas.clients.slice(MAX_LABELLED);
      if (others.length === 0) return;
      const sums = new Map<QuotaName, number>(QUOTA_NAMES.map((name) => [name, 0]));
      for (const { name: client } of others) {
        for (const { name, used } of quotas.statusOf(client))
          sums.set(name, sums.get(name)! + used);
      }
      for (const [quota, used] of sums) this.set({ client: OTHERS, quota }, used);
    },
  });
  new Gauge({
    name: 'tessera_quota_limit',
    help: 'Limit of each quota by client; missing for clients without it',
    labelNames: ['client', 'quota'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name: client } of quotas.clients.slice(0, MAX_LABELLED)) {
        for (const { name: quota, limit } of quotas.statusOf(client)) {
          if (limit !== null) this.set({ client, quota }, limit);
        }
      }
    },
  });
}
