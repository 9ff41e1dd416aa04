/** Options of a frame have one default and one range over HTTP, on the command line and in code. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DEFAULT_ENERGY_OPTIONS, LINK_CLASS_NAMES, MEMORY_TECHNOLOGY_NAMES } from '@tessera/energy';
import {
  DEFAULT_FRAME_LIMITS,
  DEFAULT_OPTIONS,
  MAX_CHIPLETS,
  MAX_COARSE_BINS,
  VISIBILITY_DELIVERIES,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import {
  DEFAULT_INTERCONNECT,
  DEFAULT_ORGANIZATION,
  DEFAULT_OVERLAP,
  INTERCONNECT_FIELDS,
  LINK_TOPOLOGY_NAMES,
  MAX_SPLITS,
  ORGANIZATIONS,
  OVERLAP_MODES,
} from '@tessera/multi-chiplet';
import { firstFrame } from '@tessera/scenes';
import { describe, expect, it } from 'vitest';
import {
  GPU_OPTIONS,
  readGpuOptions,
} from '../../packages/experiments/src/commands/gpu-options.ts';
import { parseOptions } from '../../packages/experiments/src/terminal/command-options.ts';
import { FRAME_QUERY_SCHEMA } from '../../services/coordinator/src/http/frames/frame-schemas.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/defaults.md'), 'utf8');
const ROWS = new Map(
  [...DOCUMENT.matchAll(/^\| `(\w+)` \| (.*) \| (.*) \| (.*) \| (.*) \| (.*) \|$/gm)].map(
    ([, option, ...cells]) => [option!, cells.map((cell) => cell.replaceAll('`', ''))],
  ),
);
const { chiplets, policy, bins, splits, visibility, coupling, placement } = DEFAULT_OPTIONS;
const { topology, bytesPerCycle, latencyCycles } = DEFAULT_INTERCONNECT;
const { maxEdgePx } = DEFAULT_FRAME_LIMITS;

/** Default and range of each option in the code. */
const CODE: Readonly<Record<string, readonly [string | number, string | null]>> = {
  chiplets: [chiplets, `1 to ${MAX_CHIPLETS}, with coupling exact 256`],
  policy: [policy, null],
  bins: [bins, `1 to ${MAX_COARSE_BINS}`],
  split: [splits, `0 to ${MAX_SPLITS}`],
  visibility: [visibility, null],
  visibilityChiplets: [
    DEFAULT_OPTIONS.visibilityChiplets,
    `1 to ${MAX_CHIPLETS}, at most the number of chiplets`,
  ],
  visibilityDelivery: [DEFAULT_OPTIONS.visibilityDelivery, VISIBILITY_DELIVERIES.join(', ')],
  coupling: [coupling, 'none, exact'],
  placement: [placement, null],
  overlap: [DEFAULT_OVERLAP, OVERLAP_MODES.join(', ')],
  organization: [DEFAULT_ORGANIZATION, ORGANIZATIONS.join(', ')],
  linkTopology: [topology, LINK_TOPOLOGY_NAMES.join(', ')],
  linkBytesPerCycle: [
    bytesPerCycle,
    `${INTERCONNECT_FIELDS.bytesPerCycle.min} to ${INTERCONNECT_FIELDS.bytesPerCycle.max}`,
  ],
  linkLatencyCycles: [
    latencyCycles,
    `${INTERCONNECT_FIELDS.latencyCycles.min} to ${INTERCONNECT_FIELDS.latencyCycles.max}`,
  ],
  energyMemory: [DEFAULT_ENERGY_OPTIONS.memory, MEMORY_TECHNOLOGY_NAMES.join(', ')],
  energyLinkClass: [DEFAULT_ENERGY_OPTIONS.linkClass, LINK_CLASS_NAMES.join(', ')],
  energyPackageLinkClass: [DEFAULT_ENERGY_OPTIONS.packageLinkClass, LINK_CLASS_NAMES.join(', ')],
  width: [DEFAULT_OPTIONS.widthPx, `1 to ${maxEdgePx}`],
  height: [DEFAULT_OPTIONS.heightPx, `1 to ${maxEdgePx}`],
};

