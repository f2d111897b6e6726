import type { Logger } from '../log.ts'
import type { Database } from './database.ts'

const warm_up_after_ms = 1000

/** Loads the geometry library before the first search needs it, but after the first requests, which would wait for it. */
export function createGeometryWarmUp(database: Database, log: Logger): { schedule(): void; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const run = () =>
    database.warmUp().catch((error: unknown) => log.warn({ error }, 'the geometry library cannot be loaded'))
  return {
    schedule: () => {
      timer = setTimeout(run, warm_up_after_ms).unref()
    },
    cancel: () => clearTimeout(timer),
  }
}
