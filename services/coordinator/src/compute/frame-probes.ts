/**
 * Probes of posted frames in a compute thread: prepares the source of a frame, renders its passes
 * again and observes their fragments and warps. The probe of the last frame is kept for the next
 * request.
 */
import { specOfSummary } from '@tessera/chiplet-spec';
import { HEAT_METRICS, type Image, type Report } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { FrameProbe, type HeatMap } from '@tessera/local-gpu/probe';
import { prepareForProbe } from '../prepare/prepare-source.ts';
import type { ProbeQuery, ProbeRequest } from './probe-query.ts';

/** Color of value 0, and of the shares of the greatest value. Dark to light for all people. */
const RAMP = [
  [0, 0, 0],
  [59, 28, 140],
  [183, 55, 121],
  [252, 137, 97],
  [252, 253, 191],
] as const;
/** Values of a heat map per piece of JSON. */
const VALUES_PER_PIECE = 65_536;

let kept: { readonly key: string; readonly probe: FrameProbe } | null = null;

/** Returns the answer to a request as pieces of JSON, or as a PNG. */
export async function answerProbe(request: ProbeRequest): Promise<Iterable<string | Uint8Array>> {
  const { query, report, ...source } = request;
  const key = JSON.stringify(source);
  if (kept?.key !== key) {
    kept = null; // Its memory is free before the next frame is prepared.
    kept = { key, probe: await makeProbe(source) };
  }
  const { probe } = kept;
  try {
    return await answerQuery(probe, query, report);
  } catch (error) {
    kept = null;
    throw error;
  }
}

async function makeProbe({
  prepare,
  spec,
  ...options
}: Omit<ProbeRequest, 'query' | 'report'>): Promise<FrameProbe> {
  const { frame, sources } = await prepareForProbe(prepare);
  return new FrameProbe(frame, { spec: specOfSummary(spec), sources, ...options });
}

async function answerQuery(
  probe: FrameProbe,
  query: ProbeQuery,
  report: string | null,
): Promise<Iterable<string | Uint8Array>> {
  switch (query.kind) {
    case 'heat-map': {
      const { metric, pass = probe.screenPass, blockPx, format } = query;
      const { bins } = report === null ? {} : (JSON.parse(report) as Report);
      const map = probe.heatMap({ metric, pass, blockPx, bins });
      return format === 'png' ? [await encodePng(paintHeatMap(map))] : heatMapJson(map);
    }
    case 'pixel': {
      const { x, y, pass = probe.screenPass, sample } = query;
      return [JSON.stringify(probe.pixelHistory({ pass, x, y, sample }))];
    }
    case 'draws':
      return [JSON.stringify({ screenPass: probe.screenPass, draws: probe.draws() })];
    case 'shaders': {
      const programs = probe.shaders();
      const stages = programs.flatMap((program) => program.stages);
      const issued = stages.reduce((sum, stage) => sum + stage.issued, 0);
      const issueCycles = stages.reduce((sum, stage) => sum + stage.issueCycles, 0);
      const { screenPass } = probe;
      return [JSON.stringify({ screenPass, issued, issueCycles, programs })];
    }
    case 'shader-profile': {
      const { program, pass = probe.screenPass, draw } = query;
      const place = draw === undefined ? undefined : { pass, draw };
      return [JSON.stringify(probe.shaderProfile({ program, draw: place }))];
    }
    case 'image-after': {
      const { pass = probe.screenPass, draw } = query;
      return [await encodePng(probe.imageAfter(pass, draw))];
    }
  }
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
      rgba.set(rampColor(max === 0 ? 0 : value / max), (y * widthPx + x) * 4);
    }
  }
  return { widthPx, heightPx, rgba };
}

/** @param share Share of the greatest value, 0 to 1. */
function rampColor(share: number): [number, number, number, number] {
  const at = share * (RAMP.length - 1);
  const below = RAMP[Math.floor(at)]!;
  const above = RAMP[Math.ceil(at)]!;
  const mix = (channel: 0 | 1 | 2) =>
    Math.round(below[channel] + (above[channel] - below[channel]) * (at % 1));
  return [mix(0), mix(1), mix(2), 255];
}
