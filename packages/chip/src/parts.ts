/** Parts of the chip that studies and measurements run by themselves, in TypeScript. */
export { BlockCache } from './memory/block-cache.ts';
export type { ClientPort } from './memory/client-port.ts';
export { MemorySystem } from './memory/memory-system.ts';
export { RemoteServerModule } from './memory/remote-server-module.ts';
export { RunRecords } from './records/run-records.ts';
export { FRAGMENT, VERTEX } from './shading/slot-policy.ts';
export { SLOT_STATE, TaskScheduler } from './shading/task-scheduler.ts';
export { TwoLevelRoundRobin } from './shading/two-level-round-robin.ts';
export { Clock } from './sim/clock.ts';
export { Module } from './sim/module.ts';
export { ModuleLoop } from './sim/module-loop.ts';
export { RunControl } from './sim/run-control.ts';
export { BUSY, NEVER, Schedule, STALLED } from './sim/schedule.ts';
