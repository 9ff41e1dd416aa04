/** `node:http` whose servers listen in the simulated network. The parser is Node's. */
import {
  createServer as createRealServer,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { networkOf } from '../world/current-network.ts';
import { type Context, currentContext, theWorld } from '../world/world.ts';

export * from 'node:http';

interface ListenOptions {
  readonly port: number;
  readonly host?: string;
}

/** Returns a server with the methods of a real one, for plain HTTP. */
export function createServer(options: ServerOptions, listener: RequestListener): Server {
  const server =
    typeof options === 'function' ? createRealServer(options) : createRealServer(options, listener);
  // Node's check of slow requests runs in real time.
  server.removeAllListeners('listening');
  const context = currentContext();
  const sockets = new Set<{ destroy: () => void }>();
  let port: number | null = null;
  const listen = (given: ListenOptions | number): Server => {
    const wanted = typeof given === 'number' ? given : given.port;
    const network = networkOf(theWorld());
    const taken = wanted === 0 ? network.freePort() : wanted;
    theWorld().schedule(context, 0, () => {
      const onStream = (stream: {
        destroy: () => void;
        once: (e: string, f: () => void) => void;
      }) => {
        sockets.add(stream);
        stream.once('close', () => sockets.delete(stream));
        server.emit('connection', stream as never);
      };
      if (network.listen(taken, { context, server, onStream: onStream as never })) {
        port = taken;
        server.emit('listening');
      } else {
        server.emit('error', Object.assign(new Error('address in use'), { code: 'EADDRINUSE' }));
      }
    });
    return server;
  };
  const close = (done?: (error?: Error) => void): Server => {
    if (port !== null) networkOf(theWorld()).closePort(port);
    port = null;
    whenEmpty(context, sockets, () => {
      server.emit('close');
      done?.();
    });
    return server;
  };
  Object.defineProperty(server, 'listening', { get: () => port !== null });
  return Object.assign(server, {
    listen,
    close,
    address: () => (port === null ? null : { address: '127.0.0.1', family: 'IPv4', port }),
    closeAllConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    closeIdleConnections: () => {},
    ref: () => server,
    unref: () => server,
  });
}

function whenEmpty(context: Context, sockets: Set<unknown>, act: () => void): void {
  theWorld().schedule(context, 1, () =>
    sockets.size === 0 ? act() : whenEmpty(context, sockets, act),
  );
}
