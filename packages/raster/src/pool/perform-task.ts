import { RasterFailure, checkCancelled, rejectOnAbort } from '../failures.ts'
import type { RasterByteSource } from '../types.ts'
import { type RasterThreads, isEndedThreadError, createMemoryLimitFailure } from './threads.ts'
import type { SourceReadRequest, SourceReadResponse, WorkerResult, WorkerTask } from './worker-task.ts'
import { MessageChannel, type MessagePort } from 'node:worker_threads'

interface ServedReads {
  /** The worker's end. */
  readonly port: MessagePort
  /** The first error that a source threw: it says more than the worker can know. */
  readonly failure: () => unknown
  readonly end: () => void
}

/** Reads for a worker what only this thread can read. */
function serveReads(sources: readonly RasterByteSource[], signal: AbortSignal | undefined): ServedReads {
  const { port1: own, port2: port } = new MessageChannel()
  let failure: unknown
  own.on('message', async ({ id, source, offset, length }: SourceReadRequest) => {
    let bytes: Uint8Array | null = null
    try {
      bytes = await sources[source]!.read(offset, length, signal)
    } catch (error) {
      failure ??= error
    }
    own.postMessage({ id, bytes } satisfies SourceReadResponse)
  })
  return { port, failure: () => failure, end: () => own.close() }
}

/** Time that a cancelled job has to end by itself. */
const cancel_grace_ms = 500

export type WorkerTaskInput = Pick<WorkerTask, 'job' | 'rasters' | 'request'>

/** A cancelled job is rejected at once; its thread looks at the signal. */
export async function performRasterTask(
  threads: RasterThreads,
  task: WorkerTaskInput,
  sources: readonly RasterByteSource[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const sent = send(threads, task, sources, signal)
  return sent.valueOf(await rejectOnAbort(sent.result, signal, sent.cancel))
}

/** A cancelled job is rejected once its thread is free, which is ended if it does not look at the signal. */
export async function performLongRasterTask(
  threads: RasterThreads,
  task: WorkerTaskInput,
  sources: readonly RasterByteSource[],
  { max_job_bytes, signal }: { readonly max_job_bytes: number; readonly signal: AbortSignal | undefined },
): Promise<unknown> {
  const end = new AbortController()
  const sent = send(threads, task, sources, signal, end.signal)
  let timer: NodeJS.Timeout | undefined
  const cancel = (): void => {
    sent.cancel()
    timer = setTimeout(() => end.abort(), cancel_grace_ms)
  }
  if (signal?.aborted) cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    return sent.valueOf(await sent.result)
  } catch (error) {
    checkCancelled(signal)
    throw isEndedThreadError(error) ? createMemoryLimitFailure(max_job_bytes) : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
}

interface SentTask {
  readonly result: Promise<WorkerResult>
  /** Tells the job that nobody waits for it. */
  readonly cancel: () => void
  /** Returns the value of a result; throws its failure, or the first error of a source. */
  readonly valueOf: (result: WorkerResult) => unknown
}

function send(
  threads: RasterThreads,
  task: WorkerTaskInput,
  sources: readonly RasterByteSource[],
  signal: AbortSignal | undefined,
  end?: AbortSignal,
): SentTask {
  const cancelled = new Int32Array(new SharedArrayBuffer(4))
  const reads = sources.every(({ path }) => path !== undefined) ? null : serveReads(sources, signal)
  const sent: WorkerTask = { ...task, cancelled, port: reads?.port ?? null }
  const options = { transferList: reads ? [reads.port] : [], ...(end ? { signal: end } : {}) }
  return {
    result: threads.run(sent, options).finally(() => reads?.end()),
    cancel: () => void Atomics.store(cancelled, 0, 1),
    valueOf: (result) => {
      if ('value' in result) return result.value
      checkCancelled(signal)
      throw reads?.failure() ?? new RasterFailure(result.failure.kind, result.failure.message)
    },
  }
}
