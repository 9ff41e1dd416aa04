import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Metrics } from './metrics.ts';

/** Units by the end of a metric's name; all other metrics are counts. */
const UNITS = { _seconds: 'seconds', _bytes: 'bytes' } as const;

interface Described {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

describe('docs/metrics.md', () => {
  it('lists all metrics of the service with type, unit, labels and meaning', () => {
    const { registry } = new Metrics(() => []);
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