/** Fields of the query; their schemas have bounds, and defaults or descriptions with them. */
const QUERY = FRAME_QUERY_SCHEMA.properties as unknown as Readonly<
  Record<
    string,
    { minimum?: number; maximum?: number; default?: unknown; enum?: string[]; description?: string }
  >
>;

function readDefaults(...args: string[]) {
  return readGpuOptions(parseOptions(args, GPU_OPTIONS).values);
}

describe('docs/defaults.md', () => {
  it('has the defaults and ranges of the code', () => {
    expect([...ROWS.keys()]).toEqual(Object.keys(CODE));
    for (const [option, [value, range]] of Object.entries(CODE)) {
      const [, , , shownDefault, shownRange] = ROWS.get(option)!;
      expect(shownDefault, option).toBe(String(value));
      if (range !== null) expect(shownRange, option).toBe(range);
    }
  });

  it('has the defaults and ranges of a query', () => {
    for (const [option, [, , , , range]] of ROWS) {
      const http = ROWS.get(option)![1]!;
      const field = QUERY[http]!;
      const [value] = CODE[option]!;
      if (field.default !== undefined) expect(field.default, option).toBe(value);
      // A service has as many chiplets as are connected.
      else if (!/^(chiplets|split|placement)$/.test(http))
        expect(field.description, option).toContain(String(value));
      if (field.minimum !== undefined) {
        expect(range, option).toMatch(new RegExp(`^${field.minimum} to ${field.maximum}\\b`));
      }
      if (field.enum !== undefined && option !== 'policy') {
        expect(field.enum.join(', '), option).toBe(range);
      }
    }
  });
});

describe('defaults of the command line and of the library', () => {
  it('are those of the table', () => {
    const { hardware, options } = readDefaults();
    expect(hardware.chipletCount).toBe(chiplets);
    expect(options).toMatchObject({
      grid: { kind: 'bins', count: bins },
      splits,
      visibilityShader: visibility,
      timing: DEFAULT_OPTIONS.timing,
      coupling,
      overlap: DEFAULT_OVERLAP,
      organization: DEFAULT_ORGANIZATION,
      interconnect: DEFAULT_INTERCONNECT,
      energy: DEFAULT_ENERGY_OPTIONS,
    });
  });

  it('give equal reports: LocalGpu without options but timing, and the options of render', async () => {
    const frame = firstFrame({ widthPx: 192, heightPx: 128 });
    const { hardware, options } = readDefaults();
    const own = await new LocalGpu().render(frame, { timing: DEFAULT_OPTIONS.timing });
    const rendered = await new LocalGpu(hardware).render(frame, options);
    expect(own.report.chiplets).toHaveLength(chiplets);
    expect({ ...own.report, policy: null, wall: null }).toEqual({
      ...rendered.report,
      policy: null,
      wall: null,
    });
  });

  it.each([
    [['--chiplets', String(MAX_CHIPLETS + 1)], `chiplets: '1025' is not an integer from 1 to 1024`],
    [['--bins', '1025'], `bins: '1025' is not an integer from 1 to 1024`],
    [['--split', '1025'], `split: '1025' is not an integer from 0 to 1024`],
    [['--link-bytes-per-cycle', '65537'], 'link bytesPerCycle: 65537 is not an integer'],
    [['--link-latency-cycles', '100001'], 'link latencyCycles: 100001 is not an integer'],
    [['--energy-memory', 'ddr9'], "energy-memory: 'ddr9' is none of gddr6, lpddr5, hbm2"],
    [['--link-topology', 'star'], "link topology: 'star' is not one of bus"],
  ])('refuse %j', (args, message) => {
    expect(() => readDefaults(...args)).toThrow(message);
  });
});
