/** Creates the queues of a chip. */
import type { i32 } from '../portable/number-types.ts';
import { Queue } from './queue.ts';
import type { Schedule } from './schedule.ts';

/** Creates queues and collects them. */
export class Linker {
  readonly queues: Queue[] = [];
  private readonly schedule: Schedule;

  constructor(schedule: Schedule) {
    this.schedule = schedule;
  }

  /**
   * Creates a queue.
   *
   * @param producer Number of the module that pushes.
   * @param consumer Number of the module that pops.
   */
  link(name: string, producer: i32, consumer: i32, capacity: i32): Queue {
    const schedule = this.schedule;
    const queue = new Queue({ name, capacity, schedule, producer, consumer });
    this.queues.push(queue);
    return queue;
  }

  /**
   * Creates `count` queues between consecutive modules. With a step of 0, the queues share one
   * module at that end.
   */
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
