import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { ProbeSample, ProbeTask, ProbeMessage } from './probe-process.ts'

const program = fileURLToPath(new URL('./probe-process.ts', import.meta.url))

/** A separate process that repeats requests to a server, so that the work of the attacker does not affect latencies. */
export interface Probe {
  /** The samples since the last call. */
  take(): Promise<readonly ProbeSample[]>
  stop(): void
}

export function startProbe(task: ProbeTask): Probe {
  const child = fork(program, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const send = (message: ProbeMessage): void => void child.send(message)
  send({ task })
  return {
    take: () =>
      new Promise((resolve, reject) => {
        const onExit = (): void => reject(new Error('a probe process has exited'))
        child.once('exit', onExit)
        child.once('message', (samples) => {
          child.off('exit', onExit)
          resolve(samples as ProbeSample[])
        })
        send({ ask: 'samples' })
      }),
    stop: () => child.disconnect(),
  }
}
