import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProbeSample, ProbeTask, ProbeWord } from './probe-process.ts'

const program = fileURLToPath(new URL('./probe-process.ts', import.meta.url))

/** A process of its own that asks a server again and again, so that the work of whoever attacks does not count. */
export interface Probe {
  /** What it has measured since it was asked last. */
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
        const dead = (): void => reject(new Error('a probe has ended'))
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
