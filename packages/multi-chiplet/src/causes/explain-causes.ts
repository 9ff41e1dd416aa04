/** Explains the time of a frame in English, from its report. */
import {
  type BoundResource,
  type CausesReport,
  type FrameBound,
  listWaits,
  type PathStep,
  type PathStepKind,
  type Report,
  type TimedUnit,
  WAIT_MEANINGS,
  type WaitName,
} from '@tessera/frame';

/** Names of resources in sentences. Those in the plural end in an s. */
const RESOURCE_NAMES: Readonly<Record<BoundResource, string>> = {
  commandProcessor: 'the command processor',
  vertexFetch: 'vertex fetch',
  primitiveAssembly: 'primitive assembly',
  clipCull: 'clipping and culling',
  triangleSetup: 'triangle setup',
  fineBinner: 'the fine binner',
  fineBinReader: 'the reader of fine bins',
  tileTraversal: 'tile traversal',
  earlyDepth: 'early depth',
  warpPacking: 'warp packing',
  interpolator: 'the interpolator',
  taskScheduler: 'the task scheduler',
  shaderCore: 'the shader cores',
  textureUnit: 'the texture units',
  outputMerger: 'the output merger',
  outputBus: 'the output bus',
  l2Cache: 'the second-level cache',
  copyEngine: 'the copy engine',
  remoteServer: 'the server of remote memory',
  pageWalker: 'the page walker',
  dram: 'local memory',
  link: 'the link',
};

const STEP_NAMES: Readonly<Record<PathStepKind, string>> = {
  commands: 'commands',
  resources: 'resources',
  streams: 'visibility streams',
  targets: 'results of passes',
  layers: 'layers',
  pixels: 'pixels of bins',
  visibility: 'visibility',
  bins: 'bins',
  uploads: 'storing resources',
  resolves: 'resolving samples',
  composition: 'composing layers',
  copies: 'copies',
  stores: 'storing pixels',
  decisions: 'the assignment of bins and its messages',
};

const IDLE_MEANINGS = {
  resources: 'for resources',
  visibility: 'for the visibility phase',
  passes: 'for earlier passes',
  link: 'for the link',
  decisions: 'for the assignment of bins',
  imbalance: 'for bins of other chiplets',
  composition: 'for the composition of the image',
} as const;

/** Number of steps, waits and reasons in a sentence. */
const NAMED = 4;

/** Parts of a report that its explanation says in words. */
export type ExplainedReport = Pick<Report, 'totals' | 'chiplets' | 'spec' | 'link'> & {
  readonly causes: Omit<CausesReport, 'explanation'>;
};

/**
 * Explains a frame with cycle timing: how long it takes, its critical path, what bounds it, what
 * waits for what.
 *
 * @returns At most ten sentences, or pairs of them.
 */
export function explainCauses(report: ExplainedReport): string[] {
  const { causes, totals, chiplets, spec } = report;
  const cycles = totals.cycles!;
  const count = `${chiplets.length} chiplet${chiplets.length === 1 ? '' : 's'}`;
  const microseconds = ((cycles * 1e6) / spec.clockHz).toPrecision(4);
  return [
    `The frame takes ${formatCycles(cycles)}, ${microseconds} µs, on ${count} of the specification ${spec.name}.`,
    `Its critical path is ${describePath(causes.criticalPath, cycles)}.`,
    ...describeBounds(causes.bounds, cycles),
    ...describeWaits(report),
    ...describeIdle(report, cycles),
    ...describeLink(report, cycles),
  ];
}

function describePath(path: readonly PathStep[], cycles: number): string {
  const named = path.slice(0, NAMED).map(({ kind, chiplet, cycles: own }) => {
    const place =
      chiplet === null ? (kind === 'decisions' ? '' : ' on the link') : ` on chiplet ${chiplet}`;
    return `${percent(own / cycles)} ${STEP_NAMES[kind]}${place}`;
  });
  const rest = path.slice(NAMED).reduce((sum, step) => sum + step.cycles, 0);
  return joinWords(rest === 0 ? named : [...named, `${percent(rest / cycles)} other steps`]);
}

function describeBounds(bounds: readonly FrameBound[], cycles: number): string[] {
  const [first, second] = bounds;
  if (first === undefined) {
    return [
      'No unit and no link bounds it: even several of the busiest together, twice as fast, would save less than 2 %. Latencies do.',
    ];
  }
  const lines = [
    `${capitalize(nameBound(first))} ${verb(first, 'bounds', 'bound')} it: ${verb(first, 'it is', 'they are')} busiest in ${percent(first.share)} of the path, and busy in ${percent(first.utilization)} of that time.`,
    describeGain(first, cycles),
  ];
  if (second === undefined) return lines;
  return [
    ...lines,
    `Then ${nameBound(second)} ${verb(second, 'bounds', 'bound')} it. ${describeGain(second, cycles)}`,
  ];
}

