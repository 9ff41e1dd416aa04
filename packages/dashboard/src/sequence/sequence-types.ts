/** Sequences as the service gives them. */
export type { SequenceReport } from '@tessera/frame';

export interface SequenceStatus {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;
  readonly title: string;
  readonly frameCount: number;
  /** Addresses of the frames that were admitted, in order. */
  readonly frames: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly links: {
    readonly self: string;
    readonly report: string;
    readonly timeline: string;
    readonly images: string;
  };
}

/** The frame of an address such as `/v1/frames/7c2e`. */
export function frameIdOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}
