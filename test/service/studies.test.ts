/** Studies over HTTP: results, rejected requests, cancellation, recovery. */
import { energyOfReport } from '@tessera/energy';
import { addCounters, COUNTER_NAMES, type Counters, type Report } from '@tessera/frame';
import { ENERGY_COLUMNS, STUDY_COLUMNS } from '@tessera/study';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCsv, readRecords } from '../../packages/experiments/src/tables/csv.ts';
import { makeKnotModel } from '../../scripts/launch/examples/knot-model.ts';
import { readEvents } from '../support/read-events.ts';
import {
  makeDataFolder,
  postModel,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

interface Study {
  readonly status: string;
  readonly progress: {
    readonly done: number;
    readonly total: number;
    readonly secondsLeft: number | null;
  };
  readonly links: {
    readonly self: string;
    readonly csv: string;
    readonly events: string;
    readonly plots: Record<string, string>;
  };
  readonly rows: {
    policy: string;
    chiplets: number;
    cycles: number;
    linkBytes: number;
    bins: number;
    speedUp: number;
    imageSha256: string;
    spec: string;
    specDigest: string;
    widthPx: number;
    heightPx: number;
    linkTopology: string;
    placement: string;
    organization: string;
    visibilityChiplets: number;
    visibilityDelivery: string;
    settings?: Record<string, number>;
    energyLowPj?: number;
    energyTypicalPj?: number;
    energyHighPj?: number;
    powerTypicalMw?: number;
    energyDelayTypicalPjS?: number;
  }[];
}

const SIZE = '?width=256&height=192&quality=simple&bins=8';

function postStudy(url: string, body: unknown): Promise<Response> {
  return fetch(`${url}/v1/studies`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function getStudy(url: string, location: string): Promise<Study> {
  return (await (await fetch(url + location)).json()) as Study;
}

describe('studies', () => {
  const environment = { TESSERA_DATA_DIR: makeDataFolder() };
  let started: TestService;
  let model: Uint8Array;
  let frame: string;

  beforeAll(async () => {
    model = await makeKnotModel();
    started = await startTestService({ workerCount: 1, environment });
    const posted = await postModel(started.url, model, SIZE);
    frame = posted.headers.get('location')!.split('/').pop()!;
  });

  it.each(['none', 'exact'])(
    'have the same cycles as frames rendered on that many chiplets, coupling %s',
    async (coupling) => {
      const { url } = started;
      const body = {
        coupling,
        frames: [frame],
        chiplets: [4, 1, 2],
        policies: ['static', 'dynamic'],
        bins: [8],
      };
      const admitted = await postStudy(url, body);
      expect(admitted.status).toBe(202);
      const location = admitted.headers.get('location')!;
      const { links } = (await admitted.json()) as Study;
      const events = await readEvents(url + links.events, {});
      expect(events.at(-1)).toMatchObject({
        name: 'study',
        body: { status: 'done', progress: { done: 1, total: 1, secondsLeft: 0 } },
      });
      const study = await getStudy(url, location);
      expect(study.rows.map(({ policy, chiplets }) => `${policy} ${chiplets}`)).toEqual(
        ['static', 'dynamic'].flatMap((policy) => [1, 2, 4].map((n) => `${policy} ${n}`)),
      );
      for (const { policy, chiplets, ...row } of study.rows.slice(2)) {
        const query = `${SIZE}&policy=${policy}&chiplets=${chiplets}&coupling=${coupling}`;
        const report = (await (await postModel(url, model, query)).json()) as Report;
        expect(row).toMatchObject({
          cycles: report.totals.cycles,
          visibilityCycles: report.visibility.cycles,
          lowerBoundCycles: report.assignment.lowerBoundCycles,
          imbalance: Number(report.assignment.imbalance.toFixed(4)),
          linkBytes: report.link.bytes,
          imageSha256: report.image.sha256,
        });
      }
      expect(study.rows[0]!.speedUp).toBeCloseTo(1, 1);

      const csv = await (await fetch(url + links.csv)).text();
      const rows = readRecords(parseCsv(csv));
      expect(Object.keys(rows[0]!)).toEqual(Object.keys(STUDY_COLUMNS));
      expect(rows).toHaveLength(6);
      expect(rows[0]).toMatchObject({
        coupling,
        scene: 'glTF model',
        frameIndex: '0',
        widthPx: '256',
        bins: '8',
        grid: '4x2',
        linkTopology: 'bus',
        speedUp: expect.stringMatching(/^\d+(\.\d{1,4})?$/),
        simulatedMs: String(study.rows[0]!.cycles / 1e6),
      });
      for (const path of Object.values(links.plots)) {
        const plot = await fetch(url + path);
        expect(plot.headers.get('content-type')).toContain('image/svg+xml');
        expect(await plot.text()).toMatch(/^<svg [\s\S]*<polyline [\s\S]*<\/svg>\n$/);
      }
      expect((await fetch(`${url}${location}/plots/none`)).status).toBe(400);
      const noEnergy = await fetch(`${url}${location}/series?figure=energyTypicalPj`);
      expect(noEnergy.status).toBe(400);
      expect(await noEnergy.text()).toContain('was posted without energy');
      expect((await fetch(url + location, { method: 'DELETE' })).status).toBe(204);
      expect((await fetch(url + location)).status).toBe(404);
    },
  );

  it.each([
    [{ frames: [], chiplets: [1] }, 400, 'body.frames'],
    [{ frames: ['none'], chiplets: [1] }, 404, 'no frame none'],
    [{ frames: ['x'], chiplets: [257, 1], coupling: 'exact' }, 413, '257 chiplets; at most 256'],
    [{ frames: ['x'], chiplets: [1], energy: { memory: 'ddr9' } }, 400, 'body.energy.memory'],
    [{ frames: ['x'], chiplets: [1], energy: {}, coupling: 'none' }, 400, 'body.energy: needs'],
    [{ frames: ['x'], chiplets: [0] }, 400, 'body.chiplets.0: must be >= 1'],
    [{ frames: ['x'], chiplets: [1], color: 1 }, 400, 'body.color: unknown parameter'],
    [{ frames: ['x'], chiplets: [1], specs: ['imaginary'] }, 400, 'imaginary'],
    [
      { frames: ['x'], chiplets: [1], specs: [{ set: { smCount: 0 } }] },
      400,
      'body.specs: smCount: 0',
    ],
    [{ frames: ['x'], chiplets: [1], specs: [{ smCount: 2 }] }, 400, 'body.specs: smCount'],
    [
      { frames: ['x'], chiplets: [1], grids: ['8/chiplet'] },
      400,
      "body.grids: '8/chiplet' depends",
    ],
    [{ frames: ['x'], chiplets: [1], grids: ['4x'] }, 400, "body.grids: '4x' is not"],
    [{ frames: ['x'], chiplets: [1], grids: ['4x4'], bins: [4] }, 400, 'body.grids: replace'],
    [
      { frames: ['x'], chiplets: [1], sizes: ['640'] },
      400,
      "body.sizes: '640' is not WIDTHxHEIGHT",
    ],
    [{ frames: ['x'], chiplets: [1], splits: [1025] }, 400, 'body.splits.0'],
    [{ frames: ['x'], chiplets: [1], linkTopologies: ['star'] }, 400, 'body.linkTopologies.0'],
    [
      { frames: ['x'], chiplets: [1], coupling: 'none', linkTopologies: ['mesh'] },
      400,
      "body.link: link topology: 'mesh' needs",
    ],
    [{ frames: ['x'], chiplets: [1], placements: ['near'] }, 400, "placements: placement: 'near'"],
    [{ frames: ['x'], chiplets: [1], overlaps: ['always'] }, 400, 'body.overlaps.0'],
    [
      { frames: ['x'], chiplets: [1], counters: ['memory.bits'] },
      400,
      "'memory.bits' is no counter",
    ],
    [
      { frames: ['x'], chiplets: [1], counters: ['memory.bytesRead'], coupling: 'none' },
      400,
      'body.counters: needs coupling exact',
    ],
    [
      { frames: ['x'], chiplets: [2], organizations: ['sort-last'] },
      400,
      'body.organizations: sort-last is not possible in a study',
    ],
    [
      { frames: ['x'], chiplets: [2], organizations: ['pooled'] },
      400,
      'body.organizations.0: must',
    ],
    [
      { frames: ['x'], chiplets: [1, 2], visibilityChiplets: [2] },
      400,
      'body.visibilityChiplets: 2',
    ],
    [
      { frames: ['x'], chiplets: [2], visibilityDelivery: ['stream'], splits: [1] },
      400,
      'body.visibilityDelivery: visibilityDelivery: stream is possible only without split bins',
    ],
    [
      { frames: ['x'], chiplets: [2], organizations: ['split-frame'], visibilityChiplets: [1, 2] },
      400,
      'split-frame is possible only with visibilityChiplets 1',
    ],
    [
      {
        frames: ['x'],
        chiplets: [2],
        organizations: ['split-frame'],
        counters: ['memory.bytesRead'],
      },
      400,
      'body.counters: not possible with organization split-frame',
    ],
    [
      {
        frames: ['x'],
        chiplets: Array.from({ length: 64 }, (_, i) => i + 1),
        bins: Array.from({ length: 64 }, (_, i) => i + 1),
        policies: ['static', 'dynamic'],
        visibility: ['minimal', 'full'],
        specs: ['default', 'loongson', 'a', 'b', 'c', 'd', 'e', 'f', 'g'],
      },
      413,
      'frames to render',
    ],
  ])('are refused with a place: %#', async (body, status, place) => {
    const answer = await postStudy(started.url, body);
    expect(answer.status).toBe(status);
    expect(((await answer.json()) as { detail: string }).detail).toContain(place);
  });

  it('sweep link, grid, split, occlusion, overlap, size and counters as frames have them', async () => {
    const { url } = started;
    const axes = {
      chiplets: [3],
      grids: ['2x2'],
      splits: [1],
      occlusion: [true],
      sizes: ['128x96', '192x128'],
      linkTopologies: ['ring', 'mesh'],
      linkBytesPerCycle: [8],
      linkLatencyCycles: [100],
      placements: ['replicated', 'textures=interleaved,buffers=home'],
      overlaps: ['after-own-bins'],
      counters: COUNTER_NAMES,
      energy: { memory: 'hbm2', linkClass: 'advanced-package', packageLinkClass: 'board' },
    } as const;
    const admitted = await postStudy(url, { frames: [frame], ...axes });
    expect(admitted.status).toBe(202);
    const { links, ...status } = (await admitted.json()) as Study;
    expect(status).toMatchObject({ sweep: axes, progress: { total: 2 } });
    await readEvents(url + links.events, {});
    const { rows } = await getStudy(url, links.self);
    expect(rows.map((row) => `${row.widthPx} ${row.linkTopology} ${row.placement}`)).toEqual(
      [128, 192].flatMap((width) =>
        axes.linkTopologies.flatMap((link) => axes.placements.map((p) => `${width} ${link} ${p}`)),
      ),
    );
    for (const { widthPx, heightPx, linkTopology, placement, ...row } of rows) {
      const query =
        `?width=${widthPx}&height=${heightPx}&quality=simple&grid=2x2&split=1&occlusion=true&chiplets=3` +
        `&linkTopology=${linkTopology}&linkBytesPerCycle=8&linkLatencyCycles=100` +
        `&placement=${placement}&overlap=after-own-bins`;
      const report = (await (await postModel(url, model, query)).json()) as Report;
      const counters: Counters = {};
      for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
      expect(row).toMatchObject({
        cycles: report.totals.cycles,
        lowerBoundCycles: report.assignment.lowerBoundCycles,
        linkBytes: report.link.bytes,
        remoteBytes: (report.link.remote?.bytes.flat() ?? []).reduce((a, b) => a + b, 0),
        counters: Object.fromEntries(COUNTER_NAMES.map((name) => [name, counters[name] ?? 0])),
      });
      const { total, averagePower } = energyOfReport(report, axes.energy);
      const { lowPj, typicalPj, highPj } = total.total;
      const ratios = [
        row.energyLowPj! / lowPj,
        row.energyTypicalPj! / typicalPj,
        row.energyHighPj! / highPj,
        row.powerTypicalMw! / averagePower.typicalMw,
        row.energyDelayTypicalPjS! / (typicalPj * report.totals.simulatedMs! * 1e-3),
      ];
      for (const ratio of ratios) expect(ratio).toBeCloseTo(1, 5);
    }
    const csv = await (await fetch(url + links.csv)).text();
    const names = [...Object.keys(ENERGY_COLUMNS), ...COUNTER_NAMES];
    expect(csv.split('\n', 1)[0]).toContain(`,commit,${names.join()}`);
    const plot = await fetch(url + links.plots.energyDelayTypicalPjS!);
    expect(await plot.text()).toContain('picojoule seconds');
  });

  it.each(['none', 'exact'])(
    'sweep the ways to share a frame as frames have them, coupling %s',
    async (coupling) => {
      const { url } = started;
      const studies = [
        { organizations: ['binned', 'split-frame', 'alternate-frame'] },
        { visibilityChiplets: [1, 2], visibilityDelivery: ['phase', 'stream'] },
      ];
      for (const axes of studies) {
        // Several specifications share each rendering.
        const sweep = { smCount: [2, 4] };
        const body = { coupling, frames: [frame], chiplets: [2, 3], sweep, bins: [8], ...axes };
        const admitted = await postStudy(url, body);
        expect(admitted.status).toBe(202);
        const { links, ...status } = (await admitted.json()) as Study;
        expect(status).toMatchObject({ sweep: axes });
        await readEvents(url + links.events, {});
        const { rows } = await getStudy(url, links.self);
        const lists = Object.values(axes);
        expect(rows).toHaveLength(lists.reduce((count, { length }) => count * length, 2 * 2));
        for (const row of rows) {
          const { organization, visibilityChiplets, visibilityDelivery, chiplets, settings } = row;
          const query =
            `${SIZE}&coupling=${coupling}&chiplets=${chiplets}&organization=${organization}` +
            `&visibilityChiplets=${visibilityChiplets}&visibilityDelivery=${visibilityDelivery}` +
            `&set=smCount=${settings!.smCount}`;
          const report = (await (await postModel(url, model, query)).json()) as Report;
          expect(row, query).toMatchObject({
            cycles: report.totals.cycles,
            visibilityCycles: report.visibility.cycles,
            lowerBoundCycles: report.assignment.lowerBoundCycles,
            imbalance: Number(report.assignment.imbalance.toFixed(4)),
            linkBytes: report.link.bytes,
            imageSha256: report.image.sha256,
          });
        }
        // The values differ in their effects.
        const compared = rows.filter((row) => row.chiplets === 3 && row.settings!.smCount === 4);
        const effects = compared.map(({ cycles, linkBytes }) => `${cycles} ${linkBytes}`);
        expect(new Set(effects).size).toBe(effects.length);
        const series = await (await fetch(`${url}${links.self}/series`)).json();
        expect(series).toMatchObject({ lineCount: rows.length / 2 });
      }
    },
  );

  it('are refused if a frame has a way to share that does not fit the values', async () => {
    const { url } = started;
    const posted = async (query: string) => {
      const answer = await postModel(url, model, SIZE + query);
      return answer.headers.get('location')!.split('/').pop()!;
    };
    const sortLast = await posted('&chiplets=2&organization=sort-last');
    const refused = await postStudy(url, { frames: [frame, sortLast], chiplets: [2] });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining(`body.organizations: frame ${sortLast}: sort-last is not possible`),
    ]);
    const streamed = await posted('&visibilityDelivery=stream');
    const split = await postStudy(url, { frames: [streamed], chiplets: [2], splits: [1] });
    expect([split.status, await split.text()]).toEqual([
      400,
      expect.stringContaining(`body.visibilityDelivery: frame ${streamed}: `),
    ]);
    // The study has the values of the frame unless it sweeps them.
    const body = { frames: [streamed], chiplets: [2], bins: [8] };
    for (const [axes, visibilityDelivery] of [
      [{}, 'stream'],
      [{ visibilityDelivery: ['phase'] }, 'phase'],
    ] as const) {
      const admitted = await postStudy(url, { ...body, ...axes });
      const { links } = (await admitted.json()) as Study;
      await readEvents(url + links.events, {});
      const { rows } = await getStudy(url, links.self);
      expect(rows).toMatchObject([
        { organization: 'binned', visibilityChiplets: 1, visibilityDelivery },
      ]);
    }
  });

  it('accept specifications as objects, with a digest that tells them apart', async () => {
    const { url } = started;
    const specs = ['default', { preset: 'default', set: { l2CacheBytes: 65_536 } }];
    const admitted = await postStudy(url, { frames: [frame], chiplets: [2], specs });
    expect(admitted.status).toBe(202);
    const { links } = (await admitted.json()) as Study;
    await readEvents(url + links.events, {});
    const { rows } = await getStudy(url, links.self);
    expect(rows.map(({ spec }) => spec)).toEqual(['default', 'default+l2CacheBytes=65536']);
    const digests = rows.map(({ specDigest }) => specDigest);
    expect(new Set(digests).size).toBe(2);
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{12}$/);
  });

  it('refuse frames of captures, or sizes, if no scene has them', async () => {
    const refused = await postStudy(started.url, {
      frames: [frame],
      chiplets: [1],
      frameIndices: [1],
    });
    expect(refused.status).toBe(400);
    expect(((await refused.json()) as { detail: string }).detail).toBe(
      'body.frameIndices: none of the scenes is a capture; only a capture has several frames',
    );
  });

  it('render fewer specifications at a time if together they take too long', async () => {
    const limited = await startTestService({
      workerCount: 1,
      environment: { TESSERA_DATA_DIR: makeDataFolder(), TESSERA_FRAME_MS: '8000' },
    });
    const posted = await postModel(limited.url, model, SIZE);
    const id = posted.headers.get('location')!.split('/').pop()!;
    const dramColumnCycles = Array.from({ length: 32 }, (_, i) => i + 8);
    const body = {
      coupling: 'none',
      frames: [id],
      chiplets: [2],
      bins: [8],
      sweep: { dramColumnCycles },
    };
    const listTooLong = async () => {
      const listed = await fetch(`${limited.url}/v1/frames?tag=study&limit=100`);
      const { frames } = (await listed.json()) as { frames: { status: string }[] };
      return frames.filter(({ status }) => status === 'failed').length;
    };
    // A halted chiplet makes the frame take too long on a machine of any speed.
    const visibility = limited.service.pids().get('visibility-chiplet')!;
    process.kill(visibility, 'SIGSTOP');
    const admitted = await postStudy(limited.url, body);
    const { links } = (await admitted.json()) as Study;
    await expect.poll(listTooLong, { timeout: 60_000 }).toBeGreaterThan(0);
    process.kill(visibility, 'SIGCONT');
    await readEvents(limited.url + links.events, {});
    const study = await getStudy(limited.url, links.self);
    expect(study).toMatchObject({ status: 'done', progress: { done: 32 } });
    expect(study.rows).toHaveLength(32);
    const cycles = study.rows.map((row) => row.cycles);
    expect(new Set(cycles).size).toBeGreaterThan(16);
  }, 300_000);

  it('can be cancelled', async () => {
    const { url } = started;
    const body = { frames: [frame], chiplets: [1], bins: [1, 2, 3, 4, 5, 6, 7, 8] };
    const location = (await postStudy(url, body)).headers.get('location')!;
    expect((await fetch(url + location, { method: 'DELETE' })).status).toBe(204);
    await expect
      .poll(async () => (await getStudy(url, location)).status, { timeout: 60_000 })
      .toBe('cancelled');
  });

  it('continue after the service is killed', async () => {
    const bins = [1, 2, 4, 8, 16];
    const body = { frames: [frame], chiplets: [1, 2], bins };
    const location = (await postStudy(started.url, body)).headers.get('location')!;
    await expect
      .poll(async () => (await getStudy(started.url, location)).progress.done, {
        timeout: 60_000,
        interval: 20,
      })
      .toBeGreaterThan(0);
    process.kill(started.service.pids().get('coordinator')!, 'SIGKILL');
    await expect.poll(() => started.service.pids().size, { timeout: 60_000 }).toBe(0);
    started = await startTestService({ workerCount: 1, environment });
    await expect
      .poll(async () => (await getStudy(started.url, location)).status, { timeout: 60_000 })
      .toBe('done');
    const { rows } = await getStudy(started.url, location);
    expect(rows.map((row) => row.bins)).toEqual(bins.flatMap((count) => [count, count]));
    expect(new Set(rows.map(({ imageSha256 }) => imageSha256)).size).toBe(1);
  });
});
