/**
 * Exports spans to OpenTelemetry by OTLP over HTTP. Loaded only if an endpoint is configured,
 * because loading takes a tenth of the startup time.
 */
import { type Attributes, type Context, ROOT_CONTEXT, trace as traceApi } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ParentSpan, RequestTrace } from './tracing.ts';

/** Time between two exports. */
const EXPORT_EVERY_MS = 1000;

/** Exporter that starts the traces of requests. */
export interface SpanExport {
  begin(parent: ParentSpan | null, attributes: Attributes): RequestTrace;
  close(): Promise<void>;
}

/**
 * Creates an exporter.
 *
 * @param endpoint URL that spans are posted to, `http://collector:4318/v1/traces`.
 */
export function exportSpans(endpoint: string): SpanExport {
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tessera-coordinator' }),
    spanProcessors: [
      new BatchSpanProcessor(new OTLPTraceExporter({ url: endpoint }), {
        scheduledDelayMillis: EXPORT_EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('tessera-coordinator');
  return {
    begin(parent, attributes) {
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
    },
    close: () => provider.shutdown(),
  };
}

function epochMs(clockMs: number): number {
  return performance.timeOrigin + clockMs;
}
