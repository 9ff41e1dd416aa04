/**
 * Trace of each request. It starts with the first hook and ends with the answer. Its id is in the
 * log lines and in the answer.
 */
import type { FastifyRequest } from 'fastify';
import type { RequestTrace, Tracing } from '../../observe/tracing.ts';
import type { App } from './app.ts';

const DECORATOR = 'tesseraTrace';
/** Header with the trace id of each answer, to search for in the logs. */
const TRACE_ID_HEADER = 'Trace-Id';

/**
 * Adds the traces. Call it before other hooks are added, so that their log lines have the id too.
 */
export function addRequestTrace(app: App, tracing: Tracing): void {
  app.decorateRequest(DECORATOR, null);
  app.addHook('onRequest', async (request, reply) => {
    const { traceparent } = request.headers;
    const header = typeof traceparent === 'string' ? traceparent : undefined;
    const route = request.routeOptions.url ?? 'none';
    const trace = tracing.begin(header, {
      'http.request.method': request.method,
      'http.route': route,
    });
    request.setDecorator(DECORATOR, trace);
    request.log = request.log.child({ traceId: trace.traceId });
    reply.header(TRACE_ID_HEADER, trace.traceId);
  });
  app.addHook('onResponse', async (request, reply) => {
    request
      .getDecorator<RequestTrace | null>(DECORATOR)
      ?.end({ 'http.response.status_code': reply.statusCode });
  });
}

/** Returns the trace of a request that has reached its handler. */
export function traceOf(request: FastifyRequest): RequestTrace {
  return request.getDecorator<RequestTrace>(DECORATOR);
}
