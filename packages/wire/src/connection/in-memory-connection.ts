/** Two connected ends in one process. Messages are encoded and checked as on a socket. */
import type { EncodedMessage } from '../codec/codec.ts';
import type { Endpoint } from '../messages/messages.ts';
import { Connection, type Transport } from './connection.ts';

/**
 * Gives both ends of a link. Bytes arrive in order, each in a turn of the event loop of its own.
 *
 * @param first Which end the first connection is.
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
