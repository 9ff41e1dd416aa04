/** Refusal of a request because its client has used a quota up. */
import { RenderError } from '@tessera/frame';
import type { QuotaName } from '../config/clients.ts';

/** Limit and use of a refused client. */
export interface QuotaUse {
  readonly name: QuotaName;
  readonly limit: number;
  /** Use before the refused request. */
  readonly used: number;
}

/** QUOTA_EXCEEDED with the quota. */
export class QuotaError extends RenderError {
  readonly quota: QuotaUse;
  /** Time after which the request may succeed; null if time alone does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(quota: QuotaUse, detail: string, retryAfterSeconds: number | null) {
    const { name, limit, used } = quota;
    super('QUOTA_EXCEEDED', `quota ${name}: ${detail}; ${round(used)} used of ${limit}`);
    this.quota = { name, limit, used: round(used) };
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Rounds to milliseconds, if the use is one of seconds. */
function round(used: number): number {
  return Math.round(used * 1000) / 1000;
}
