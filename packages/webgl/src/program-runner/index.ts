/** `@tessera/webgl/program-runner`: users' programs, run over a context. */
export {
  type ProgramBackEnd,
  type ProgramFrame,
  type ProgramOptions,
  RunningProgram,
} from './running-program.ts';
