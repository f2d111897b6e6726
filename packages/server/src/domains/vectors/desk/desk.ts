import { Worker } from 'node:worker_threads'
import { Problem } from '../../../engine/problem.ts'
import type { DatasetPlace, DeskAnswer, DeskJob, DeskJobs, DeskOrder } from './desk-thread.ts'

const limit_ms = 30_000
const limit_heap_mib = 1024

/** The thread that has datasets in memory. It belongs to the process, whoever's house it is, and ends with it. */
let thread: Worker | null = null
/** Ends when the thread is free. */
let turn: Promise<unknown> = Promise.resolve()

export type RequestOf<Job extends DeskJob> = Parameters<DeskJobs[Job]>[1]
export type ValueOf<Job extends DeskJob> = ReturnType<DeskJobs[Job]>

/**
 * Has the thread of vector data do a job, one after the other. Throws `budget-exceeded` for what takes more than 30
 * seconds or a gibibyte.
 *
 * @param fetchBytes gives the bytes of a dataset that the thread cannot read itself, where it does not have it.
 */
export function askDesk<Job extends DeskJob>(
  job: Job,
  place: DatasetPlace,
  request: RequestOf<Job>,
  fetchBytes: () => Promise<Uint8Array>,
  signal: AbortSignal,
): Promise<ValueOf<Job>> {
  const work = turn.then(async () => {
    signal.throwIfAborted()
    const order = { job, place, request, bytes: null }
    const first = await perform(order)
    const answer = 'wants' in first ? await perform({ ...order, bytes: await fetchBytes() }) : first
    if ('value' in answer) return answer.value as ValueOf<Job>
    throw new Error('fault' in answer ? `vector data: ${answer.fault}` : 'vector data: bytes were handed over twice')
  })
  turn = work.catch(() => {})
  return work
}

function openThread(): Worker {
  const opened = new Worker(new URL('./desk-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: limit_heap_mib },
  })
  opened.unref()
  return opened
}

/** A thread that ends or takes too long is replaced for the next one. */
async function perform(order: DeskOrder): Promise<DeskAnswer> {
  const worker = (thread ??= openThread())
  const limit = AbortSignal.timeout(limit_ms)
  worker.ref()
  try {
    return await new Promise<DeskAnswer>((resolve, reject) => {
      limit.addEventListener('abort', () => reject(costly('time')), { once: true })
      worker.once('message', resolve)
      worker.once('error', (error: Error & { code?: string }) =>
        reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? costly('memory') : error),
      )
      worker.postMessage(order, order.bytes ? [order.bytes.buffer as ArrayBuffer] : [])
    })
  } catch (error) {
    thread = null
    await worker.terminate()
    throw error
  } finally {
    worker.unref()
    worker.removeAllListeners('message')
    worker.removeAllListeners('error')
  }
}

const costly = (what: string): Problem =>
  new Problem('budget-exceeded', `The features need more ${what} than one request may use. Ask for fewer of them.`)
