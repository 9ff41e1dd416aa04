/** The HTTP server: plugins, hooks, routes. */
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyServerOptions,
  fastify,
  LogController,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
import type { Access } from '../access.ts';
import type { Database } from '../store/database.ts';
import type { Tracing } from '../tracing.ts';
import { addAuthentication, addSessionRoutes } from './authentication.ts';
import { addBodyWatch } from './body-watch.ts';
import { addConnectionPlaces } from './connection-places.ts';
import { addDashboardRoutes } from './dashboard-routes.ts';
import { addEventRoutes, type EventRouteOptions } from './event-routes.ts';
import { BODY_KINDS, MAX_FILES } from './frame-body.ts';
import { addFrameRoutes, type FrameRouteOptions } from './frame-routes.ts';
import { FRAME_STATUS_SCHEMA } from './frame-schemas.ts';
import { addExamples } from './openapi-examples.ts';
import { addOriginCheck } from './origin-check.ts';
import { addPostFrame, type PostFrameOptions } from './post-frame.ts';
import { answerError, PROBLEM_SCHEMA, sendProblem } from './problem.ts';
import { addRenderAgain, type RenderAgainOptions } from './render-again.ts';
import { addRateLimit, answerBrokenRequest, serverOptions } from './request-limits.ts';
import { addRequestTrace } from './request-trace.ts';
import { addResourceRoutes, type ResourceRouteOptions } from './resource-routes.ts';
import { REPORT_SCHEMA } from './response-schemas.ts';
import { addResultRoutes, type ResultRouteOptions } from './result-routes.ts';
import { addSecurityHeaders, DOCUMENTATION_POLICY } from './security-headers.ts';
import { addSequenceRoutes, type SequenceRouteOptions } from './sequence-routes.ts';
import { addSlicedBodies } from './stalled-writers.ts';
import { addStudyRoutes, type StudyRouteOptions } from './study-routes.ts';
import { STUDY_SCHEMA, STUDY_STATUS_SCHEMA } from './study-schemas.ts';
import { addSystemRoutes, type SystemRouteOptions } from './system-routes.ts';

/** By their names in the document. */
const SHARED_SCHEMAS = [
  PROBLEM_SCHEMA,
  REPORT_SCHEMA,
  FRAME_STATUS_SCHEMA,
  STUDY_STATUS_SCHEMA,
  STUDY_SCHEMA,
];

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

export interface AppOptions
  extends EventRouteOptions,
    FrameRouteOptions,
    PostFrameOptions,
    RenderAgainOptions,
    ResourceRouteOptions,
    ResultRouteOptions,
    SequenceRouteOptions,
    StudyRouteOptions,
    SystemRouteOptions {
  readonly log: FastifyBaseLogger;
  readonly access: Access;
  readonly tracing: Tracing;
  readonly database: Database;
}

/** Methods that change nothing. */
const READING_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

export async function buildApp(options: AppOptions): Promise<App> {
  const { config, metrics, log, access, tracing, database } = options;
  const settings = {
    loggerInstance: log,
    // Requests are logged below, with their route.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.TESSERA_MAX_BODY_BYTES,
    forceCloseConnections: true,
    requestTimeout: Math.max(config.TESSERA_REQUEST_MS, config.TESSERA_HEADERS_MS),
    trustProxy: access.proxyTrust,
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenRequest(error, socket, log),
    // Query values are text and need coercion; an unknown one is refused, not removed.
    ajv: { customOptions: { removeAdditional: false, coerceTypes: true, allErrors: true } },
  } satisfies FastifyServerOptions;
  const server = serverOptions(config);
  // Over TLS everything is as over TCP, so one type serves both.
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
  const app: App = bare.withTypeProvider<TypeBoxTypeProvider>();

  // What responses look like is for the document; they are plain objects already.
  app.setSerializerCompiler(() => (body) => JSON.stringify(body));
  app.setErrorHandler(answerError);
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, 'NOT_FOUND', `${request.method} ${request.url}: no such route`),
  );
  addBodyWatch(app, config, log);
  addRequestTrace(app, tracing);
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: request.method, route, status: reply.statusCode };
    metrics.requestSeconds.observe(labels, reply.elapsedTime / 1000);
    request.log.debug({ ...labels, ms: Math.round(reply.elapsedTime) }, 'request answered');
  });

  // Who is told that something is there finds it there, whatever happens to the machine.
  app.addHook('onSend', async ({ method }, { statusCode }) => {
    if (statusCode < 300 && !READING_METHODS.includes(method)) await database.whenDurable();
  });

  addSlicedBodies(app);

  // In this order: what is cheap to refuse first, and a guess at a token counts as a request.
  await addSecurityHeaders(app, access.tls !== null);
  await addRateLimit(app, config);
  addOriginCheck(app, config, access.tokens.length > 0);
  await addAuthentication(app, access);
  addConnectionPlaces(app, config);

  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  await app.register(swagger, {
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`),
    },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tessera',
        version: '0.1.0',
        description:
          'A render service on a simulated multi-chiplet GPU: models and captures of OpenGL programs in, pictures and reports out.',
      },
      tags: [
        { name: 'frames', description: 'Post models and captures, fetch pictures and reports' },
        { name: 'sequences', description: 'Frames in order, overlapped in simulated time' },
        { name: 'studies', description: 'Sweeps over chiplets, policies, presets and more' },
        { name: 'service', description: 'Chiplets, counters, metrics' },
        { name: 'health', description: 'For orchestrators' },
      ],
    },
  });
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: DOCUMENTATION_POLICY });
  await app.register(multipart, {
    limits: { fileSize: config.TESSERA_MAX_BODY_BYTES, files: MAX_FILES, fields: 0 },
  });
  // Bodies are not read here: who takes one streams it to disk.
  app.removeContentTypeParser(['application/json', 'text/plain']);
  app.addContentTypeParser(Object.keys(BODY_KINDS), (_request, body, done) => done(null, body));

  app.get('/openapi.json', { schema: { hide: true } }, async () => addExamples(app.swagger()));
  addPostFrame(app, options);
  addRenderAgain(app, options);
  addFrameRoutes(app, options);
  addResultRoutes(app, options);
  addEventRoutes(app, options);
  // These are small and JSON, so they are read.
  await app.register(async (scope) => {
    scope.removeContentTypeParser(Object.keys(BODY_KINDS));
    const parseJson = scope.getDefaultJsonParser('error', 'error');
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, parseJson);
    const typed = scope.withTypeProvider<TypeBoxTypeProvider>();
    addStudyRoutes(typed, options);
    addSessionRoutes(typed, access);
  });
  await app.register(async (scope) => {
    addResourceRoutes(scope.withTypeProvider<TypeBoxTypeProvider>(), options);
  });
  addSequenceRoutes(app, options);
  addSystemRoutes(app, options);
  addDashboardRoutes(app);
  return app;
}
