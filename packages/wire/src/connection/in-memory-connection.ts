/** A link within one process. Messages are encoded and checked as on a socket. */
import type { EncodedMessage } from '../codec/codec.ts';
import type { Endpoint } from '../messages/messages.ts';
import { Connection, type Transport } from './connection.ts';

/**
 * Returns both ends of a link. Messages arrive in order, each in its own turn of the event loop.
 *
 * @param first Endpoint of the first connection.
 */
export function connectInMemory(first: Endpoint, second: Endpoint): [Connection, Connection] {
  const toSecond = new MemoryTransport();
  const toFirst = new MemoryTransport();
  const firstEnd = new Connection(toSecond, first, `memory:${second}`);
  const secondEnd = new Connection(toFirst, second, `memory:${first}`);
  toSecond.target = secondEnd;
  toFirst.target = firstEnd;
  return [firstEnd, secondEnd];
}

class MemoryTransport implements Transport {
  target: Connection | null = null;

  send({ chunks }: EncodedMessage, onSent: () => void): void {
    const message = Buffer.concat(chunks);
    setImmediate(() => {
      onSent();
      this.target?.receiveBytes(message);
    });
  }

  close(reason: string): void {
    setImmediate(() => this.target?.transportClosed(`closed by the peer (${reason})`));
  }
}
