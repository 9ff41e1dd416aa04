/**
 * Bugs of ours that a program runs into. The program goes on as after any failed compilation, and the error is
 * reported to the developer instead of ending the process.
 */
import { RenderError } from '@tessera/frame';
import type { ProgramReflection } from '@tessera/gl';

/** An error that is a bug of Tessera, not of the program. */
export interface InternalFailure {
  /** The call that failed for it. */
  readonly call: 'compileShader' | 'linkProgram';
  readonly error: Error;
}

export type ReportFailure = (failure: InternalFailure) => void;

/** Reports a failure as a warning of the process, with the stack of the error. */
export function warnOfFailure({ call, error }: InternalFailure): void {
  process.emitWarning(`${call}: ${describe(error)}`, {
    type: 'TesseraInternalFailure',
    detail: error.stack,
  });
}

/**
 * Returns a compiler from which no exception leaves: whatever `reflection` throws becomes a failed compilation or link
 * whose log names the cause. Everything but a `RenderError`, which is about the source, is reported as well.
 */
export function guardCompiler(
  reflection: Required<ProgramReflection>,
  report: ReportFailure = warnOfFailure,
): Required<ProgramReflection> {
  const explain = (call: InternalFailure['call'], thrown: unknown): string => {
    if (thrown instanceof RenderError) return thrown.message;
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    report({ call, error });
    return `ERROR: 0:0: '${call}' : ${describe(error)}`;
  };
  return {
    compile(stage, source) {
      try {
        return reflection.compile(stage, source);
      } catch (error) {
        return { isCompiled: false, log: explain('compileShader', error), source };
      }
    },
    reflect(...given) {
      try {
        return reflection.reflect(...given);
      } catch (error) {
        const log = explain('linkProgram', error);
        return { isLinked: false, log, attributes: [], uniforms: [], samplers: [] };
      }
    },
  };
}

function describe({ message }: Error): string {
  return `internal failure of Tessera's shader compiler, not a fault of the shader: ${message}`;
}
