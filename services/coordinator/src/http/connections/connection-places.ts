/**
 * Gives every connection one of at most `TESSERA_MAX_CONNECTIONS` places.
 *
 * A connection claims its place when one of its requests is admitted, or when it becomes the link
 * of a chiplet. Until then, and between two requests, it may be evicted: a new connection that
 * finds no place replaces an idle one. Idle connections are grouped by address, and by whether they
 * ever carried a request. The longest idle connection of the largest group is evicted. Silent
 * clients therefore block no client, however many they are, and do not cost others their open
 * connections. Nothing needs to be known about a connection before a head has arrived. Health
 * requests claim nothing and are always answered.
 *
 * Requests claim at most seven eighths of the places. The rest is for chiplets, health requests and
 * new connections.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RenderError } from '@tessera/frame';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { clientKey, isFromThisMachine } from './client-address.ts';
import { HEALTH_ROUTES } from './request-limits.ts';

/** Share of the places that requests leave to chiplets, health requests and new connections. */
const RESERVED_SHARE = 1 / 8;

/** Limits of connections. */
export interface PlaceLimits {
  /** Upper bound on connections, at least 8. */
  readonly maxConnections: number;
  /** Upper bound on connections of one client with a request in progress. */
  readonly maxPerClient: number;
}

interface Place {
  /** Socket that carries HTTP: the TLS socket once the handshake is done. */
  socket: Socket;
  /** Address of the other end; see {@link clientKey}. */
  readonly peer: string;
  /** Whether a request ever arrived on the connection. */
  hasAsked: boolean;
  /** Number of requests in progress that claimed the place. */
  claimCount: number;
  /** Client that the claim counts for; null without a claim, or for an exempt client. */
  claimedFor: string | null;
  /** Whether the connection is closed or evicted and does not count. */
  isClosed: boolean;
}

/**
 * Adds the places. Call it after authentication was added, because requests refused there claim no
 * place.
 */
export function addConnectionPlaces(app: App, config: Config): void {
  const places = new ConnectionPlaces({
    maxConnections: config.TESSERA_MAX_CONNECTIONS,
    maxPerClient: config.TESSERA_CONNECTIONS_PER_ADDRESS,
  });
  places.watch(app.server);
  app.addHook('onRequest', async (request, reply) => {
    if (HEALTH_ROUTES.includes(request.routeOptions.url ?? '')) return;
    const client = isFromThisMachine(request) ? null : clientKey(request.ip);
    const release = places.claim(request.raw.socket, client);
    reply.raw.once('close', release);
  });
}

