/** Type of requests in handlers that are functions of their own. */
import type { FastifyRequest } from 'fastify';

/** Request whose query, path parameters, headers or body have passed the schema of their route. */
export type Validated<Parts extends object> = FastifyRequest & Readonly<Parts>;
