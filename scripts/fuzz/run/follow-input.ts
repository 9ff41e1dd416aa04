/** Processes one input and judges it: its outcome, or the reason why it is a finding. */
import type { FuzzKind } from '../kinds/fuzz-kind.ts';

/** Upper bound on the CPU time of one input. */
const MAX_CPU_MS = 2000;
/** Number of lines of a stack that identify a fault. */
const SIGNATURE_LINES = 3;

/** Judged input. */
export interface Followed {
  /** Outcome in one word; `finding` if there is a reason. */
  readonly outcome: string;
  /** Why the input is a finding; null otherwise. */
  readonly reason: string | null;
  /** The same for inputs with the same fault; empty without a finding. */
  readonly signature: string;
  readonly cpuMs: number;
}

/** Processes an input. Measures a slow one again, because compilers and collectors add to it. */
export async function followInput(kind: FuzzKind, input: Uint8Array): Promise<Followed> {
  const first = await followOnce(kind, input);
  if (first.reason !== null || first.cpuMs <= MAX_CPU_MS) return first;
  const again = await followOnce(kind, input);
  if (again.reason !== null || again.cpuMs <= MAX_CPU_MS) return again;
  const reason = `${Math.round(again.cpuMs)} ms of CPU time`;
  return { ...again, outcome: 'finding', reason, signature: 'slow' };
}

async function followOnce(kind: FuzzKind, input: Uint8Array): Promise<Followed> {
  const before = process.cpuUsage();
  let outcome = 'finding';
  let reason: string | null = null;
  try {
    const followed = kind.follow(input);
    // Most kinds answer at once. Awaiting each would cost a turn.
    outcome = typeof followed === 'string' ? followed : await followed;
  } catch (error) {
    reason = (error as Error).stack ?? String(error);
  }
  const { user, system } = process.cpuUsage(before);
  return { outcome, reason, signature: signatureOf(reason), cpuMs: (user + system) / 1000 };
}

function signatureOf(reason: string | null): string {
  if (reason === null) return '';
  const places = reason.split('\n').filter((line) => /^\s+at /.test(line));
  const [head = ''] = reason.split(/[:\n]/, 1);
  return [head, ...places.slice(0, SIGNATURE_LINES)].join('\n');
}
