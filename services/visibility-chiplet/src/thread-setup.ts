/** What the thread that renders is told at its start. */
import type { ChipletId } from '@tessera/frame';

export interface ThreadSetup {
  readonly id: ChipletId;
  /** Name of the preset that frames are simulated on that ask for nothing else. */
  readonly specName: string;
  /** Of the thread, 0 to 19. */
  readonly niceness: number;
}
