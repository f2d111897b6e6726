import { defineService } from '../../engine/process-services.ts'
import type { Logger } from '../../platform/log.ts'

/** The advances of sandbox clocks that this process has begun, each of which may go on after the call that began it. */
export interface SandboxClockAdvances {
  /** Runs the work, whose signal is aborted when the process stops. Rejects if it does, unless it was stopped. */
  start(work: (signal: AbortSignal) => Promise<void>): Promise<void>
  /** Stops them between two tasks, and waits for that. */
  close(): Promise<void>
}

export const sandboxClockAdvancesKey = defineService<SandboxClockAdvances>('sandboxAdvances')

export function createSandboxClockAdvances(log: Logger): SandboxClockAdvances {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    start: (work) => {
      const advance = work(stopping.signal).catch((error: unknown) => {
        if (!stopping.signal.aborted) throw error
      })
      const ended = advance
        .catch((error: unknown) => log.error({ error }, 'the clock of a sandbox stopped before its target'))
        .finally(() => running.delete(ended))
      running.add(ended)
      return advance
    },
    close: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
