/**
 * The provisioned Grafana dashboard only queries series that `/metrics` of the running service has.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { postModel, startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const DASHBOARD = resolve(
  import.meta.dirname,
  '../../docs/deploy/monitoring/dashboards/tessera.json',
);

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(readFileSync(DASHBOARD, 'utf8')) as { panels: readonly Panel[] };
const QUERIES = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr, legendFormat }) => ({ title, expr, legendFormat })),
);

/** Returns the names of series in a query: identifiers with our prefix, prom-client's or Node's. */
function seriesOf(query: string): string[] {
  return query.match(/\b(tessera|process|nodejs)_\w+/g) ?? [];
}

/** Returns the labels that a query groups by and that its legend shows. */
function labelsOf({ expr, legendFormat }: { expr: string; legendFormat: string }): string[] {
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) =>
    list!.split(',').map((label) => label.trim()),
  );
  const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
  return [...new Set([...grouped, ...shown])];
}

describe('monitoring', () => {
  /** Labels of each series that the service shows after a frame. */
  const labelsBySeries = new Map<string, Set<string>>();
  let text = '';

  beforeAll(async () => {
    const { url } = await startTestService({ workerCount: 2 });
    const posted = await postModel(url, await makeKnotModel(), '?width=64&height=64');
    expect(posted.status).toBe(200);
    text = await (await fetch(`${url}/metrics`)).text();
    for (const [, series, labels] of text.matchAll(/^(\w+)(?:\{([^}]*)\})? \S+$/gm)) {
      const known = labelsBySeries.get(series!) ?? new Set();
      for (const [, label] of (labels ?? '').matchAll(/(\w+)="/g)) known.add(label!);
      labelsBySeries.set(series!, known);
    }
  });

  it.each(QUERIES)('$title: $expr', (query) => {
    const series = seriesOf(query.expr);
    expect(series).not.toEqual([]);
    for (const name of series) {
      expect([...labelsBySeries.keys()]).toContain(name);
      expect([...labelsBySeries.get(name)!]).toEqual(expect.arrayContaining(labelsOf(query)));
    }
  });

  it('every series of ours has a help text and a unit in its name or counts something', () => {
    const ours = [...text.matchAll(/^# TYPE (tessera_\w+) (\w+)$/gm)];
    expect(ours.length).toBeGreaterThan(10);
    for (const [, name, type] of ours) {
      expect(text).toContain(`# HELP ${name} `);
      if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
      if (type === 'counter') expect(name).toMatch(/_total$/);
    }
  });
});
