/** TCP proxy on loopback that cuts or holds connections after a number of bytes. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Cuts that are still to be made. */
export interface Cuts {
  /** Bytes after which a connection is cut. */
  readonly afterBytes: number;
  /** Bytes to count: those of the client or those of the server. */
  readonly from: 'client' | 'server';
  /** Number of connections to cut. */
  count: number;
}

/** Running proxy. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts to make on connections from now on; null for none. */
  cuts: Cuts | null;
  /** Bytes of a client after which its connection is held; null for none. */
  holdAfterBytes: number | null;
  /** Resolves when a connection is held. */
  readonly held: Promise<void>;
  readonly close: () => Promise<void>;
}

/** Starts a proxy for a port of loopback. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const { promise: held, resolve: resolveHeld } = Promise.withResolvers<void>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        // What was forwarded arrives.
        other.end();
      });
    }
    forward(client, target, 'client');
    forward(target, client, 'server');
  });
  const forward = (from: Socket, to: Socket, side: Cuts['from']) => {
    let bytes = 0;
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const { cuts, holdAfterBytes } = proxy;
      if (cuts !== null && cuts.from === side && cuts.count > 0 && bytes > cuts.afterBytes) {
        cuts.count--;
        from.destroy();
      } else if (side === 'client' && holdAfterBytes !== null && bytes > holdAfterBytes) {
        from.pause();
        resolveHeld();
      } else if (!to.write(chunk)) {
        from.pause();
        to.once('drain', () => from.resume());
      }
    });
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    port: (server.address() as { port: number }).port,
    cuts: null,
    holdAfterBytes: null,
    held,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}