function describeGain(bound: FrameBound, cycles: number): string {
  const { factor, predictedCycles, settings } = bound;
  const fast = factor === 2 ? 'twice as fast' : `${factor.toFixed(2)} times as fast`;
  const how =
    settings === null
      ? 'no parameter does that'
      : Object.entries(settings)
          .map(([name, value]) => `${name}=${value}`)
          .join(',');
  const gain = `${formatCycles(predictedCycles)}, ${(cycles / predictedCycles).toFixed(2)} times as fast`;
  return `If ${verb(bound, 'it was', 'they were')} ${fast} (${how}), the frame would take ${gain}.`;
}

/** Units whose waits are explained in any case. */
const EXPLAINED: readonly TimedUnit[] = ['shaderCore', 'textureUnit'];

/** Whether a resource is a unit that waits for more than its input. */
function isExplained(resource: BoundResource): resource is TimedUnit {
  return resource !== 'link' && listWaits(resource).some(({ kind }) => kind !== 'input');
}

/** Explains what the first bound and the units of shaders wait for. */
function describeWaits({ chiplets, causes }: ExplainedReport): string[] {
  const bound = causes.bounds[0]?.resources.find(isExplained);
  const units = [...new Set([...(bound === undefined ? [] : [bound]), ...EXPLAINED])];
  return units.flatMap((unit) => {
    const sum = (name: keyof Report['chiplets'][number]['counters']) =>
      chiplets.reduce((all, { counters }) => all + (counters[name] ?? 0), 0);
    const [busy, starved, stalled] = [
      sum(`${unit}.cyclesBusy`),
      sum(`${unit}.cyclesStarved`),
      sum(`${unit}.cyclesStalled`),
    ];
    if (busy === 0) return [];
    const all = busy + starved + stalled;
    const waits = listWaits(unit)
      .map(({ kind, counter }) => ({ kind, share: sum(counter) / all }))
      .filter(({ share }) => share >= 0.01)
      .sort((a, b) => b.share - a.share)
      .slice(0, NAMED);
    const isPlural = RESOURCE_NAMES[unit].endsWith('s');
    const named = waits.map(({ kind, share }) => `${percent(share)} ${describeWait(kind)}`);
    const waiting =
      named.length === 0 ? '' : `; ${isPlural ? 'they wait' : 'it waits'} ${joinWords(named)}`;
    return [
      `${capitalize(RESOURCE_NAMES[unit])} ${isPlural ? 'are' : 'is'} busy in ${percent(busy / all)} of all cycles${waiting}.`,
    ];
  });
}

/** Returns what a unit waits for. */
function describeWait(kind: WaitName): string {
  if (kind === 'input') return 'for work';
  return WAIT_MEANINGS[kind].replace(/^waits /, '').replace(/,.*$/, '');
}

function describeIdle({ chiplets, causes }: ExplainedReport, cycles: number): string[] {
  const all = cycles * chiplets.length;
  const idle = chiplets.reduce((sum, { idleCycles }) => sum + (idleCycles ?? 0), 0);
  if (idle === 0) return [];
  const reasons = Object.entries(IDLE_MEANINGS)
    .map(([reason, meaning]) => ({
      meaning,
      share: causes.idle.reduce((sum, own) => sum + own[reason as keyof typeof own], 0) / all,
    }))
    .filter(({ share }) => share >= 0.005)
    .sort((a, b) => b.share - a.share)
    .slice(0, NAMED);
  const named = reasons.map(({ meaning, share }) => `${percent(share)} ${meaning}`);
  const waiting = named.length === 0 ? '' : `; they wait ${joinWords(named)}`;
  return [`Chiplets are idle in ${percent(idle / all)} of all cycles${waiting}.`];
}

function describeLink({ link }: ExplainedReport, cycles: number): string[] {
  const busiest = link.channels.reduce<(typeof link.channels)[number] | null>(
    (most, each) => ((each.busyCycles ?? 0) > (most?.busyCycles ?? 0) ? each : most),
    null,
  );
  if (busiest === null) return [];
  return [
    `Of the link, channel ${busiest.channel} is busiest, in ${percent(busiest.busyCycles! / cycles)} of all cycles.`,
  ];
}

function nameBound({ resources }: FrameBound): string {
  return joinWords(resources.map((resource) => RESOURCE_NAMES[resource]));
}

function verb({ resources }: FrameBound, one: string, several: string): string {
  const isPlural = resources.length > 1 || RESOURCE_NAMES[resources[0]!].endsWith('s');
  return isPlural ? several : one;
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function capitalize(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
}

function formatCycles(cycles: number): string {
  return `${cycles.toLocaleString('en')} cycles`;
}