/** Places of connections. */
export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #maxClaimed: number;
  readonly #placeBySocket = new WeakMap<Socket, Place>();
  /** TCP connections by both of their ends, until TLS creates a socket for them. */
  readonly #placeByEnds = new Map<string, Place>();
  /** Connections that may be evicted, by group, longest idle first. */
  readonly #idleByGroup = new Map<string, Set<Place>>();
  readonly #claimsByClient = new Map<string, number>();
  #count = 0;
  #claimedCount = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#maxClaimed = limits.maxConnections - Math.ceil(limits.maxConnections * RESERVED_SHARE);
  }

  /** Observes the connections of a server, which must have no limit of its own. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.#secure(socket));
    server.prependListener('request', ({ socket }: IncomingMessage, _response: ServerResponse) =>
      this.#refresh(socket),
    );
    server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
      // The listener that accepts or refuses the connection runs next.
      process.nextTick(() => this.#link(socket));
    });
  }

  /**
   * Claims the place of a connection for a request.
   *
   * @param client Client that the claim counts for; null for an exempt one.
   * @returns Function that releases the claim. Only the first call has an effect.
   * @throws {RenderError} TOO_MANY_CONNECTIONS if all requests, or those of this client, hold the
   *   maximum number of places.
   */
  claim(socket: Socket, client: string | null): () => void {
    const place = this.#placeBySocket.get(socket);
    // The connection was closed meanwhile.
    if (place === undefined || place.isClosed) return () => {};
    if (place.claimCount === 0) this.#claimFirst(place, client);
    place.claimCount++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      place.claimCount--;
      if (place.claimCount > 0 || place.isClosed) return;
      this.#unclaim(place);
      this.#queueForEviction(place);
    };
  }

  #claimFirst(place: Place, client: string | null): void {
    if (this.#claimedCount >= this.#maxClaimed) {
      throw new RenderError(
        'TOO_MANY_CONNECTIONS',
        `${this.#claimedCount} connections have a request in progress; at most ${this.#maxClaimed}`,
      );
    }
    if (client !== null) {
      const claims = this.#claimsByClient.get(client) ?? 0;
      if (claims >= this.#limits.maxPerClient) {
        throw new RenderError(
          'TOO_MANY_CONNECTIONS',
          `${claims} connections of ${client} have a request in progress; at most ${this.#limits.maxPerClient}`,
        );
      }
      this.#claimsByClient.set(client, claims + 1);
    }
    place.claimedFor = client;
    this.#claimedCount++;
    this.#removeFromIdle(place);
  }

  #open(socket: Socket): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined) return; // The client has disconnected.
    if (this.#count >= this.#limits.maxConnections && !this.#evictOne()) {
      socket.destroy();
      return;
    }
    const ends = endsOf(socket);
    const peer = clientKey(remoteAddress);
    const place: Place = {
      socket,
      peer,
      hasAsked: false,
      claimCount: 0,
      claimedFor: null,
      isClosed: false,
    };
    this.#count++;
    this.#placeBySocket.set(socket, place);
    if (remotePort !== undefined) this.#placeByEnds.set(ends, place);
    this.#queueForEviction(place);
    socket.once('close', () => {
      if (this.#placeByEnds.get(ends) === place) this.#placeByEnds.delete(ends);
      this.#close(place);
    });
  }

  #secure(socket: TLSSocket): void {
    const place = this.#placeByEnds.get(endsOf(socket));
    if (place === undefined || place.isClosed) return;
    place.socket = socket;
    this.#placeBySocket.set(socket, place);
  }

  #link(socket: Socket): void {
    const place = this.#placeBySocket.get(socket);
    // A refused connection is about to be closed.
    if (place === undefined || socket.writableEnded || place.isClosed) return;
    this.#removeFromIdle(place);
  }

  /** Records the arrival of a request, which makes this the last idle connection to be evicted. */
  #refresh(socket: Socket): void {
    const place = this.#placeBySocket.get(socket);
    if (place === undefined || place.isClosed) return;
    const wasIdle = this.#removeFromIdle(place);
    place.hasAsked = true;
    if (wasIdle) this.#queueForEviction(place);
  }

  /** Closes the longest idle connection of the largest group. Returns false if none is idle. */
  #evictOne(): boolean {
    let most: Set<Place> | null = null;
    for (const idle of this.#idleByGroup.values()) {
      if (most === null || idle.size > most.size) most = idle;
    }
    const [victim] = most ?? [];
    if (victim === undefined) return false;
    this.#close(victim);
    victim.socket.destroy();
    return true;
  }

  /** Stops counting a connection. Only the first call has an effect. */
  #close(place: Place): void {
    if (place.isClosed) return;
    place.isClosed = true;
    this.#removeFromIdle(place);
    if (place.claimCount > 0) this.#unclaim(place);
    this.#count--;
  }

  #unclaim(place: Place): void {
    this.#claimedCount--;
    const client = place.claimedFor;
    place.claimedFor = null;
    if (client === null) return;
    const claims = (this.#claimsByClient.get(client) ?? 0) - 1;
    if (claims > 0) this.#claimsByClient.set(client, claims);
    else this.#claimsByClient.delete(client);
  }

  #queueForEviction(place: Place): void {
    const group = groupOf(place);
    const idle = this.#idleByGroup.get(group);
    if (idle === undefined) this.#idleByGroup.set(group, new Set([place]));
    else idle.add(place);
  }

  #removeFromIdle(place: Place): boolean {
    const group = groupOf(place);
    const idle = this.#idleByGroup.get(group);
    const wasIdle = idle?.delete(place) === true;
    if (idle?.size === 0) this.#idleByGroup.delete(group);
    return wasIdle;
  }
}

/** Returns the group in which idle connections compete for places. */
function groupOf({ peer, hasAsked }: Place): string {
  return `${peer} ${hasAsked}`;
}

/** Returns both ends of a TCP connection: the same for its raw socket and its TLS socket. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
