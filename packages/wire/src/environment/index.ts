/**
 * Tables of environment variables and the functions that read them. Does not load the rest of the
 * package.
 */
export { CHIPLET_SERVICE_VARIABLES } from './chiplet-service-variables.ts';
export * from './environment.ts';
export { exitAtStart, readOrExit } from './read-or-exit.ts';
