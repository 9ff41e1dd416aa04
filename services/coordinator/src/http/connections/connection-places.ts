/**
 * Gives every connection a place among at most `TESSERA_MAX_CONNECTIONS`.
 *
 * A connection claims its place when a request of it is let in, or when it becomes a chiplet's link. Until then, and
 * between two requests, it may be evicted: a newcomer that finds no place takes that of an idle connection. Idle
 * connections are grouped by address, and by whether a request ever came over them; the longest idle of the largest group
 * is evicted. So silent clients keep nobody out, however many they are, and do not cost others their open connections.
 * Before a head has arrived nothing needs to be known about a connection. Health requests claim nothing: they are
 * always answered.
 *
 * Requests claim seven eighths of the places at most. The rest is for chiplets, health requests and newcomers.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RenderError } from '@tessera/frame';
import type { Config } from '../../config/config.ts';
import type { App } from '../protocol/app.ts';
import { clientKey, isFromThisMachine } from './client-address.ts';
import { HEALTH_ROUTES } from './request-limits.ts';

/** Part of all places that requests leave to chiplets, health requests and newcomers. */
const RESERVED_SHARE = 1 / 8;

export interface PlaceLimits {
  /** Connections at once, at least 8. */
  readonly maxConnections: number;
  /** Connections of one client that have a request in progress. */
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
  /** Client that the claim counts for; `null` without a claim, or for a client that is not counted. */
  claimedFor: string | null;
  /** Whether the connection is closed or evicted, so that it no longer counts. */
  isClosed: boolean;
}

/** To be called after authentication was added: what is refused there claims no place. */
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

export class ConnectionPlaces {
  readonly #limits: PlaceLimits;
  readonly #maxClaimed: number;
  readonly #placeBySocket = new WeakMap<Socket, Place>();
  /** TCP connections by both of their ends, until TLS has a socket of its own for them. */
  readonly #placeByEnds = new Map<string, Place>();
  /** Places that may be taken away, by group; the longest idle first. */
  readonly #idleByGroup = new Map<string, Set<Place>>();
  readonly #claimsByClient = new Map<string, number>();
  #count = 0;
  #claimedCount = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
    this.#maxClaimed = limits.maxConnections - Math.ceil(limits.maxConnections * RESERVED_SHARE);
  }

  /** Takes part in the events of a server, which must have no limit of its own. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#open(socket));
    server.on('secureConnection', (socket: TLSSocket) => this.#secure(socket));
    server.prependListener('request', ({ socket }: IncomingMessage, _response: ServerResponse) =>
      this.#refresh(socket),
    );
    server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
      // The listener that accepts or refuses it comes next.
      process.nextTick(() => this.#link(socket));
    });
  }

  /**
   * Claims the place of a connection for a request.
   *
   * @param client Client that the claim counts for; `null` for one that is not counted.
   * @returns Releases the claim; calls after the first do nothing.
   * @throws {RenderError} TOO_MANY_CONNECTIONS, if requests of all or of this client have as many as they may.
   */
  claim(socket: Socket, client: string | null): () => void {
    const place = this.#placeBySocket.get(socket);
    if (place === undefined || place.isClosed) return () => {}; // closed meanwhile
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
    if (remoteAddress === undefined) return; // left already
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
    // One that was refused is about to be closed.
    if (place === undefined || socket.writableEnded || place.isClosed) return;
    this.#removeFromIdle(place);
  }

  /** A request has arrived: of idle connections this is the last one to be evicted. */
  #refresh(socket: Socket): void {
    const place = this.#placeBySocket.get(socket);
    if (place === undefined || place.isClosed) return;
    const wasIdle = this.#removeFromIdle(place);
    place.hasAsked = true;
    if (wasIdle) this.#queueForEviction(place);
  }

  /** Closes the longest idle connection of the largest group; gives `false` if none is idle. */
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

  /** Counts a connection no more; calls after the first do nothing. */
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

/** Which idle connections compete for places. */
function groupOf({ peer, hasAsked }: Place): string {
  return `${peer} ${hasAsked}`;
}

/** Both ends of a TCP connection, the same for its raw socket and that of TLS. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}
