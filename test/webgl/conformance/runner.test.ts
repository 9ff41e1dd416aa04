/**
 * Conformance runner on pages created by this test: every kind of outcome, and the calls that pages
 * make on their document. hollow-passes.test.ts has the comparison with a browser.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareWithBaseline } from '../../../scripts/conformance/baseline.ts';
import { listPageSuite } from '../../../scripts/conformance/page-suite.ts';
import { runSuite } from '../../../scripts/conformance/run-suite.ts';
import { formatTotals } from '../../../scripts/conformance/totals.ts';
import type { Verdict } from '../../../scripts/conformance/verdict.ts';

const HARNESS = 'window.parent.webglTestHarness';
const PASS = `${HARNESS}.reportResults(location.pathname, true, 'holds');`;
const LACKS = `${HARNESS}.reportResults('', true, 'No EXT_none support -- this is legal');`;
const FINISH = `${HARNESS}.notifyFinished(location.pathname);`;

const FILES: Readonly<Record<string, string>> = {
  '00_test_list.txt': 'conformance/00_test_list.txt\n// a comment\n',
  'conformance/00_test_list.txt': [
    'passes.html',
    'fails.html',
    '--slow throws.html',
    'dies.html',
    'never-ends.html',
    'waits.html',
    'silent.html',
    'skips.html',
    'lacks.html',
    'lacks-and-fails.html',
    'asks.html',
    '--min-version 2.0.0 only-two.html',
    '--max-version 1.9.9 only-one.html',
    'more/00_test_list.txt',
  ].join('\n'),
  'conformance/more/00_test_list.txt': 'writes.html\n',
  'conformance/passes.html': `<title>Passes</title><canvas id="c" width="7" height="5"></canvas>
    <script src="../js/shared.js"></script>
    <script id="shader" type="x-shader/x-vertex">void main() {}</script>
    <script>
      check(document.title === 'Passes');
      check(document.getElementById('shader').text === 'void main() {}');
      check(document.getElementById('c').getContext('webgl').drawingBufferWidth === 7);
      check(location.search.includes('quiet=1'));
      check(c === document.getElementById('c'));
      addEventListener('load', () => {
        const end = document.createElement('script');
        end.src = '../js/end.js';
        document.body.appendChild(end);
      });
    </script>`,
  'conformance/fails.html': `<script>${HARNESS}.reportResults('', false, 'one is not two'); ${PASS} ${FINISH}</script>`,
  'conformance/throws.html': `<body onload="setTimeout(() => { throw new Error('late'); }, 1)"></body>`,
  'conformance/dies.html': `<script>${PASS} process.exit(3);</script>`,
  'conformance/never-ends.html': `<script>${PASS} setInterval(() => {}, 100);</script>`,
  'conformance/waits.html': `<script>${PASS}</script>`,
  'conformance/silent.html': `<script>${FINISH}</script>`,
  'conformance/skips.html': `<script>${PASS} ${HARNESS}.reportResults('', true, 'late', true); ${FINISH}</script>`,
  'conformance/lacks.html': `<script>${PASS} ${LACKS} ${FINISH}</script>`,
  'conformance/lacks-and-fails.html': `<script>${LACKS} ${HARNESS}.reportResults('', false, 'no'); ${FINISH}</script>`,
  'conformance/asks.html': `<canvas id="c"></canvas><script>function debug() {}</script><script>
      ${PASS}
      const gl = c.getContext('webgl', { antialias: true });
      gl.getExtension('EXT_none');
      gl.getExtension('WEBKIT_EXT_none');
      gl.getExtension('EXT_there');
      debug('video/none unsupported');
      debug('not left out');
      if (window.VideoDecoder) throw new Error('has a decoder');
      ${FINISH}
    </script>`,
  'conformance/only-one.html': `<script>${PASS} ${FINISH}</script>`,
  'conformance/only-two.html': `<script>${PASS} ${FINISH}</script>`,
  'conformance/more/writes.html': `<script src="../../js/shared.js"></script>
    <script>document.write('<script src="../../js/written.js"></' + 'script>');</script>
    <script>
      check(written === 'yes');
      const request = new XMLHttpRequest();
      request.open('GET', '../../js/written.js');
      request.onload = async () => {
        check(request.responseText.includes('yes'));
        const binary = new XMLHttpRequest();
        binary.open('GET', '../../js/written.js', false);
        binary.responseType = 'blob';
        binary.send();
        check((await binary.response.text()).includes('yes'));
        ${FINISH}
      };
      request.send();
    </script>`,
  'js/shared.js': `function check(holds) { ${HARNESS}.reportResults(location.pathname, holds, 'check'); }`,
  'js/written.js': `var written = 'yes';`,
  'js/end.js': FINISH,
};

describe('conformance runner', () => {
  let folder: string;
  let verdicts: readonly Verdict[];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    verdicts = await runSuite({
      suite: { kind: 'pages', folder, isWebGL2: false },
      context: fileURLToPath(new URL('./fake-context.ts', import.meta.url)),
      isVerbose: false,
      cases: listPageSuite(folder, false)!.cases,
      casesPerProcess: 1,
      jobs: 2,
      timeoutMs: 3000,
    });
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('returns a verdict for every page, even if its process ends', () => {
    const outcomes = verdicts.map(({ name, outcome }) => [name, outcome]);
    expect(Object.fromEntries(outcomes)).toEqual({
      'conformance/passes.html': 'pass',
      'conformance/fails.html': 'fail',
      'conformance/throws.html': 'fail',
      'conformance/dies.html': 'crash',
      'conformance/never-ends.html': 'timeout',
      'conformance/waits.html': 'fail',
      'conformance/silent.html': 'empty',
      'conformance/skips.html': 'skipped',
      'conformance/lacks.html': 'skipped',
      'conformance/lacks-and-fails.html': 'fail',
      'conformance/asks.html': 'pass',
      'conformance/only-one.html': 'pass',
      'conformance/more/writes.html': 'pass',
    });
  });

  it('reports failed assertions', () => {
    const byName = new Map(verdicts.map((verdict) => [verdict.name, verdict]));
    const fails = byName.get('conformance/fails.html')!;
    expect([fails.assertions, fails.failed, fails.messages]).toEqual([2, 1, ['one is not two']]);
    expect(byName.get('conformance/throws.html')!.messages[0]).toContain('late');
    expect(byName.get('conformance/waits.html')!.messages[0]).toContain('nothing is left to run');
    expect(byName.get('conformance/dies.html')!.messages).toEqual([
      'the worker process ended: status 3',
    ]);
  });

  it('reports what a page did not get, and does not count it as an assertion', () => {
    const seen = (name: string) => {
      const { assertions, missing } = verdicts.find((each) => each.name === name)!;
      return [assertions, missing];
    };
    expect(seen('conformance/skips.html')).toEqual([1, ['late']]);
    expect(seen('conformance/lacks.html')).toEqual([1, ['No EXT_none support -- this is legal']]);
    expect(seen('conformance/asks.html')).toEqual([
      1,
      ['VideoDecoder', 'antialias', 'EXT_none', 'video/none unsupported'],
    ]);
    expect(seen('conformance/passes.html')).toEqual([5, []]);
  });

  it('selects pages by version', () => {
    const two = listPageSuite(folder, true)!.cases.map(({ name }) => name);
    expect(two).toContain('conformance/only-two.html');
    expect(two).not.toContain('conformance/only-one.html');
    expect(listPageSuite(join(folder, 'js'), false)).toBeNull();
  });

  it('compares with a baseline and sums by folder', () => {
    const { unexpected, fixed, known } = compareWithBaseline(verdicts, {
      'conformance/fails.html': 'two is not one here',
      'conformance/passes.html': 'it did not, once',
    });
    expect(known.map(({ name }) => name)).toEqual(['conformance/fails.html']);
    expect(fixed.map(({ name }) => name)).toEqual(['conformance/passes.html']);
    expect(unexpected).toHaveLength(6);
    expect(unexpected.map(({ outcome }) => outcome)).not.toContain('skipped');
    expect(formatTotals(verdicts)).toMatch(/^conformance +12 +3 +2 +4 +1 +1 +1 /m);
    expect(formatTotals(verdicts)).toMatch(/^conformance\/more +1 +1 /m);
  });
});
