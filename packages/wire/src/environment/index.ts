/** Tables of environment variables and how services read them. Loads nothing else of the package. */
export { CHIPLET_SERVICE_VARIABLES, specVariable } from './chiplet-service-variables.ts';
export * from './environment.ts';
export { exitAtStart, readOrExit } from './read-or-exit.ts';
