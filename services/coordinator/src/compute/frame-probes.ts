/**
 * Probes of posted frames in a compute thread: prepares the source of a frame, renders its passes
 * again and observes their fragments and warps. The probe of the last frame is kept for the next
 * request.
 */
import { specOfSummary } from '@tessera/chiplet-spec';
import { HEAT_METRICS, type HeatMap, type Image, RenderError, type Report } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { FrameProbe } from '@tessera/local-gpu/probe';
import { costColor, type Rgb } from '@tessera/plot/colors';
import { onSpec } from '../prepare/frame-on-spec.ts';
import { prepareForProbe } from '../prepare/prepare-source.ts';
import type { ProbeQuery, ProbeRequest } from './probe-query.ts';
import type { ThreadMachines } from './thread-machines.ts';

/** Color of pixels without work. */
const NO_WORK: Rgb = [0, 0, 0];
/** Values of a heat map per piece of JSON. */
const VALUES_PER_PIECE = 65_536;

let kept: { readonly key: string; readonly probe: FrameProbe } | null = null;

/**
 * Returns the answer to a request as pieces of JSON, or as a PNG.
 *
 * @param machines Machines for questions that simulate the frame again.
 */
export async function answerProbe(
  request: ProbeRequest,
  machines: ThreadMachines,
): Promise<Iterable<string | Uint8Array>> {
  const { query, report: reportJson, ...source } = request;
  const report = JSON.parse(reportJson) as Report;
  const chipletCount = report.chiplets.length;
  const key = JSON.stringify([source, chipletCount]);
  if (kept?.key !== key) {
    kept = null; // Its memory is free before the next frame is prepared.
    kept = { key, probe: await makeProbe(source, chipletCount, machines) };
  }
  const { probe } = kept;
  try {
    return await answerQuery(probe, query, report);
  } catch (error) {
    kept = null;
    throw error;
  }
}

async function makeProbe(
  { prepare, spec, gpu }: Omit<ProbeRequest, 'query' | 'report'>,
  chipletCount: number,
  machines: ThreadMachines,
): Promise<FrameProbe> {
  const { frame, sources } = await prepareForProbe(prepare);
  const rendererCount = gpu.isVisibilityChipletRendering ? chipletCount : chipletCount - 1;
  const { grid } = prepare.options;
  return new FrameProbe(onSpec(frame, { spec, grid }, rendererCount), {
    spec: specOfSummary(spec),
    sources,
    gpu: { ...gpu, spec, chipletCount, makeMachine: machines.makerOf(spec) },
  });
}

async function answerQuery(
  probe: FrameProbe,
  query: ProbeQuery,
  report: Report,
): Promise<Iterable<string | Uint8Array>> {
  switch (query.kind) {
    case 'heat-map': {
      const { metric, pass = probe.screenPass, blockPx, home, format } = query;
      if (metric === 'remoteBytes') requireSameTraffic(probe, report);
      const { bins } = report;
      const map = probe.heatMap({ metric, pass, blockPx, bins, home });
      return format === 'png' ? [await encodePng(paintHeatMap(map))] : heatMapJson(map);
    }
    case 'pixel': {
      const { x, y, pass = probe.screenPass, sample } = query;
      return [JSON.stringify(probe.pixelHistory({ pass, x, y, sample }))];
    }
    case 'draws':
      return [JSON.stringify({ screenPass: probe.screenPass, draws: probe.draws() })];
    case 'shaders': {
      const programs = probe.shaders({ waits: query.waits ?? false });
      const stages = programs.flatMap((program) => program.stages);
      const issued = stages.reduce((sum, stage) => sum + stage.issued, 0);
      const issueCycles = stages.reduce((sum, stage) => sum + stage.issueCycles, 0);
      const { screenPass } = probe;
      return [JSON.stringify({ screenPass, issued, issueCycles, programs })];
    }
    case 'shader-profile': {
      const { program, pass = probe.screenPass, draw, waits } = query;
      const place = draw === undefined ? undefined : { pass, draw };
      return [JSON.stringify(probe.shaderProfile({ program, draw: place, waits }))];
    }
    case 'image-after': {
      const { pass = probe.screenPass, draw } = query;
      return [await encodePng(probe.imageAfter(pass, draw))];
    }
  }
}

/**
 * Compares the traffic of a new simulation with that of the report.
 *
 * @throws {RenderError} REQUEST_INVALID if they differ, because another version of the service
 *   rendered the frame.
 */
function requireSameTraffic(probe: FrameProbe, { link }: Report): void {
  const simulated = probe.textureReads.bytes;
  if (JSON.stringify(simulated) === JSON.stringify(link.remote?.textureBytes)) return;
  throw new RenderError(
    'REQUEST_INVALID',
    'metric: remoteBytes differs from link.remote.textureBytes of the report, because another version of the ' +
      'service rendered the frame; POST /v1/frames/{id}/again renders it with this one',
  );
}

function* heatMapJson(map: HeatMap): Generator<string, void> {
  const { values, ...rest } = map;
  const { counter, unit, meaning } = HEAT_METRICS[map.metric];
  const head = JSON.stringify({ ...rest, counter, unit, meaning }).slice(0, -1);
  yield `${head},"values":[`;
  for (let at = 0; at < values.length; at += VALUES_PER_PIECE) {
    const piece = Array.from(values.subarray(at, at + VALUES_PER_PIECE), textOf);
    yield (at === 0 ? '' : ',') + piece.join(',');
  }
  yield ']}';
}

/** Returns a value as JSON. Shares of cycles have nine digits. */
function textOf(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(9)));
}

/** Returns a heat map in colors, with one pixel per pixel of the target. */
function paintHeatMap({ values, max, blockPx, columns, widthPx, heightPx }: HeatMap): Image {
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  for (let y = 0; y < heightPx; y++) {
    const row = Math.floor(y / blockPx) * columns;
    for (let x = 0; x < widthPx; x++) {
      const value = values[row + Math.floor(x / blockPx)]!;
      const color = value === 0 ? NO_WORK : costColor(value / max);
      rgba.set([...color, 255], (y * widthPx + x) * 4);
    }
  }
  return { widthPx, heightPx, rgba };
}
