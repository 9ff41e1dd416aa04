/** One trace from the request through every process, with its spans at a collector. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  postModel,
  renderUntilTrusted,
  startTestService,
  stopServicesAfterAll,
  type TestService,
} from '../support/service-harness.ts';

stopServicesAfterAll();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

/** Resource of a span in OTLP. */
interface SentResource {
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string };
  }[];
}

type LogFields = Record<string, unknown>;

/** Spans that the collector received. */
const received: SentSpan[] = [];
const serviceNames = new Set<string | undefined>();
const collector = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as {
    resourceSpans: { resource: SentResource; scopeSpans: { spans: SentSpan[] }[] }[];
  };
  for (const { resource, scopeSpans } of resourceSpans) {
    const name = resource.attributes.find(({ key }) => key === 'service.name');
    serviceNames.add(name?.value.stringValue);
    for (const { spans } of scopeSpans) received.push(...spans);
  }
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
});

/** Returns log lines about the frames of a trace, by process. */
function frameLines({ lines }: TestService, wanted: string): Map<string, LogFields[]> {
  const found: [string, LogFields][] = [];
  for (const line of lines) {
    const at = line.indexOf(': {');
    if (at < 0) continue;
    const fields = JSON.parse(line.slice(at + 2)) as LogFields;
    if (fields.frameId !== undefined) found.push([line.slice(0, at), fields]);
  }
  const recordOf = ({ frameId }: LogFields) => String(frameId).split('/', 1)[0];
  const traced = found.filter(([, { traceId }]) => traceId === wanted);
  const records = new Set(traced.map(([, fields]) => recordOf(fields)));
  const byProcess = new Map<string, LogFields[]>();
  for (const [name, fields] of found) {
    if (records.has(recordOf(fields))) {
      byProcess.set(name, [...(byProcess.get(name) ?? []), fields]);
    }
  }
  return byProcess;
}

describe('a trace', () => {
  let started: TestService;
  let spans: readonly SentSpan[] = [];
  let answer: Response;

  beforeAll(async () => {
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    started = await startTestService({
      workerCount: 2,
      environment: {
        TESSERA_LOG_LEVEL: 'debug',
        TESSERA_OTLP_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
      },
    });
    const query = '?width=128&height=128&bins=16&timing=functional';
    const model = await makeModelGlb();
    await renderUntilTrusted(started.url, model, '?width=512&height=512&bins=64');
    answer = await postModel(started.url, model, query, {
      traceparent: `00-${TRACE}-${PARENT}-01`,
    });
    expect(answer.status).toBe(200);
    const deadlineMs = performance.now() + 20_000;
    const isComplete = () =>
      received.some(({ name, traceId }) => name === 'request' && traceId === TRACE);
    while (!isComplete() && performance.now() < deadlineMs) await sleep(100);
    spans = received.filter(({ traceId }) => traceId === TRACE);
  });
  afterAll(() => collector.close());

  it('is in every line about the frame, in every process', () => {
    const byProcess = frameLines(started, TRACE);
    expect([...byProcess.keys()].sort()).toEqual([
      'chiplet-worker 1',
      'chiplet-worker 2',
      'coordinator',
      'visibility-chiplet',
    ]);
    for (const lines of byProcess.values()) {
      expect(lines.map(({ traceId }) => traceId)).toEqual(lines.map(() => TRACE));
    }
  });

  it('is reported to the client', () => {
    expect(answer.headers.get('trace-id')).toBe(TRACE);
  });

  it('names the service', () => {
    expect([...serviceNames]).toEqual(['tessera-coordinator']);
  });

  it('has a span for each step, under that of the request', () => {
    const request = spans.find(({ name }) => name === 'request');
    expect(request?.parentSpanId).toBe(PARENT);
    const steps = spans.filter(({ name }) => name !== 'request');
    expect(steps.map(({ name }) => name).sort()).toEqual([
      'bins',
      'composite',
      'encode',
      'prepare',
      'queue',
      'visibility',
    ]);
    const start = BigInt(request!.startTimeUnixNano);
    for (const { name, parentSpanId, startTimeUnixNano, endTimeUnixNano } of steps) {
      expect(parentSpanId, name).toBe(request!.spanId);
      expect(BigInt(startTimeUnixNano) >= start, name).toBe(true);
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano), name).toBe(true);
    }
  });

  it('is new for a request without one', async () => {
    const { headers } = await fetch(`${started.url}/livez`);
    expect(headers.get('trace-id')).toMatch(/^(?!4bf92f35)[0-9a-f]{32}$/);
  });
});
