import { MessageChannel } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import type { Source } from '../types.ts'
import type { ReadRequest, ReadResponse } from './worker-task.ts'

export interface ServedReads {
  /** The worker's end. */
  readonly port: MessagePort
  /** The first error that a source threw: it says more than the worker can know. */
  readonly failure: () => unknown
  readonly end: () => void
}

/** Reads for a worker what only this thread can read. */
export function serveReads(sources: readonly Source[], signal: AbortSignal | undefined): ServedReads {
  const { port1: own, port2: port } = new MessageChannel()
  let failure: unknown
  own.on('message', async ({ id, source, offset, length }: ReadRequest) => {
    let bytes: Uint8Array | null = null
    try {
      bytes = await sources[source]!.read(offset, length, signal)
    } catch (error) {
      failure ??= error
    }
    own.postMessage({ id, bytes } satisfies ReadResponse)
  })
  return { port, failure: () => failure, end: () => own.close() }
}
