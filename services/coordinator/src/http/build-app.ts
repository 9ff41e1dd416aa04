/** Builds the HTTP server: plugins, hooks, routes. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger } from 'fastify';
import type { Access } from '../config/access.ts';
import type { Tracing } from '../observe/tracing.ts';
import type { Database } from '../store/database.ts';
import { addSessionRoutes } from './access/authentication.ts';
import { buildBaseApp, withJsonBodies } from './base-app.ts';
import type { ClientRequests } from './connections/client-requests.ts';
import { addApiPage } from './dashboard/api-page.ts';
import { addDashboardRoutes } from './dashboard/dashboard-routes.ts';
import { addEventRoutes, type EventRouteOptions } from './events/event-routes.ts';
import { addLabelFrame } from './frames/frame-labels.ts';
import { addFrameRoutes, type FrameRouteOptions } from './frames/frame-routes.ts';
import { addPixelRoutes, type PixelRouteOptions } from './frames/pixel-routes.ts';
import { addPostFrame, type PostFrameOptions } from './frames/post-frame.ts';
import { addRerenderFrame, type RerenderOptions } from './frames/rerender-frame.ts';
import type { ResultRouteOptions } from './frames/result-handlers.ts';
import { addResultRoutes } from './frames/result-routes.ts';
import { addShaderRoutes } from './frames/shader-routes.ts';
import type { App } from './protocol/app.ts';
import { addExamples } from './protocol/openapi-examples.ts';
import { addResourceRoutes, type ResourceRouteOptions } from './resources/resource-routes.ts';
import {
  addLabelSequence,
  addSequenceRoutes,
  type SequenceRouteOptions,
} from './sequences/sequence-routes.ts';
import { addSpecRoutes, type SpecRouteOptions } from './specs/spec-routes.ts';
import { addStudyRoutes, type StudyRouteOptions } from './studies/study-routes.ts';
import { addQuotaRoute, type QuotaRouteOptions } from './system/quota-route.ts';
import { addSystemRoutes, type SystemRouteOptions } from './system/system-routes.ts';

/** Services that the HTTP server uses. */
export interface AppOptions
  extends EventRouteOptions,
    FrameRouteOptions,
    PixelRouteOptions,
    PostFrameOptions,
    RerenderOptions,
    ResourceRouteOptions,
    ResultRouteOptions,
    SequenceRouteOptions,
    SpecRouteOptions,
    StudyRouteOptions,
    SystemRouteOptions,
    QuotaRouteOptions {
  readonly log: FastifyBaseLogger;
  readonly access: Access;
  readonly clientRequests: ClientRequests;
  readonly tracing: Tracing;
  readonly database: Database;
}

/** Returns the HTTP server with all plugins, hooks and routes. The caller makes it listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { database } = options;
  const app = await buildBaseApp({ ...options, whenDurable: () => database.whenDurable() });
  await addRoutes(app, options);
  return app;
}

async function addRoutes(app: App, options: AppOptions): Promise<void> {
  app.get('/openapi.json', { schema: { hide: true } }, async () => addExamples(app.swagger()));
  addPostFrame(app, options);
  addRerenderFrame(app, options);
  addFrameRoutes(app, options);
  addResultRoutes(app, options);
  addPixelRoutes(app, options);
  addShaderRoutes(app, options);
  addEventRoutes(app, options);
  await withJsonBodies(app, (scope) => {
    addLabelFrame(scope, options);
    addLabelSequence(scope, options);
    addStudyRoutes(scope, options);
    addSpecRoutes(scope, options);
    addSessionRoutes(scope, options.access);
  });
  await app.register(async (scope) => {
    addResourceRoutes(scope.withTypeProvider<TypeBoxTypeProvider>(), options);
  });
  addSequenceRoutes(app, options);
  addSystemRoutes(app, options);
  addQuotaRoute(app, options);
  addDashboardRoutes(app, 'service');
  addApiPage(app);
}
