/** Wall time of renders. */

/**
 * Clock of the process. A page that runs in it replaces the global name by one with the time of its
 * frames, after this module is loaded.
 */
export const wallClock: Pick<Performance, 'now'> = performance;
