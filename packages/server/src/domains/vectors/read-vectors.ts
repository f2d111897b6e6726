import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { VectorReadResponse, VectorReadRequest } from './reader-thread.ts'
import { VectorFailure } from './vector-failure.ts'
import { default_vector_limits, type VectorFile, type VectorLimits } from './vector-file.ts'

const default_timeout_ms = 180_000
const default_max_heap_mib = 768

export interface VectorReadOptions {
  readonly limits?: Partial<VectorLimits>
  readonly timeout_ms?: number
  /** The heap limit of the thread. */
  readonly max_heap_mib?: number
  readonly signal?: AbortSignal
}

/**
 * Reads GeoJSON, a zipped shapefile, KML or KMZ in its own thread and writes the features to `out` as GeoJSON in WGS 84,
 * one feature per line. Throws `VectorFailure`, whose message says what is wrong with the file and what to do; `out` does
 * not exist then.
 *
 * @param path of the unchecked file; its name does not matter.
 * @param out of a file that does not exist.
 */
export async function readVectorFile(path: string, out: string, options: VectorReadOptions = {}): Promise<VectorFile> {
  const request: VectorReadRequest = { path, out, limits: { ...default_vector_limits, ...options.limits } }
  try {
    return await runInThread(request, options)
  } catch (error) {
    await rm(out, { force: true })
    throw error
  }
}

async function runInThread(request: VectorReadRequest, options: VectorReadOptions): Promise<VectorFile> {
  const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: options.max_heap_mib ?? default_max_heap_mib },
    stdout: true,
    stderr: true,
  })
  const timeoutSignal = AbortSignal.timeout(options.timeout_ms ?? default_timeout_ms)
  const abortSignal = AbortSignal.any([timeoutSignal, ...(options.signal ? [options.signal] : [])])
  try {
    const response = await waitForResponse(thread, abortSignal)
    if ('file' in response) return response.file
    throw new VectorFailure(response.failure.kind, response.failure.message)
  } catch (error) {
    if (timeoutSignal.aborted) throw tooCostly('time', error)
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw tooCostly('memory', error)
    throw error
  } finally {
    await thread.terminate()
  }
}

const tooCostly = (resource: string, cause: unknown): VectorFailure =>
  new VectorFailure('too_large', `Reading the file takes more ${resource} than allowed. Split or simplify it.`, {
    cause,
  })

const waitForResponse = (thread: Worker, abortSignal: AbortSignal): Promise<VectorReadResponse> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(abortSignal.reason as Error)
    if (abortSignal.aborted) abort()
    abortSignal.addEventListener('abort', abort, { once: true })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the vector reader thread exited with ${code}`)))
  })
