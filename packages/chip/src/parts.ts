/** Parts of the chip that studies and measurements run by themselves, in TypeScript. */
export type { ClientPort } from './memory/client-port.ts';
export { MemorySystem } from './memory/memory-system.ts';
export { FRAGMENT, SLOT_POLICY, VERTEX } from './shading/slot-policy.ts';
export { SLOT_STATE, TaskScheduler, WARP_ID_LAYOUT } from './shading/task-scheduler.ts';
export { TwoLevelRoundRobin } from './shading/two-level-round-robin.ts';
export { Clock } from './sim/clock.ts';
export type { Module } from './sim/module.ts';
export { ModuleLoop } from './sim/module-loop.ts';
export type { Queue } from './sim/queue.ts';
export { RunControl } from './sim/run-control.ts';
export { BUSY, NEVER, Schedule, STALLED } from './sim/schedule.ts';
