/** Builds the HTTP server of any role: limits, access, errors and the OpenAPI document. */
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchema,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Access } from '../config/access.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Tracing } from '../observe/tracing.ts';
import { addAuthentication } from './access/authentication.ts';
import { addOriginCheck } from './access/origin-check.ts';
import { addSecurityHeaders } from './access/security-headers.ts';
import { addBodyWatch } from './connections/body-watch.ts';
import { addClientRequests, type ClientRequests } from './connections/client-requests.ts';
import { addConnectionPlaces } from './connections/connection-places.ts';
import { addRateLimit, answerBrokenRequest, serverOptions } from './connections/request-limits.ts';
import { trackHandlers } from './connections/running-handlers.ts';
import { addSlicedBodies } from './connections/stalled-writers.ts';
import { BODY_KINDS, MAX_FILES } from './frames/frame-body.ts';
import { FRAME_STATUS_SCHEMA } from './frames/frame-schemas.ts';
import type { App } from './protocol/app.ts';
import {
  answerError,
  type DocumentedSchema,
  PROBLEM_SCHEMA,
  sendProblem,
} from './protocol/problem.ts';
import { addRequestTrace } from './protocol/request-trace.ts';
import { REPORT_SCHEMA } from './protocol/response-schemas.ts';
import { ROW_PAGE_SCHEMA, SERIES_SCHEMA } from './studies/study-row-schemas.ts';
import { STUDY_SCHEMA, STUDY_STATUS_SCHEMA } from './studies/study-schemas.ts';

/** Schemas that the OpenAPI document names. */
const SHARED_SCHEMAS = [
  PROBLEM_SCHEMA,
  REPORT_SCHEMA,
  FRAME_STATUS_SCHEMA,
  STUDY_STATUS_SCHEMA,
  STUDY_SCHEMA,
  ROW_PAGE_SCHEMA,
  SERIES_SCHEMA,
];

/** Services that the HTTP server of any role uses. */
export interface BaseAppOptions {
  readonly config: Config;
  readonly access: Access;
  readonly clientRequests: ClientRequests;
  readonly log: FastifyBaseLogger;
  readonly tracing: Tracing;
  readonly metrics: Pick<Metrics, 'requestSeconds'>;
  /** Called before the answer of a request that changed something is sent. */
  readonly whenDurable: () => Promise<void>;
}

/** Methods that change nothing. */
const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Returns an HTTP server without routes. */
export async function buildBaseApp(options: BaseAppOptions): Promise<App> {
  const { config, access } = options;
  const app = makeServer(options);
  trackHandlers(app);
  // Responses are plain objects. Their schemas only document them.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, 'NOT_FOUND', `${request.method} ${request.url}: no such route`),
  );
  addHooks(app, options);

  // In this order, because cheap refusals come first and a guessed token must count as a request.
  await addSecurityHeaders(app, access.tls !== null);
  await addRateLimit(app, config);
  addOriginCheck(app, config, access.tokens.length > 0);
  await addAuthentication(app, access);
  addConnectionPlaces(app, config);
  addClientRequests(app, access, options.clientRequests);

  await addDocument(app);
  await app.register(multipart, {
    limits: { fileSize: config.TESSERA_MAX_BODY_BYTES, files: MAX_FILES, fields: 0 },
  });
  // Passes bodies through unread, because the routes that take them stream them to disk.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(Object.keys(BODY_KINDS), (_request, body, done) => done(null, body));
  return app;
}

/** Calls `add` with a scope whose bodies are small JSON, which is parsed in memory. */
export async function withJsonBodies(app: App, add: (scope: App) => void): Promise<void> {
  await app.register(async (scope) => {
    scope.removeContentTypeParser(Object.keys(BODY_KINDS));
    const parseJson = scope.getDefaultJsonParser('error', 'error');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
    add(scope.withTypeProvider<TypeBoxTypeProvider>());
  });
}

function makeServer({ config, log, access }: BaseAppOptions): App {
  const settings = {
    loggerInstance: log,
    // The onResponse hook logs requests, with their route.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.TESSERA_MAX_BODY_BYTES,
    forceCloseConnections: true,
    requestTimeout: Math.max(config.TESSERA_REQUEST_MS, config.TESSERA_HEADERS_MS),
    trustProxy: access.proxyTrust,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenRequest(error, socket, log),
    // Query values are text, so types are coerced. Unknown parameters are rejected and not removed.
    ajv: {
      customOptions: {
        removeAdditional: false,
        coerceTypes: true,
        allErrors: true,
        allowUnionTypes: true,
      },
    },
  } satisfies FastifyServerOptions;
  const server = serverOptions(config);
  // The type of a server over TCP also fits one over TLS.
  const bare =
    access.tls === null
      ? fastify({ ...settings, http: server })
      : (fastify({
          ...settings,
          https: { ...server, ...access.tls, handshakeTimeout: config.TESSERA_HEADERS_MS },
        }) as unknown as FastifyInstance<
          RawServerDefault,
          RawRequestDefaultExpression,
          RawReplyDefaultExpression,
          FastifyBaseLogger
        >);
  return bare.withTypeProvider<TypeBoxTypeProvider>();
}

function addHooks(app: App, { config, log, tracing, metrics, whenDurable }: BaseAppOptions): void {
  addBodyWatch(app, config, log);
  addRequestTrace(app, tracing);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, 'request answered');
  });
  // Acknowledges a write only once it is durable.
  app.addHook('onSend', async ({ method }, { statusCode }) => {
    if (statusCode < 300 && !READING_METHODS.includes(method)) await whenDurable();
  });
  addSlicedBodies(app);
}

/** Adds the OpenAPI document. */
async function addDocument(app: App): Promise<void> {
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    transform: ({ schema, url }) => ({ schema: withDocumentedBody(schema), url }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tessera',
        version: '0.1.0',
        description:
          'Render service on a simulated multi-chiplet GPU. Renders models and captures of OpenGL programs to images and reports.',
      },
      tags: [
        { name: 'frames', description: 'Post models and captures, get images and reports' },
        { name: 'sequences', description: 'Frames in order, overlapped in simulated time' },
        { name: 'studies', description: 'Sweeps over chiplets, policies, presets and more' },
        { name: 'specs', description: 'Hardware parameters of the simulated chiplets' },
        { name: 'service', description: 'Chiplets, counters, metrics' },
        { name: 'health', description: 'Checks for orchestrators' },
      ],
    },
  });
}

/** Returns a schema whose body is its `documentedBody`, if it has one. */
function withDocumentedBody(schema: DocumentedSchema): FastifySchema {
  const { documentedBody, ...rest } = schema ?? {};
  return documentedBody === undefined ? schema : { ...rest, body: documentedBody };
}
