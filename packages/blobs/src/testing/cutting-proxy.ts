/** TCP proxy on loopback that cuts connections after a number of bytes. */
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
  /** Number of connections that were accepted. */
  readonly accepted: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a proxy for a port of loopback. */
export async function startCuttingProxy(targetPort: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  const server = createServer((client) => {
    accepted++;
    const target = connect(targetPort, '127.0.0.1');
    const destroy = () => {
      client.destroy();
      target.destroy();
    };
    for (const socket of [client, target]) {
      sockets.add(socket);
      socket.on('error', destroy);
      socket.on('close', () => {
        sockets.delete(socket);
        destroy();
      });
    }
    forward(client, target, 'client', destroy);
    forward(target, client, 'server', destroy);
  });
  const forward = (from: Socket, to: Socket, side: Cuts['from'], destroy: () => void) => {
    let bytes = 0;
    from.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      const { cuts } = proxy;
      if (cuts !== null && cuts.from === side && cuts.count > 0 && bytes > cuts.afterBytes) {
        cuts.count--;
        destroy();
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
    accepted: () => accepted,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}
