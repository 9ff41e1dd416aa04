/** Sequences as the service returns them. */
export type { SequenceReport } from '@tessera/frame';

/** Status of one sequence. */
export interface SequenceStatus {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled';
  readonly submittedAt: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly frameCount: number;
  /** Addresses of the accepted frames, in order. */
  readonly frames: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly links: {
    readonly self: string;
    readonly report: string;
    readonly timeline: string;
    readonly images: string;
  };
}

/** Returns the id of the frame at an address such as `/v1/frames/7c2e`. */
export function frameIdOf(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}
