/**
 * A Slurm cluster of one node on loopback, for tests: munged, slurmctld and slurmd with their files
 * in one folder. Needs root and Debian's packages `slurm-wlm` and `munge`.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const READY_WITHIN_MS = 60_000;
const POLL_MS = 200;
const NODE = 'node1';

/** Whether this machine has the programs, and this process the rights. */
export function canRunSlurm(): boolean {
  const programs = ['munged', 'slurmctld', 'slurmd', 'sbatch'];
  const isMissing = programs.some((name) => spawnSync('which', [name]).status !== 0);
  return process.getuid?.() === 0 && !isMissing;
}

/** A running cluster. */
export class SlurmCluster {
  readonly #folder: string;
  readonly #daemons: ChildProcess[] = [];

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Starts the daemons and waits until the node is idle.
   *
   * @param folder Folder for configuration, sockets, state and logs.
   * @param cores Number of cores that the node claims to have.
   * @throws {Error} If the node is not idle within a minute.
   */
  static async start(folder: string, cores: number, port: number): Promise<SlurmCluster> {
    const cluster = new SlurmCluster(folder);
    mkdirSync(folder, { recursive: true });
    // munged insists on folders that others cannot write.
    chmodSync(folder, 0o755);
    const key = join(folder, 'munge.key');
    writeFileSync(key, randomBytes(128), { mode: 0o400 });
    writeFileSync(join(folder, 'slurm.conf'), configurationOf(folder, cores, port));
    const munge = ['--key-file', key, '--socket', join(folder, 'munge.socket')];
    const files = ['pid', 'log', 'seed'].map((name) => `--${name}-file=${folder}/munge.${name}`);
    cluster.#spawn('munged', ['--foreground', '--force', ...munge, ...files]);
    await cluster.#waitUntil('munged listens', () => existsSync(join(folder, 'munge.socket')));
    cluster.#spawn('slurmctld', ['-D', '-c']);
    cluster.#spawn('slurmd', ['-D', '-N', NODE]);
    await cluster.#waitUntil('the node is idle', () => {
      return cluster.#try('sinfo', ['--noheader', '--format=%t']).trim() === 'idle';
    });
    return cluster;
  }

  /** Environment of Slurm's commands. */
  get environment(): Readonly<Record<string, string>> {
    return { SLURM_CONF: join(this.#folder, 'slurm.conf') };
  }

  /**
   * Runs one of Slurm's commands and returns its output.
   *
   * @throws {Error} If the command fails.
   */
  run(command: string, options: readonly string[], variables: NodeJS.ProcessEnv = {}): string {
    const env = { ...process.env, ...variables, ...this.environment };
    return execFileSync(command, options, { encoding: 'utf8', env });
  }

  /** Cancels all jobs and stops the daemons. */
  async stop(): Promise<void> {
    this.#try('scancel', ['--user=root']);
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (this.#try('squeue', ['--noheader']).trim() !== '' && performance.now() < deadlineMs) {
      await sleep(POLL_MS);
    }
    for (const daemon of this.#daemons.toReversed()) {
      if (daemon.exitCode !== null || daemon.signalCode !== null) continue;
      const exited = new Promise((resolve) => daemon.once('exit', resolve));
      daemon.kill('SIGTERM');
      await exited;
    }
  }

  #spawn(program: string, options: readonly string[]): void {
    const env = { ...process.env, ...this.environment };
    this.#daemons.push(spawn(program, options, { stdio: 'ignore', env }));
  }

  #try(command: string, options: readonly string[]): string {
    const env = { ...process.env, ...this.environment };
    return spawnSync(command, options, { encoding: 'utf8', env }).stdout ?? '';
  }

  async #waitUntil(what: string, isTrue: () => boolean): Promise<void> {
    const deadlineMs = performance.now() + READY_WITHIN_MS;
    while (!isTrue()) {
      if (performance.now() > deadlineMs) {
        await this.stop();
        const logs = ['munge.log', 'slurmctld.log', 'slurmd.log']
          .map((name) => join(this.#folder, name))
          .filter((path) => existsSync(path))
          .map((path) => `${path}:\n${readFileSync(path, 'utf8').slice(-2000)}`);
        throw new Error(`not within ${READY_WITHIN_MS} ms: ${what}\n${logs.join('\n')}`);
      }
      await sleep(POLL_MS);
    }
  }
}

/**
 * Returns slurm.conf: no accounting, no control groups, and more cores than there are if need be.
 */
function configurationOf(folder: string, cores: number, port: number): string {
  return `ClusterName=tessera
SlurmctldHost=${hostname().split('.')[0]}(127.0.0.1)
SlurmctldPort=${port}
SlurmdPort=${port + 1}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${folder}/munge.socket
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=${NODE} NodeHostname=${hostname().split('.')[0]} NodeAddr=127.0.0.1 CPUs=${cores} RealMemory=16000
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`;
}
