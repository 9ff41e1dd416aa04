/**
 * Machines of a test as network namespaces of this machine (`ip netns`), joined by a bridge in a
 * namespace of its own. A link between two of them swallows all packets, or a machine loses its
 * cable. No packet leaves the namespaces and the one link to this process.
 */
import { execFileSync } from 'node:child_process';
import type { ProcessPlace } from '../../cluster/cluster-processes.ts';

/** Address to which no packet is delivered. */
const NOWHERE = '02:00:00:00:00:01';
const FIRST_HOST = 2;
const NETWORKS = 250;

/** Namespaces of one test. */
export class NetworkNamespaces {
  readonly #prefix = `tessera-${process.pid}`;
  readonly #rootLink = `tsr${process.pid}`;
  readonly #network = `10.213.${process.pid % NETWORKS}`;
  readonly #nodes: readonly string[];

  private constructor(nodes: readonly string[]) {
    this.#nodes = nodes;
  }

  /** Returns why this machine has no namespaces for tests, or null. */
  static problem(): string | null {
    if (process.getuid?.() !== 0) return 'network namespaces need root';
    const name = `tessera-${process.pid}-probe`;
    try {
      run('ip', 'netns', 'add', name);
      run('ip', '-n', name, 'link', 'add', 'bridge', 'type', 'bridge');
      run('ip', 'netns', 'del', name);
      return null;
    } catch (error) {
      return `no network namespaces: ${(error as Error).message.split('\n').at(-1)}`;
    }
  }

  /**
   * Creates a namespace for each node.
   *
   * @throws {Error} If the machine has none; see {@link problem}.
   */
  static create(nodes: readonly string[]): NetworkNamespaces {
    const namespaces = new NetworkNamespaces(nodes);
    try {
      namespaces.#create();
    } catch (error) {
      namespaces.remove();
      throw error;
    }
    return namespaces;
  }

  /** Returns where a process of a node runs. */
  placeOf(node: string): ProcessPlace {
    return { host: this.#addressOf(node), prefix: ['ip', 'netns', 'exec', this.#nameOf(node)] };
  }

  /** Address range of the nodes. */
  get network(): string {
    return `${this.#network}.0/24`;
  }

  /** Plugs the cable of a node in or out. */
  setCable(node: string, isConnected: boolean): void {
    const state = isConnected ? 'up' : 'down';
    this.#inHub('link', 'set', this.#portOf(node), state);
  }

  /** Swallows all packets between two nodes, or delivers them again. */
  setSwallowing(one: string, other: string, isSwallowing: boolean): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const address = this.#addressOf(to);
      const link = ['dev', 'eth0'];
      if (isSwallowing) {
        const nowhere = ['lladdr', NOWHERE, ...link, 'nud', 'permanent'];
        this.#inNode(from, 'neigh', 'replace', address, ...nowhere);
      } else this.#inNode(from, 'neigh', 'del', address, ...link);
    }
  }

  /** Removes everything. Processes in the namespaces should have ended. */
  remove(): void {
    const names = [this.#hub, ...this.#nodes.map((node) => this.#nameOf(node))];
    for (const command of [
      ['link', 'del', this.#rootLink],
      ...names.map((name) => ['netns', 'del', name]),
    ]) {
      try {
        run('ip', ...command);
      } catch {
        // It was not created.
      }
    }
  }

  #create(): void {
    run('ip', 'netns', 'add', this.#hub);
    this.#inHub('link', 'add', 'bridge', 'type', 'bridge');
    this.#inHub('link', 'set', 'bridge', 'up');
    run('ip', 'link', 'add', this.#rootLink, 'type', 'veth', 'peer', 'root', 'netns', this.#hub);
    run('ip', 'addr', 'add', `${this.#network}.1/24`, 'dev', this.#rootLink);
    run('ip', 'link', 'set', this.#rootLink, 'up');
    this.#inHub('link', 'set', 'root', 'master', 'bridge', 'up');
    for (const node of this.#nodes) {
      const name = this.#nameOf(node);
      const port = this.#portOf(node);
      run('ip', 'netns', 'add', name);
      this.#inNode(node, 'link', 'add', 'eth0', 'type', 'veth', 'peer', port, 'netns', this.#hub);
      this.#inNode(node, 'addr', 'add', `${this.#addressOf(node)}/24`, 'dev', 'eth0');
      this.#inNode(node, 'link', 'set', 'eth0', 'up');
      this.#inNode(node, 'link', 'set', 'lo', 'up');
      this.#inHub('link', 'set', port, 'master', 'bridge', 'up');
    }
  }

  get #hub(): string {
    return `${this.#prefix}-hub`;
  }

  #nameOf(node: string): string {
    return `${this.#prefix}-${node}`;
  }

  #portOf(node: string): string {
    return `port${this.#nodes.indexOf(node)}`;
  }

  #addressOf(node: string): string {
    return `${this.#network}.${FIRST_HOST + this.#nodes.indexOf(node)}`;
  }

  #inHub(...command: readonly string[]): void {
    run('ip', '-n', this.#hub, ...command);
  }

  #inNode(node: string, ...command: readonly string[]): void {
    run('ip', '-n', this.#nameOf(node), ...command);
  }
}

function run(program: string, ...words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}
