/**
 * Traces (W3C Trace Context). Every request has one: the client's, or a new one; its id is in the log lines and
 * messages about all that the request sets going. With TESSERA_OTLP_ENDPOINT spans are exported (OpenTelemetry, OTLP
 * over HTTP); without it nothing of OpenTelemetry runs.
 */
import { randomBytes } from 'node:crypto';
import type { Attributes } from '@opentelemetry/api';
import type { SpanExport } from './span-export.ts';

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

/** The one flag of W3C that is known here. */
const SAMPLED = 1;

const NO_STEPS = { span: () => {}, end: () => {} };

/** A trace of its own for what no request of this process set going, or the rest of one that was begun in an earlier process. */
export function startTrace(traceId = randomBytes(16).toString('hex')): Trace {
  return { traceId, ...NO_STEPS };
}

export class Tracing {
  readonly #spans: SpanExport | null;

  private constructor(spans: SpanExport | null) {
    this.#spans = spans;
  }

  /** @param endpoint Where spans are posted, `http://collector:4318/v1/traces`; empty: nowhere. */
  static async open(endpoint: string): Promise<Tracing> {
    if (endpoint === '') return new Tracing(null);
    const { exportSpans } = await import('./span-export.ts');
    return new Tracing(exportSpans(endpoint));
  }

  /** @param traceparent The request's header; a malformed one counts as none, as W3C asks for. */
  begin(traceparent: string | undefined, attributes: Attributes): RequestTrace {
    const parent = parseTraceparent(traceparent);
    if (this.#spans !== null) return this.#spans.begin(parent, attributes);
    return parent === null ? { ...startTrace(), ...NO_STEPS } : { ...parent, ...NO_STEPS };
  }

  /** Sends what was not sent yet. */
  async close(): Promise<void> {
    await this.#spans?.close();
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

/** The span of a client that a request belongs to. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Of W3C: 1 is sampled. */
  readonly traceFlags: number;
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
  return {
    traceId: traceId!,
    spanId: spanId!,
    traceFlags: Number.parseInt(flags!, 16) & SAMPLED,
  };
}
