import { connect } from 'node:net';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { fastify } from 'fastify';
import { expect, it } from 'vitest';
import { handlersEnded, trackHandlers } from './running-handlers.ts';

it('waits for the handler of a client that has disconnected', async () => {
  const app = fastify({ forceCloseConnections: true }).withTypeProvider<TypeBoxTypeProvider>();
  trackHandlers(app);
  const begun = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  let isOver = false;
  app.get('/', async () => {
    begun.resolve();
    await mayEnd.promise;
    isOver = true;
    return 'over';
  });
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await begun.promise;
  socket.destroy();
  await app.close();
  const ended = handlersEnded(app);
  expect(isOver).toBe(false);
  mayEnd.resolve();
  await ended;
  expect(isOver).toBe(true);
});
