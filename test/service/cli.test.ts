/** Commands that talk to a running service, run as processes. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SpecSummary } from '@tessera/frame';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { specDigest } from '@tessera/study';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

stopServicesAfterAll();

const CLI = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
const folder = mkdtempSync(join(tmpdir(), 'tessera-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly status: number | string | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolveRun) => {
    execFile(process.execPath, [CLI, ...args], { cwd: folder }, (error, stdout, stderr) =>
      resolveRun({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

describe('tessera against a running service', () => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startTestService({ workerCount: 2 }));
    writeFileSync(join(folder, 'model.glb'), await makeModelGlb());
  });

  it('submit writes the image that render makes, report and timeline', async () => {
    const size = ['--width', '96', '--height', '64', '--chiplets', '3'];
    const files = ['-o', 'sent.png', '--report', 'sent.json', '--timeline', 'trace.json'];
    const sent = await run('submit', 'model.glb', '--url', url, ...size, ...files);
    expect(sent).toMatchObject({ status: 0, stderr: '' });
    expect(sent.stdout).toMatch(/^sent\.png: frame \S+, 3 chiplets, .* cycles, /);
    expect((await run('render', 'model.glb', '-o', 'own.png', ...size)).status).toBe(0);
    expect(readFileSync(join(folder, 'sent.png'))).toEqual(readFileSync(join(folder, 'own.png')));
    const trace = JSON.parse(readFileSync(join(folder, 'trace.json'), 'utf8'));
    expect(trace.traceEvents.length).toBeGreaterThan(0);
    expect(JSON.parse(readFileSync(join(folder, 'sent.json'), 'utf8')).chiplets).toHaveLength(3);
  });

  it('submit sends the specification of a file with settings, as render uses it', async () => {
    const set = { smCount: 2, l2CacheBytes: 65_536, dramChannels: 1 };
    writeFileSync(join(folder, 'spec.json'), JSON.stringify({ preset: 'loongson', set }));
    const size = ['--width', '96', '--height', '64', '--chiplets', '2', '--json'];
    const hardware = ['--spec', 'spec.json', '--set', 'slotPolicy=gcn,hasBoxTest=off'];
    const [sent, own] = await Promise.all([
      run('submit', 'model.glb', '--url', url, ...size, ...hardware),
      run('render', 'model.glb', ...size, ...hardware),
    ]);
    expect([sent.stderr, own.status]).toEqual(['', 0]);
    const { report } = JSON.parse(sent.stdout);
    expect(report.spec.parameters).toMatchObject({ ...set, slotPolicy: 'gcn', hasBoxTest: false });
    expect([report.spec, report.totals]).toEqual([
      JSON.parse(own.stdout).report.spec,
      JSON.parse(own.stdout).report.totals,
    ]);
    const wrong = await run('submit', 'model.glb', '--url', url, '--set', 'smCount=65');
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringContaining('1 to 64') });
  });

  it('submit sends a .gltf with its files', async () => {
    const bin = Buffer.alloc(36);
    for (const [i, value] of [0, 0, 0, 1, 0, 0, 0, 1, 0].entries()) bin.writeFloatLE(value, 4 * i);
    writeFileSync(join(folder, 'triangle.bin'), bin);
    const accessor = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' };
    const document = {
      asset: { version: '2.0' },
      buffers: [{ uri: 'triangle.bin', byteLength: 36 }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      accessors: [{ ...accessor, min: [0, 0, 0], max: [1, 1, 0] }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      nodes: [{ mesh: 0 }],
      scenes: [{ nodes: [0] }],
      scene: 0,
    };
    writeFileSync(join(folder, 'triangle.gltf'), JSON.stringify(document));
    const size = ['--width', '64', '--height', '64', '--timing', 'functional', '--json'];
    const { status, stdout } = await run('submit', 'triangle.gltf', '--url', url, ...size);
    expect(status).toBe(0);
    const { frame, report } = JSON.parse(stdout);
    expect([frame.status, report.totals.primitives]).toEqual(['done', 1]);
  });

  it('submit reports rejections of the service', async () => {
    const wrong = await run('submit', 'model.glb', '--url', url, '--policy', 'lottery');
    expect(wrong).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('query.policy: must be one of'),
    });
    writeFileSync(join(folder, 'broken.glb'), 'glTF and no more');
    const broken = await run('submit', 'broken.glb', '--url', url);
    expect(broken).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('MODEL_UNSUPPORTED'),
    });
  });

  it('chiplets lists connected chiplets', async () => {
    const { stdout } = await run('chiplets', '--url', url);
    expect(stdout.match(/^(chiplet|\d) +\w+/gm)).toEqual([
      'chiplet  role',
      '0        visibility',
      '1        worker',
      '2        worker',
    ]);
    const listed = JSON.parse((await run('chiplets', '--url', url, '--json')).stdout);
    expect(listed.map(({ id }: { id: number }) => id)).toEqual([0, 1, 2]);
  });

  it('study sweep gives the same rows in this process and on the service', async () => {
    writeFileSync(join(folder, 'other.glb'), await makeModelGlb());
    writeFileSync(join(folder, 'broken.glb'), 'no model');
    const axes = [
      ...['--chiplets', '1,3', '--policy', 'static,dynamic', '--grid', '2x2,4x1', '--split', '0,1'],
      ...[
        '--size',
        '192x128',
        '--occlusion',
        'on',
        '--overlap',
        'none',
        '--link-topology',
        'ring,mesh',
      ],
      ...[
        '--link-bytes-per-cycle',
        '16',
        '--link-latency-cycles',
        '8',
        '--placement',
        'interleaved',
      ],
      ...['--set', 'smCount=2', '--sweep', 'l2CacheBytes=64Ki,256Ki'],
      ...['--counters', 'memory.bytesRead,geometry.primitivesIn', '--energy-memory', 'hbm2'],
    ];
    const files = ['model.glb', 'other.glb', 'broken.glb'];
    const [own, sent] = await Promise.all([
      run('study', 'sweep', ...files, ...axes, '--csv', 'own.csv', '--means', 'means.csv'),
      run('study', '--service', url, ...files, ...axes, '--csv', 'sent.csv', '--bundle', 'bundle'),
    ]);
    expect(own.stderr).toMatch(/^broken: skipped: [^\n]*\n$/);
    expect(sent.stderr).toMatch(/^broken: skipped: [^\n]*\n$/);
    expect([own.status, sent.status]).toEqual([0, 0]);
    expect(sent.stdout).toBe(own.stdout);
    expect(own.stdout).toMatch(/\n2 scenes\. Figures are geometric means/);
    const read = (name: string) =>
      readRecords(parseCsv(readFileSync(join(folder, name), 'utf8'))).map(
        ({ frame: _frame, ...row }) => row,
      );
    const rows = read('own.csv');
    expect(read('sent.csv')).toEqual(rows);
    expect(rows).toHaveLength(2 * 2 * 2 * 2 * 2 * 2 * 2);
    for (const { energyLowPj, energyTypicalPj, energyHighPj } of rows) {
      expect(Number(energyLowPj)).toBeGreaterThan(0);
      expect(Number(energyTypicalPj)).toBeGreaterThan(Number(energyLowPj));
      expect(Number(energyHighPj)).toBeGreaterThan(Number(energyTypicalPj));
    }
    expect(new Set(rows.map(({ scene }) => scene))).toEqual(new Set(['model', 'other']));
    expect(new Set(rows.map(({ l2CacheBytes }) => l2CacheBytes))).toEqual(
      new Set(['65536', '262144']),
    );
    const bundled = (name: string) => readFileSync(join(folder, 'bundle', name), 'utf8');
    expect(bundled('results.csv')).toBe(readFileSync(join(folder, 'sent.csv'), 'utf8'));
    expect(bundled('means.csv')).toBe(readFileSync(join(folder, 'means.csv'), 'utf8'));
    const specs = JSON.parse(bundled('specifications.json')) as Record<string, SpecSummary>;
    expect(new Set(Object.keys(specs))).toEqual(new Set(rows.map(({ specDigest }) => specDigest)));
    for (const [digest, spec] of Object.entries(specs)) expect(specDigest(spec)).toBe(digest);
    const { command, scenes } = JSON.parse(bundled('study.json'));
    expect(command).toContain('tessera study sweep --service');
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, 'model.glb')))
      .digest('hex');
    expect(scenes).toMatchObject([
      { name: 'model', file: 'model.glb', sha256: hash },
      { name: 'other' },
    ]);
    expect(bundled('README.md')).toContain(command);
    const means = read('means.csv');
    const [mean] = means;
    const averaged = rows.filter(
      (row) =>
        mean!.chiplets === row.chiplets &&
        mean!.spec === row.spec &&
        mean!.policy === row.policy &&
        mean!.linkTopology === row.linkTopology &&
        mean!.grid === row.grid &&
        mean!.split === row.split,
    );
    expect(averaged).toHaveLength(2);
    expect(Number(mean!.cycles)).toBe(
      Math.round(Math.sqrt(Number(averaged[0]!.cycles) * Number(averaged[1]!.cycles))),
    );
  });

  it.each([
    [['--chiplets', '1025'], "chiplets: '1025' is not an integer from 1 to 1024"],
    [['--chiplets', '1,1'], "chiplets: '1' is given twice"],
    [['--chiplets', '2,257'], '257 chiplets; at most 256'],
    [['--policy', 'best'], "policy: policy: 'best' is not one of"],
    [['--grid', 'auto'], "grid: 'auto' depends on the number of chiplets"],
    [['--grid', '4x4', '--bins', '8'], 'grid: replaces bins'],
    [['--size', '10'], "size: '10' is not WIDTHxHEIGHT"],
    [['--frame', '2'], 'frame: none of the scenes is a capture'],
    [['--occlusion', 'yes'], "occlusion: 'yes' is none of off, on"],
    [['--sweep', 'smCount'], "--sweep: 'smCount' is not NAME=VALUE"],
    [['--sweep', 'smCount=0'], '--sweep: smCount: 0 is not an integer from 1'],
    [['--sweep', 'smCountt=1'], '--sweep: smCountt: no such parameter'],
    [['--placement', 'near'], "placement: placement: 'near' is not one of"],
    [['--counters', 'memory.bits'], "counters: 'memory.bits' is no counter"],
    [['--coupling', 'none', '--counters', 'memory.bytesRead'], 'counters: needs coupling exact'],
    [['--coupling', 'none', '--energy'], 'energy: needs coupling exact'],
    [['--energy-link-class', 'air'], "energy-link-class: 'air' is none of on-chip"],
  ])('study sweep refuses %j', async (options, message) => {
    const { status, stderr } = await run('study', 'sweep', 'model.glb', ...options);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
