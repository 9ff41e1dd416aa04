/** `tessera submit FILE`: has a running service render a frame and shows its progress. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { CallOptions, FrameStatus, TesseraClient } from '@tessera/client';
import { DEFAULT_FRAME_LIMITS, DEFAULT_OPTIONS, RenderError } from '@tessera/frame';
import { benchmarkSceneOf } from '../inputs/benchmark-scene.ts';
import { type PostedBody, readPostedBody } from '../inputs/read-posted-body.ts';
import {
  askService,
  connectToService,
  frameFailure,
  SERVICE_OPTIONS,
} from '../inputs/service-options.ts';
import { specQuery } from '../inputs/spec-option.ts';
import { optionalInteger, parseOptions } from '../terminal/command-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { printJson, printNote, printText } from '../terminal/terminal-output.ts';

/** Options that are passed on unchanged. The service checks them. */
const QUERY_NAMES = [
  'name',
  'tags',
  'width',
  'height',
  'policy',
  'bins',
  'grid',
  'split',
  'visibility',
  'timing',
  'coupling',
  'chiplets',
  'camera',
  'time',
  'frame',
  'call',
] as const;

/**
 * Runs the command.
 *
 * @throws {RenderError} On bad options, errors of the service, and a frame that fails.
 */
export async function runSubmitCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseSubmitArgs(args);
  const [path] = positionals;
  if (path === undefined || positionals.length > 1) {
    throw new RenderError('REQUEST_INVALID', 'give exactly one model, capture or native frame');
  }
  const scene = benchmarkSceneOf(path);
  const query: Record<string, string> = { name: scene ?? basename(path) };
  for (const name of QUERY_NAMES) {
    const text = values[name];
    // A native frame has its size within.
    const isWithin = scene !== null && (name === 'width' || name === 'height');
    if (text !== undefined && !isWithin) query[name] = text;
  }
  if (values['timeline-cycles'] !== undefined) query.timeline = values['timeline-cycles'];
  if (values.occlusion) query.occlusion = 'true';
  Object.assign(query, specQuery(values.spec, values.set));
  const client = await connectToService(values);
  const { widthPx, heightPx } = DEFAULT_OPTIONS;
  const { maxEdgePx } = DEFAULT_FRAME_LIMITS;
  const body = await readPostedBody(path, {
    widthPx: optionalInteger('width', values.width, 1, maxEdgePx) ?? widthPx,
    heightPx: optionalInteger('height', values.height, 1, maxEdgePx) ?? heightPx,
  });
  const status = await askService(values.url, () => renderRemotely(client, body, query));
  for (const warning of status.warnings) printNote(`warning: ${warning}\n`);
  if (status.status !== 'done') throw frameFailure(status.error);
  await askService(values.url, () => fetchResults(client, status, values));
}

/** Posts the frame and polls it until it completes or fails. */
async function renderRemotely(
  client: TesseraClient,
  body: PostedBody,
  query: Readonly<Record<string, string>>,
): Promise<FrameStatus> {
  // Texts in place of numbers: the service reads both.
  const parameters = query as CallOptions<'postFrame'>['parameters'];
  const posted = await client.call('postFrame', { body, parameters: parameters ?? {} });
  if (posted.status !== 202)
    throw new Error(`the service answered with status ${posted.status}; expected 202`);
  const { id } = posted.value;
  const bar = new ProgressBar();
  let binsDone = 0;
  let binCount = 0;
  let phase: string = posted.value.progress.phase;
  try {
    for await (const { name, body: event } of client.events('watchFrame', { parameters: { id } })) {
      if (name === 'bin') binsDone++;
      if (name === 'frame') {
        // The OpenAPI document guarantees this type.
        ({ phase, binsDone, binCount } = (event as FrameStatus).progress);
      }
      bar.update(binsDone, binCount, phase);
    }
  } finally {
    bar.end();
  }
  return (await client.call('getFrame', { parameters: { id } })).value;
}

async function fetchResults(
  client: TesseraClient,
  status: FrameStatus,
  values: ReturnType<typeof parseSubmitArgs>['values'],
): Promise<void> {
  const parameters = { id: status.id };
  const image = await client.call('getFrameImage', { parameters });
  if (image.status === 200) await writeFile(values.output, image.value);
  const { value: report } = await client.call('getFrameReport', { parameters });
  if (report === null) throw new Error(`frame ${status.id}: has no report`);
  if (values.report !== undefined) {
    await writeFile(values.report, `${JSON.stringify(report, null, 2)}\n`);
  }
  if (values.timeline !== undefined) {
    const { value: timeline } = await client.call('getFrameTimeline', { parameters });
    await writeFile(values.timeline, `${JSON.stringify(timeline)}\n`);
  }
  if (values.json) {
    const files = { picture: values.output, report: values.report, timeline: values.timeline };
    printJson({ frame: status, files, report });
    return;
  }
  const { totals, wall, chiplets, policy } = report;
  printText(
    `${values.output}: frame ${status.id}, ${chiplets.length} chiplets, ${policy}, ` +
      `${totals.primitives} primitives, ${totals.fragments} fragments, ` +
      `${totals.cycles === null ? '' : `${totals.cycles} cycles, `}${Math.round(wall.totalMs)} ms wall\n`,
  );
}

function parseSubmitArgs(args: readonly string[]) {
  return parseOptions(args, {
    output: { type: 'string', short: 'o', default: 'out.png' },
    report: { type: 'string' },
    timeline: { type: 'string' },
    'timeline-cycles': { type: 'string' },
    json: { type: 'boolean', default: false },
    occlusion: { type: 'boolean', default: false },
    name: { type: 'string' },
    tags: { type: 'string' },
    width: { type: 'string' },
    height: { type: 'string' },
    policy: { type: 'string' },
    bins: { type: 'string' },
    grid: { type: 'string' },
    split: { type: 'string' },
    visibility: { type: 'string' },
    timing: { type: 'string' },
    coupling: { type: 'string' },
    spec: { type: 'string' },
    set: { type: 'string', multiple: true },
    chiplets: { type: 'string' },
    camera: { type: 'string' },
    time: { type: 'string' },
    frame: { type: 'string' },
    call: { type: 'string' },
    ...SERVICE_OPTIONS,
  });
}
