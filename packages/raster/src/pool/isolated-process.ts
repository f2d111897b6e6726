import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { RasterFailure, checkCancelled } from '../failures.ts'
import type { RasterByteSource } from '../types.ts'
import type { WorkerTaskInput } from './perform-task.ts'
import type { SourceReadRequest, SourceReadResponse, WorkerResult } from './worker-task.ts'

/** The task of an isolated process; the progress callback of the request stays here. */
export interface IsolatedTask extends WorkerTaskInput {
  /** Of the thread that works. */
  readonly max_bytes: number
  readonly reportsProgress: boolean
}

/** A message of the process, which has one of these members. */
export interface IsolatedProcessMessage {
  readonly read?: SourceReadRequest
  /** The finished part, in thousandths. */
  readonly progress?: number
  readonly result?: WorkerResult
}

/** Flags of this process that load modules as it does. */
const moduleFlags = (): string[] => process.execArgv.filter((flag) => /^--(import|disable-warning)=/.test(flag))

/**
 * Runs a job in a process of its own, which ends with it: whatever the job does to it, this process goes on. Throws the
 * failure of the job, `budget` if its thread needed more memory than allowed, `worker_lost` if the process ended
 * without a result, and `cancelled` after it was ended because the signal aborted.
 */
export async function runInIsolatedProcess(
  task: WorkerTaskInput,
  sources: readonly RasterByteSource[],
  { max_bytes, signal }: { readonly max_bytes: number; readonly signal: AbortSignal },
): Promise<unknown> {
  const { progress, ...request } = task.request as { readonly progress?: Int32Array }
  const child = fork(fileURLToPath(new URL('./isolated-child.ts', import.meta.url)), [], {
    execArgv: moduleFlags(),
    serialization: 'advanced',
    // It needs none, and none of the secrets of this process.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const end = (): void => void child.kill('SIGKILL')
  process.once('exit', end)
  signal.addEventListener('abort', end, { once: true })
  let failure: unknown
  const answer = async ({ id, source, offset, length }: SourceReadRequest): Promise<void> => {
    const bytes = await sources[source]!.read(offset, length, signal).catch((error: unknown) => {
      failure ??= error
      return null
    })
    if (child.connected) child.send({ id, bytes } satisfies SourceReadResponse)
  }
  try {
    const result = await new Promise<WorkerResult | null>((resolve, reject) => {
      child.on('message', (message: IsolatedProcessMessage) => {
        if (message.read) void answer(message.read)
        if (message.progress !== undefined && progress) Atomics.store(progress, 0, message.progress)
        if (message.result) resolve(message.result)
      })
      child.once('error', reject)
      child.once('exit', () => resolve(null))
      child.send({ ...task, request, max_bytes, reportsProgress: progress !== undefined } satisfies IsolatedTask)
    })
    checkCancelled(signal)
    if (result === null) throw new RasterFailure('worker_lost', 'the process that worked alone on it ended')
    if ('value' in result) return result.value
    throw failure ?? new RasterFailure(result.failure.kind, result.failure.message)
  } finally {
    signal.removeEventListener('abort', end)
    process.off('exit', end)
    end()
  }
}
