/**
 * Traces (W3C Trace Context). Every request has a trace: the client's or a new one. Its id is in
 * all log lines and messages that the request causes. With TESSERA_OTLP_ENDPOINT spans are exported
 * (OpenTelemetry, OTLP over HTTP). Without it OpenTelemetry is not loaded.
 */
import { randomBytes } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import type { SpanExport } from './span-export.ts';

/** Names of the steps of a frame. */
export type SpanName =
  | 'prepare'
  | 'queue'
  | 'visibility'
  | 'bins'
  | 'composite'
  | 'simulate'
  | 'encode';

/** Trace that a frame belongs to. */
export interface Trace {
  /** Trace id, 32 hexadecimal digits. */
  readonly traceId: string;
  /** Records a step. Times are those of `performance.now`. */
  span(name: SpanName, startMs: number, endMs: number, attributes?: Attributes): void;
}

/** Trace of a request, whose own span ends with the answer. */
export interface RequestTrace extends Trace {
  end(attributes: Attributes): void;
}

/** The only trace flag that W3C Trace Context level 1 defines. */
const SAMPLED = 1;

const NO_STEPS = { span: () => {}, end: () => {} };

/** Returns a trace without spans: a new one, or the continuation of one from an earlier process. */
export function startTrace(traceId = randomBytes(16).toString('hex')): Trace {
  return { traceId, ...NO_STEPS };
}

/** Starts the traces of requests. */
export class Tracing {
  readonly #spans: SpanExport | null;

  private constructor(spans: SpanExport | null) {
    this.#spans = spans;
  }

  /**
   * Creates the tracing of the service.
   *
   * @param endpoint URL that spans are posted to, `http://collector:4318/v1/traces`; empty to
   *   export none.
   */
  static async open(endpoint: string): Promise<Tracing> {
    if (endpoint === '') return new Tracing(null);
    const { exportSpans } = await import('./span-export.ts');
    return new Tracing(exportSpans(endpoint));
  }

  /**
   * Starts the trace of a request.
   *
   * @param traceparent Header of the request; a malformed one is ignored, as W3C requires.
   */
  begin(traceparent: string | undefined, attributes: Attributes): RequestTrace {
    const parent = parseTraceparent(traceparent);
    if (this.#spans !== null) return this.#spans.begin(parent, attributes);
    return parent === null ? { ...startTrace(), ...NO_STEPS } : { ...parent, ...NO_STEPS };
  }

  /** Exports all pending spans. */
  async close(): Promise<void> {
    await this.#spans?.close();
  }
}

/** Consecutive phases of a frame, one span each. */
export class PhaseSpans {
  readonly #trace: Trace;
  readonly #readClockMs: () => number;
  #current: SpanName | null = null;
  #sinceMs = 0;

  constructor(trace: Trace, readClockMs: () => number) {
    this.#trace = trace;
    this.#readClockMs = readClockMs;
  }

  /** Ends the previous phase. Does nothing if the phase is the same. */
  enter(phase: SpanName | null): void {
    if (phase === this.#current) return;
    const nowMs = this.#readClockMs();
    if (this.#current !== null) this.#trace.span(this.#current, this.#sinceMs, nowMs);
    this.#current = phase;
    this.#sinceMs = nowMs;
  }
}

/** Span of the client that a request belongs to. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** W3C trace flags; 1 means sampled. */
  readonly traceFlags: number;
}

/**
 * Returns the parent span of a `traceparent` header of version 00, or of the compatible part of a
 * later version. Returns null for a malformed header.
 */
export function parseTraceparent(header: string | undefined): ParentSpan | null {
  const match = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    header?.trim() ?? '',
  );
  if (match === null) return null;
  const [, version, traceId, spanId, flags, rest] = match;
  if (version === 'ff' || (version === '00' && rest !== undefined)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & SAMPLED,
  };
}
