/** Connections between chiplets and the coordinator over the simulated network. */
import type { Server } from 'node:http';
import { Connection, type Endpoint } from '@tessera/wire';
import { networkOf } from '../world/current-network.ts';
import { connectMessages, type MessageEnd } from '../world/message-link.ts';
import { currentContext, theWorld } from '../world/world.ts';

/** Substitute of `MAX_MESSAGE_BYTES` in the simulated network. */
export const MAX_MESSAGE_BYTES = 512 * 2 ** 20;

interface Acceptor {
  readonly path: string;
  readonly secret: string | null;
  readonly accept: (end: MessageEnd, peer: string) => void;
}

const acceptorByServer = new WeakMap<Server, Acceptor>();

/** Returns what accepts the links of a server. */
export function acceptorOf(server: Server): Acceptor | undefined {
  return acceptorByServer.get(server);
}

/** Substitute of `acceptWebSockets` in the simulated network. */
export function acceptWebSockets(
  server: Server,
  path: string,
  receiver: Endpoint,
  onConnection: (connection: Connection) => void,
  secret: string | null = null,
): () => void {
  const ends = new Set<MessageEnd>();
  const accept = (end: MessageEnd, peer: string) => {
    ends.add(end);
    onConnection(overEnd(end, receiver, peer, () => ends.delete(end)));
  };
  acceptorByServer.set(server, { path, secret, accept });
  return () => {
    acceptorByServer.delete(server);
    for (const end of ends) end.reset();
  };
}

/** Substitute of `connectWebSocket` in the simulated network. */
export async function connectWebSocket(
  url: string,
  receiver: Endpoint,
  withinMs: number,
  secret: string | null = null,
): Promise<Connection> {
  const { port, pathname } = new URL(url);
  const find = () => {
    const server = networkOf(theWorld()).listenerOf(Number(port))?.server;
    const acceptor = server === undefined ? undefined : acceptorOf(server as Server);
    if (acceptor === undefined) throw new Error(`connect ECONNREFUSED ${url}`);
    if (acceptor.path !== pathname) throw new Error('Unexpected server response: 404');
    if (acceptor.secret !== null && acceptor.secret !== secret) {
      throw new Error('Unexpected server response: 401');
    }
    return acceptor;
  };
  const end = await connectMessages(
    networkOf(theWorld()),
    currentContext(),
    Number(port),
    withinMs,
    {
      check: find,
      accept: (other) => find().accept(other, '127.0.0.1:0'),
    },
  );
  return overEnd(end, receiver, url, () => {});
}

function overEnd(
  end: MessageEnd,
  receiver: Endpoint,
  peer: string,
  onClosed: () => void,
): Connection {
  const connection = new Connection(
    {
      send: ({ chunks, length }, onSent) => end.send(Buffer.concat(chunks, length), onSent),
      close: (reason) => end.close(reason),
      receivedBytes: () => end.receivedBytes,
    },
    receiver,
    peer,
  );
  end.listen(
    (message) => connection.receiveBytes(message),
    (reason) => {
      onClosed();
      connection.transportClosed(reason);
    },
  );
  return connection;
}
