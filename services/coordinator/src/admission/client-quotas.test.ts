import { afterEach, describe, expect, it } from 'vitest';
import { type Client, NO_QUOTAS } from '../config/clients.ts';
import { openTestStore, putSource, removeTestStores } from '../testing/temporary-data-folder.ts';
import { ClientQuotas } from './client-quotas.ts';
import type { QuotaError } from './quota-error.ts';

afterEach(removeTestStores);

function client(name: string, quotas: Partial<Client['quotas']>, weight = 1): Client {
  const tokens = [`token-of-${name}-0123456789`];
  return { name, tokens, weight, quotas: { ...NO_QUOTAS, ...quotas }, periodSeconds: 3600 };
}

/** Returns the quota, and the time to wait, of a refusal; null if there is none. */
function refusal(attempt: () => void): Pick<QuotaError, 'quota' | 'retryAfterSeconds'> | null {
  try {
    attempt();
    return null;
  } catch (error) {
    const { code, quota, retryAfterSeconds } = error as QuotaError;
    expect(code).toBe('QUOTA_EXCEEDED');
    return { quota, retryAfterSeconds };
  }
}

describe('ClientQuotas', () => {
  it('refuses what is beyond a limit, and names quota, limit and use', () => {
    const { database } = openTestStore();
    let nowMs = 1_700_000_000_000;
    const limits = { places: 3, prepareSeconds: 10, chipletSeconds: 20 };
    const quotas = new ClientQuotas(database, [client('a', limits)], () => nowMs);
    expect(refusal(() => quotas.refusePlace('a', 2))).toBeNull();
    expect(refusal(() => quotas.refusePlace('a', 3))).toEqual({
      quota: { name: 'places', limit: 3, used: 3 },
      retryAfterSeconds: 1,
    });
    quotas.addSeconds('a', 'chipletSeconds', 19.5);
    expect(refusal(() => quotas.refuseFrame('a'))).toBeNull();
    quotas.addSeconds('a', 'chipletSeconds', 2.25);
    const { quota, retryAfterSeconds } = refusal(() => quotas.refuseFrame('a'))!;
    expect(quota).toEqual({ name: 'chipletSeconds', limit: 20, used: 21.75 });
    expect(retryAfterSeconds).toBeGreaterThan(3500);
    nowMs += retryAfterSeconds! * 1000;
    expect(refusal(() => quotas.refuseFrame('a'))).toBeNull();
    expect(refusal(() => quotas.refuseFrame('b'))).toBeNull(); // Unknown clients have no limits.
  });

  it('counts stored files once, and bodies while they arrive', async () => {
    const { database, blobs } = openTestStore();
    const quotas = new ClientQuotas(database, [client('a', { bytes: 100 }), client('b', {})]);
    const { files } = await putSource(blobs, Buffer.alloc(60, 'x'));
    expect(refusal(() => quotas.refuseFiles('a', [...files, ...files]))).toBeNull();
    database.commit(() => blobs.use('frame:1', files, 'a'));
    expect(refusal(() => quotas.refuseFiles('a', files))).toBeNull(); // It has them already.
    const other = await putSource(blobs, Buffer.alloc(50, 'y'));
    const tooMuch = { name: 'bytes', limit: 100, used: 60 };
    expect(refusal(() => quotas.refuseFiles('a', other.files))).toEqual({
      quota: tooMuch,
      retryAfterSeconds: null,
    });
    const body = quotas.beginBody('a');
    body.add(30);
    expect(refusal(() => quotas.beginBody('a').add(20))?.quota.used).toBe(90);
    expect(quotas.statusOf('a').find(({ name }) => name === 'bytes')?.used).toBe(90);
    quotas.beginBody('b').add(1e9); // Another client has no limit.
    body.end();
    expect(refusal(() => quotas.beginBody('a').add(20))).toBeNull();
    database.commit(() => blobs.dropUser('frame:1'));
    expect(quotas.statusOf('a').find(({ name }) => name === 'bytes')?.used).toBe(20);
  });

  it('gives weights, and 1 to clients without any', () => {
    const { database } = openTestStore();
    const quotas = new ClientQuotas(database, [client('a', {}, 2.5)]);
    expect(['a', 'b', ''].map((name) => quotas.weightOf(name))).toEqual([2.5, 1, 1]);
  });
});
