/** Messages that the host injects. */

/** Words of a message. */
export const INJECTION = {
  /** Number of the end that its route starts with. */
  start: 0,
  from: 1,
  /** Receiver; the sender itself for a multicast to all others. */
  to: 2,
  /** 0 for requests, 1 for replies. */
  channel: 3,
  priority: 4,
  /** 1 if the intervals of the links that carry it are recorded. */
  isRecorded: 5,
  /** Number of data bytes. */
  bytes: 6,
  /** Cycle in which it enters its source queue. */
  cycle: 7,
  tag: 8,
  line: 9,
  home: 10,
} as const;
/** Number of words of a message. */
export const INJECTION_WORDS = 11;
/** Number of messages that the host injects at a time. */
export const MAX_INJECTIONS = 256;
