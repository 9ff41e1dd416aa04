/**
 * A quick part of the Khronos suite, of every folder; `npm run conformance` runs the whole. Also holds the baseline
 * to the suite's names.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../../scripts/conformance/baseline.ts';
import { listNpmSuite } from '../../../scripts/conformance/npm-suite.ts';
import { runCases } from '../../../scripts/conformance/run-cases.ts';

const SELECTION: readonly string[] = [
];

const suite = listNpmSuite();

// Vitest reports it as skipped where the package gl-conformance is not installed.
describe.skipIf(suite === null)('gl-conformance', () => {
  it('passes a selection of all folders', async () => {
    const cases = suite!.cases.filter(({ name }) => SELECTION.includes(name));
    expect(cases).toHaveLength(SELECTION.length);
    expect(new Set(cases.map(({ folder }) => folder))).toEqual(
      new Set(suite!.cases.map(({ folder }) => folder)),
    );
    const verdicts = await runCases({
      suite: { kind: 'npm' },
      context: '@tessera/webgl',
      isVerbose: false,
      cases,
      casesPerProcess: cases.length,
      jobs: 1,
      timeoutMs: 60_000,
    });
    const failing = verdicts.filter(({ outcome }) => outcome !== 'pass');
    expect(failing.map(({ name, messages }) => [name, ...messages])).toEqual([]);
  });

  it('has every name of the baseline', () => {
    const path = fileURLToPath(new URL('./baseline.json', import.meta.url));
    const names = new Set(suite!.cases.map(({ name }) => name));
    expect(Object.keys(readBaseline(path)).filter((name) => !names.has(name))).toEqual([]);
  });
});
