import { RasterFailure } from '../failures.ts'
import { openDescribedRaster } from './open-described-raster.ts'
import type { ReadTaskSource } from './open-described-raster.ts'
import type { IsolatedProcessMessage, IsolatedTask } from './isolated-process.ts'
import { createRasterPool } from './pool.ts'
import type { SourceReadResponse, WorkerResult } from './worker-task.ts'

// The process that `runInIsolatedProcess` starts: one job in a thread, while this one sees to its end.

const progress_interval_ms = 500
const memory_interval_ms = 250
/** Of this process beside the thread: programs, and what V8 has freed and keeps. */
const own_bytes = 768 * 1024 * 1024

// A terminal or a supervisor may signal the whole group; the server decides, and ends this process with itself.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined)
process.on('disconnect', () => process.exit())

const tell = (message: IsolatedProcessMessage): Promise<void> =>
  new Promise((resolve) => void process.send!(message, undefined, undefined, () => resolve()))

function createAsk(): ReadTaskSource {
  const waiting = new Map<number, (bytes: Uint8Array | null) => void>()
  let last = 0
  process.on('message', ({ id, bytes }: SourceReadResponse) => {
    waiting.get(id)?.(bytes)
    waiting.delete(id)
  })
  return async (source, offset, length) => {
    const id = ++last
    const bytes = await new Promise<Uint8Array | null>((resolve) => {
      waiting.set(id, resolve)
      void tell({ read: { id, source, offset, length } })
    })
    if (!bytes) throw new RasterFailure('source', `could not read bytes ${offset} to ${offset + length - 1}`)
    return bytes
  }
}

/** Ends the process once it has more memory than its job may need: the limits of the thread do not see all of it. */
function watchResidentMemory(max_bytes: number): void {
  setInterval(() => {
    if (process.memoryUsage.rss() > max_bytes) process.exit(1)
  }, memory_interval_ms)
}

async function work({ job, rasters, request, max_bytes, reportsProgress }: IsolatedTask): Promise<WorkerResult> {
  watchResidentMemory(max_bytes + own_bytes)
  const ask = createAsk()
  const progress = new Int32Array(new SharedArrayBuffer(4))
  if (reportsProgress) setInterval(() => void tell({ progress: Atomics.load(progress, 0) }), progress_interval_ms)
  const pool = createRasterPool({ threads: 1, cache_bytes: 0, max_job_bytes: max_bytes })
  try {
    const opened = rasters.map((descriptor) => openDescribedRaster(descriptor, ask, false))
    const given = reportsProgress ? { ...(request as object), progress } : request
    return { value: await pool.run(job, opened, given as never) }
  } catch (error) {
    if (!(error instanceof RasterFailure)) throw error
    return { failure: { kind: error.kind, message: error.message } }
  }
}

process.once('message', (task: IsolatedTask) => void work(task).then((result) => tell({ result })))
