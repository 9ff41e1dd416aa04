/**
 * Traces (W3C Trace Context). Every request has one: the client's, or a new one; its id is in the log lines and
 * messages about all that the request sets going. With TESSERA_OTLP_ENDPOINT spans are exported (OpenTelemetry, OTLP
 * over HTTP); without it nothing of OpenTelemetry runs.
 */
import { randomBytes } from 'node:crypto';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  TraceFlags,
  type Tracer,
  trace as traceApi,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** Between two exports. */
const EXPORT_EVERY_MS = 1000;

/** What the steps of a frame's way are called. */
export type SpanName = 'prepare' | 'queue' | 'visibility' | 'bins' | 'composite' | 'encode';

/** The trace that a frame belongs to. */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Enters a step; times are those of `performance.now`. */
  span(name: SpanName, startMs: number, endMs: number, attributes?: Attributes): void;
}

/** The trace of a request, whose own span ends with its answer. */
export interface RequestTrace extends Trace {
  end(attributes: Attributes): void;
}

const NO_STEPS = { span: () => {}, end: () => {} };

/** A trace of its own for what no request of this process set going. */
export function startTrace(): Trace {
  return { traceId: randomBytes(16).toString('hex'), ...NO_STEPS };
}

export class Tracing {
  readonly #provider: BasicTracerProvider | null;
  readonly #tracer: Tracer | null;

  /** @param endpoint Where spans are posted, `http://collector:4318/v1/traces`; empty: nowhere. */
  constructor(endpoint: string) {
    this.#provider =
      endpoint === ''
        ? null
        : new BasicTracerProvider({
            spanProcessors: [
              new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }), {
                scheduledDelayMillis: EXPORT_EVERY_MS,
              }),
            ],
          });
    this.#tracer = this.#provider?.getTracer('tessera-coordinator') ?? null;
  }

  /** @param traceparent The request's header; a malformed one counts as none, as W3C asks for. */
  begin(traceparent: string | undefined, attributes: Attributes): RequestTrace {
    const parent = parseTraceparent(traceparent);
    if (this.#tracer === null) {
      return parent === null ? { ...startTrace(), ...NO_STEPS } : { ...parent, ...NO_STEPS };
    }
    const tracer = this.#tracer;
    const outside =
      parent === null
        ? ROOT_CONTEXT
        : traceApi.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
    const request = tracer.startSpan('request', { attributes }, outside);
    const inside: Context = traceApi.setSpan(ROOT_CONTEXT, request);
    return {
      traceId: request.spanContext().traceId,
      span: (name, startMs, endMs, about) => {
        const span = tracer.startSpan(
          name,
          { startTime: epochMs(startMs), attributes: about ?? {} },
          inside,
        );
        span.end(epochMs(endMs));
      },
      end: (about) => request.setAttributes(about).end(),
    };
  }

  /** Sends what was not sent yet. */
  async close(): Promise<void> {
    await this.#provider?.shutdown();
  }
}

/** The phases of a frame that follow each other, a span each. */
export class PhaseSpans {
  readonly #trace: Trace;
  readonly #readClockMs: () => number;
  #current: SpanName | null = null;
  #sinceMs = 0;

  constructor(trace: Trace, readClockMs: () => number) {
    this.#trace = trace;
    this.#readClockMs = readClockMs;
  }

  /** Ends the phase before; entering the same again changes nothing. */
  enter(phase: SpanName | null): void {
    if (phase === this.#current) return;
    const nowMs = this.#readClockMs();
    if (this.#current !== null) this.#trace.span(this.#current, this.#sinceMs, nowMs);
    this.#current = phase;
    this.#sinceMs = nowMs;
  }
}

function epochMs(clockMs: number): number {
  return performance.timeOrigin + clockMs;
}

interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: TraceFlags;
}

/** @returns `null` for what is no traceparent of version 00 or, as far as it is known, of a later one. */
export function parseTraceparent(header: string | undefined): ParentSpan | null {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header?.trim() ?? '',
  );
  if (match === null) return null;
  const [, version, traceId, spanId, flags, rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  const isSampled = (Number.parseInt(flags!, 16) & TraceFlags.SAMPLED) !== 0;
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  };
}
