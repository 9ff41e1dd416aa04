/** Type of requests for handlers that are not defined inline in their route. */
import type { FastifyRequest } from 'fastify';

/** Request whose query, path parameters, headers or body have passed the schema of their route. */
export type Validated<Parts extends object> = FastifyRequest & Readonly<Parts>;
