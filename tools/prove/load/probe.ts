import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProbeSample, ProbeTask, ProbeWord } from './probe-process.ts'

const program = fileURLToPath(new URL('./probe-process.ts', import.meta.url))

/** A separate process that repeats requests to a server, so that the work of the attacker does not affect latencies. */
export interface Probe {
  /** The samples since the last call. */
  take(): Promise<readonly ProbeSample[]>
  stop(): void
}

export function startProbe(task: ProbeTask): Probe {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const tell = (word: ProbeWord): void => void child.send(word)
  tell({ task })
  return {
    take: () =>
      new Promise((resolve, reject) => {
        const dead = (): void => reject(new Error('a probe process has exited'))
        child.once('exit', dead)
        child.once('message', (samples) => {
          child.off('exit', dead)
          resolve(samples as ProbeSample[])
        })
        tell({ ask: 'samples' })
      }),
    stop: () => child.disconnect(),
  }
}
