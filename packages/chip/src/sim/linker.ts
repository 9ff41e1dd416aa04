/** Makes the queues of a chip and keeps them together. */
import type { i32 } from '../portable/number-types.ts';
import { Queue } from './queue.ts';
import type { Schedule } from './schedule.ts';

export class Linker {
  readonly queues: Queue[] = [];
  private readonly schedule: Schedule;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  /** @param producer Number of the module that pushes. @param consumer Of the one that pops. */
  link(name: string, producer: i32, consumer: i32, capacity: i32): Queue {
    const queue = new Queue(name, capacity, this.schedule, producer, consumer);
    this.queues.push(queue);
    return queue;
  }

  /** `count` queues, from modules in a row (or from one, with `producerStep` 0) to modules in a row. */
  linkEach(
    name: string,
    count: i32,
    producer: i32,
    producerStep: i32,
    consumer: i32,
    consumerStep: i32,
    capacity: i32,
  ): Queue[] {
    const queues: Queue[] = [];
    for (let i = 0; i < count; i++) {
      const from = producer + i * producerStep;
      queues.push(this.link(`${name}[${i}]`, from, consumer + i * consumerStep, capacity));
    }
    return queues;
  }
}
