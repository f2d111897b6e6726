import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ReadingAnswer, ReadingOrder } from './reader-thread.ts'
import { VectorFailure } from './vector-failure.ts'
import { vector_limits, type VectorFile, type VectorLimits } from './vector-file.ts'

const limit_ms = 180_000
const limit_heap_mib = 768

export interface ReadingTerms {
  readonly limits?: Partial<VectorLimits>
  readonly limit_ms?: number
  /** The heap limit of the thread. */
  readonly limit_heap_mib?: number
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
export async function readVectors(path: string, out: string, terms: ReadingTerms = {}): Promise<VectorFile> {
  const order: ReadingOrder = { path, out, limits: { ...vector_limits, ...terms.limits } }
  try {
    return await inThread(order, terms)
  } catch (error) {
    await rm(out, { force: true })
    throw error
  }
}

async function inThread(order: ReadingOrder, terms: ReadingTerms): Promise<VectorFile> {
  const thread = new Worker(new URL('./reader-thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: terms.limit_heap_mib ?? limit_heap_mib },
    stdout: true,
    stderr: true,
  })
  const limit = AbortSignal.timeout(terms.limit_ms ?? limit_ms)
  const ends = AbortSignal.any([limit, ...(terms.signal ? [terms.signal] : [])])
  try {
    const answer = await answerOf(thread, ends)
    if ('file' in answer) return answer.file
    throw new VectorFailure(answer.failure.kind, answer.failure.message)
  } catch (error) {
    if (limit.aborted) throw costly('time', error)
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw costly('memory', error)
    throw error
  } finally {
    await thread.terminate()
  }
}

const costly = (what: string, cause: unknown): VectorFailure =>
  new VectorFailure('too_large', `Reading the file takes more ${what} than allowed. Split or simplify it.`, { cause })

const answerOf = (thread: Worker, ends: AbortSignal): Promise<ReadingAnswer> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(ends.reason as Error)
    if (ends.aborted) giveUp()
    ends.addEventListener('abort', giveUp, { once: true })
    thread.once('message', resolve)
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the vector reader thread exited with ${code}`)))
  })
