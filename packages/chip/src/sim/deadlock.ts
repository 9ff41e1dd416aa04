/** Message of the watchdog: which module waits for which other module. */
import type { i32 } from '../portable/number-types.ts';
import type { Module } from './module.ts';
import type { Queue } from './queue.ts';
import { type Schedule, STALLED, STARVED, stateOf } from './schedule.ts';

/**
 * Returns a description of a circular wait if there is one, otherwise of all modules. It starts
 * with the module nearest to the end of the pipeline.
 */
export function describeDeadlock(
  cycle: i32,
  schedule: Schedule,
  modules: readonly Module[],
): string {
  let others = '';
  for (let i = 0; i < modules.length; i++) {
    const wait = modules[i]!.describeWait();
    if (wait.length > 0) others += `${modules[i]!.name} ${wait}; `;
  }
  const what = `cycle ${cycle}: nothing can move; ${others}`;
  for (let start = 0; start < modules.length; start++) {
    const circle = findCircularWait(start, schedule, modules);
    if (circle.length > 0)
      return `${what}circular wait: ${describeAll(circle, schedule, modules, ' → ')}`;
  }
  const all: i32[] = [];
  for (let i = 0; i < modules.length; i++) all.push(i);
  return `${what}no circular wait: ${describeAll(all, schedule, modules, '; ')}`;
}

/**
 * Returns the numbers of the modules in the circular wait that module `start` leads to; empty if
 * there is none.
 */
function findCircularWait(start: i32, schedule: Schedule, modules: readonly Module[]): i32[] {
  const path: i32[] = [];
  for (let module = start; module >= 0; ) {
    const at = path.indexOf(module);
    if (at >= 0) return path.slice(at);
    path.push(module);
    const queue = queueOfWait(modules[module]!, schedule);
    if (queue === null) return [];
    module = stateOf(schedule.states[module]!) === STALLED ? queue.consumer : queue.producer;
  }
  return [];
}

/**
 * Returns the first queue that a module cannot push to or pop from; null if it waits for no queue.
 */
function queueOfWait(module: Module, schedule: Schedule): Queue | null {
  const state = stateOf(schedule.states[module.id]!);
  if (state !== STALLED && state !== STARVED) return null;
  const queues = state === STALLED ? module.outputs : module.inputs;
  for (let i = 0; i < queues.length; i++) {
    const queue = queues[i]!;
    if (state === STALLED ? !queue.canPush() : queue.length === 0) return queue;
  }
  return null;
}

function describeAll(
  numbers: readonly i32[],
  schedule: Schedule,
  modules: readonly Module[],
  separator: string,
): string {
  let text = '';
  for (let i = 0; i < numbers.length; i++) {
    if (i > 0) text += separator;
    text += describe(modules[numbers[i]!]!, schedule);
  }
  return text;
}

function describe(module: Module, schedule: Schedule): string {
  const queue = queueOfWait(module, schedule);
  if (queue === null) return `${module.name} waits for no queue`;
  const isStalled = stateOf(schedule.states[module.id]!) === STALLED;
  const verb = isStalled ? 'cannot push to' : 'has nothing from';
  return `${module.name} ${verb} ${queue.name} (${queue.length} of ${queue.capacity})`;
}
