import { parentPort, workerData } from 'node:worker_threads'
import { convertToGeojson } from './read/convert-to-geojson.ts'
import { VectorFailure, type VectorFailureKind } from './vector-failure.ts'
import type { VectorFile, VectorLimits } from './vector-file.ts'

/** A request to read one file. */
export interface VectorReadRequest {
  readonly path: string
  readonly out: string
  readonly limits: VectorLimits
}

export type VectorReadResponse =
  | { readonly file: VectorFile }
  | { readonly failure: { readonly kind: VectorFailureKind; readonly message: string } }

const { path, out, limits } = workerData as VectorReadRequest

async function readRequestedFile(): Promise<VectorReadResponse> {
  try {
    return { file: await convertToGeojson(path, out, limits) }
  } catch (error) {
    // Deeply nested documents overflow the stack of the parsers.
    if (error instanceof RangeError && /call stack/i.test(error.message)) {
      return {
        failure: {
          kind: 'invalid',
          message: 'The folders or geometries of the file are nested too deeply. Flatten it.',
        },
      }
    }
    if (!(error instanceof VectorFailure)) throw error
    return { failure: { kind: error.kind, message: error.message } }
  }
}

parentPort!.postMessage(await readRequestedFile())
