/**
 * Authentication by token or session. Without configured tokens every client is admitted. Two kinds
 * of routes are always public: the health routes, which orchestrators call and which reveal only
 * the state of the process, and the files of the dashboard, which are in the repository. All other
 * routes, including /metrics, require a token or a session.
 */
import bearerAuth from '@fastify/bearer-auth';
import { RenderError } from '@tessera/frame';
import { bearerOf, isSameSecret } from '@tessera/wire';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Access } from '../../config/access.ts';
import type { App } from '../protocol/app.ts';
import { problems } from '../protocol/response-schemas.ts';
import { beginSession, endSession, hasSession } from './session.ts';

const OPEN_ROUTES = ['/livez', '/readyz', '/', '/v1/session'];
const OPEN_PREFIX = '/dashboard/';
/** Route of a chiplet's health check, which presents the chiplet secret. */
const CHIPLET_ROUTE = '/v1/chiplets';
const MAX_SESSION_BODY_BYTES = 4096;

/** Adds the check of tokens to all routes. Call it before routes are added. */
export async function addAuthentication(
  app: App,
  { tokens, chipletSecret }: Access,
): Promise<void> {
  await app.register(bearerAuth, {
    addHook: false,
    keys: [],
    auth: (given: string) => isToken(given, tokens),
    verifyErrorLogLevel: 'debug',
  });
  if (tokens.length === 0) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (isOpen(request) || hasSession(request.headers.cookie, tokens, Date.now())) done();
    else if (isChiplet(request, chipletSecret)) done();
    else {
      reply.header('WWW-Authenticate', 'Bearer realm="tessera"');
      app.verifyBearerAuth!(request, reply, done);
    }
  });
}

function isOpen({ routeOptions: { url } }: FastifyRequest): boolean {
  return url !== undefined && (OPEN_ROUTES.includes(url) || url.startsWith(OPEN_PREFIX));
}

function isChiplet(request: FastifyRequest, secret: string | null): boolean {
  if (secret === null || request.routeOptions.url !== CHIPLET_ROUTE) return false;
  const given = bearerOf(request.headers.authorization);
  return given !== null && isSameSecret(given, secret);
}

/** Compares with every token, so that the time does not reveal which one matches. */
function isToken(given: string, tokens: readonly string[]): boolean {
  return tokens.filter((token) => isSameSecret(given, token)).length > 0;
}

/** Adds the routes of the dashboard's session. JSON bodies must be parsed in `app`. */
export function addSessionRoutes(app: App, { tokens, tls }: Access): void {
  const isSecure = (request: FastifyRequest) => tls !== null || request.protocol === 'https';

  app.get('/v1/session', {
    schema: {
      operationId: 'getSession',
      summary: 'Check whether requests need a token and whether the client has a session',
      tags: ['service'],
      response: {
        200: Type.Object(
          {
            isRequired: Type.Boolean({ description: 'Whether requests need a token or a session' }),
            isSignedIn: Type.Boolean(),
          },
          { description: 'State of the session' },
        ),
      },
    },
    handler: async (request) => ({
      isRequired: tokens.length > 0,
      isSignedIn: hasSession(request.headers.cookie, tokens, Date.now()),
    }),
  });

  app.post('/v1/session', {
    bodyLimit: MAX_SESSION_BODY_BYTES,
    schema: {
      operationId: 'signIn',
      summary: 'Sign in: exchange a token for a session cookie',
      tags: ['service'],
      body: Type.Object(
        { token: Type.String({ minLength: 1, maxLength: 1000 }) },
        { additionalProperties: false },
      ),
      response: {
        204: { description: 'Signed in for twelve hours', type: 'null' },
        ...problems(400, 401, 413, 415, 429),
      },
    },
    handler: async (request, reply) => {
      const { token } = request.body;
      if (!isToken(token, tokens)) {
        throw new RenderError('UNAUTHENTICATED', 'body.token: not a valid token');
      }
      reply.header('Set-Cookie', beginSession(token, Date.now(), isSecure(request)));
      return reply.code(204).send(null);
    },
  });

  app.delete('/v1/session', {
    schema: {
      operationId: 'signOut',
      summary: 'Sign out: delete the session cookie',
      tags: ['service'],
      response: { 204: { description: 'Signed out', type: 'null' } },
    },
    handler: async (request, reply) => {
      reply.header('Set-Cookie', endSession(isSecure(request)));
      return reply.code(204).send(null);
    },
  });
}
