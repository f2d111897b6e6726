import { parentPort, workerData } from 'node:worker_threads'
import { readInto } from './read/read-into.ts'
import { VectorFailure, type VectorFailureKind } from './vector-failure.ts'
import type { VectorFile, VectorLimits } from './vector-file.ts'

/** One file to read. */
export interface ReadingOrder {
  readonly path: string
  readonly out: string
  readonly limits: VectorLimits
}

export type ReadingAnswer =
  | { readonly file: VectorFile }
  | { readonly failure: { readonly kind: VectorFailureKind; readonly message: string } }

const { path, out, limits } = workerData as ReadingOrder

async function answer(): Promise<ReadingAnswer> {
  try {
    return { file: await readInto(path, out, limits) }
  } catch (error) {
    // Deep documents end the stack of the parsers.
    if (error instanceof RangeError && /call stack/i.test(error.message)) {
      return { failure: { kind: 'invalid', message: 'The file nests its elements too deep.' } }
    }
    if (!(error instanceof VectorFailure)) throw error
    return { failure: { kind: error.kind, message: error.message } }
  }
}

parentPort!.postMessage(await answer())
