/** The crosslink between chiplets of one process. */
import type { Crosslink, FrameBroadcast } from '@tessera/frame';

/** A chiplet's end of the link. */
export interface BroadcastReceiver {
  receiveBroadcast(message: FrameBroadcast): void;
}

/** Passes a broadcast to each connected chiplet. */
export class InProcessCrosslink implements Crosslink {
  readonly #receivers: BroadcastReceiver[] = [];

  /** Connects a chiplet. Chiplet 0, the sender, is not connected. */
  connect(receiver: BroadcastReceiver): void {
    this.#receivers.push(receiver);
  }

  async broadcast(message: FrameBroadcast): Promise<void> {
    for (const receiver of this.#receivers) receiver.receiveBroadcast(message);
  }
}
