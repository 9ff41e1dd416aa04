/** Network and disk of each world. */
import type { Disk } from './disk.ts';
import type { Network } from './network.ts';
import type { World } from './world.ts';

const networkByWorld = new WeakMap<World, Network>();
const diskByWorld = new WeakMap<World, Disk>();

/** Gives a world its network and the disk of its machine. */
export function equipWorld(world: World, network: Network, disk: Disk): void {
  networkByWorld.set(world, network);
  diskByWorld.set(world, disk);
}

/** Returns the network of a world. */
export function networkOf(world: World): Network {
  return networkByWorld.get(world)!; // Each world is equipped before it runs.
}

/** Returns the disk of a world. */
export function diskOf(world: World): Disk {
  return diskByWorld.get(world)!; // Each world is equipped before it runs.
}
