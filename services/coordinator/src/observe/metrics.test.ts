import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clientOfToken } from '../config/clients.ts';
import { Metrics } from './metrics.ts';

/** Units by the end of a metric's name; all other metrics are counts. */
const UNITS = {
  _seconds: 'seconds',
  _bytes: 'bytes',
  quota_used: 'bytes, seconds or count',
  quota_limit: 'bytes, seconds or count',
} as const;

interface Described {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

describe('docs/metrics.md', () => {
  it('lists all metrics of the service with type, unit, labels and meaning', () => {
    const metricsOfService = new Metrics(() => []);
    metricsOfService.addQuotas({ clients: [clientOfToken('a-token-of-one')], statusOf: () => [] });
    const { registry } = metricsOfService;
    // prom-client does not declare the labels of a metric in its types.
    const metrics = registry.getMetricsAsArray() as unknown as readonly Described[];
    const wanted = metrics
      .filter(({ name }) => name.startsWith('tessera_'))
      .map(({ name, type, help, labelNames }) => {
        const unit =
          Object.entries(UNITS).find(([ending]) => name.endsWith(ending))?.[1] ?? 'count';
        const labels = labelNames.map((label) => `\`${label}\``).join(', ');
        return `| \`${name}\` | ${type} | ${unit} | ${labels === '' ? '–' : labels} | ${help} |`;
      });
    const text = readFileSync(resolve(import.meta.dirname, '../../../../docs/metrics.md'), 'utf8');
    const rows = text.split('\n').filter((line) => line.startsWith('| `tessera_'));
    expect(rows).toEqual(wanted);
  });
});

describe('the metrics of quotas', () => {
  it('label at most 100 clients, and sum the others', async () => {
    const clients = Array.from({ length: 130 }, (_, i) =>
      clientOfToken(`token-number-${1000 + i}`),
    );
    const useByName = new Map(clients.map(({ name }, i) => [name, i]));
    const metrics = new Metrics(() => []);
    metrics.addQuotas({
      clients,
      statusOf: (client) => [{ name: 'places', limit: null, used: useByName.get(client)! }],
    });
    const text = await metrics.registry.getSingleMetricAsString('tessera_quota_used');
    const used = new Map(
      [...text.matchAll(/client="([^"]+)",quota="places"\} (\d+)/g)].map(([, name, value]) => [
        name,
        Number(value),
      ]),
    );
    expect(used.size).toBe(101);
    for (const { name } of clients.slice(0, 100)) expect(used.get(name)).toBe(useByName.get(name));
    const others = Array.from({ length: 30 }, (_, i) => 100 + i).reduce((a, b) => a + b);
    expect(used.get('(others)')).toBe(others);
    expect(await metrics.registry.getSingleMetricAsString('tessera_quota_limit')).not.toContain(
      '{',
    );
  });
});
