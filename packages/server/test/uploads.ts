import { createHash } from 'node:crypto'
import type { Upload } from '@swath/contract/shapes/upload.ts'
import type { Handler } from '../src/engine/handler.ts'
import type { Call } from '../src/engine/call.ts'
import { handlers } from '../src/domains/domains.ts'
import { checkOutput, readInput } from '../src/engine/read-input.ts'
import { verifyAddress } from '../src/platform/blobs/addresses.ts'
import type { Blobs } from '../src/platform/blobs/blobs.ts'
import type { DiskBlobs } from '../src/platform/blobs/disk.ts'
import { openHoldings } from './holdings.ts'
import { openBench } from './work.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Test services with uploads as the HTTP route receives them, whose background tasks run on request; `openStore` may replace
 * the blob store on disk.
 */
export async function openUploads(openStore = async (disk: DiskBlobs): Promise<Blobs> => disk) {
  const ground = await openHoldings()
  const store = await openStore(ground.blobs)
  const bench = openBench({ ...ground, blobs: store })

  const organize = async () => {
    const made = await ground.organize()
    return { ...made, owner: { ...made.owner, blobs: store } }
  }

  /** Calls an operation as the pipeline does: input and output are validated. */
  const ask = async <Output>(call: Call, id: string, input: Record<string, unknown>): Promise<Output> => {
    const { operation, answer } = handlers.get(id) as Handler
    const given = readInput(operation, input) as never
    const output = await answer({ ...call, operation: id, queue: bench.queue }, given)
    checkOutput(operation, output)
    return output as Output
  }

  /** Stores bytes as the route of signed URLs does. */
  const put = async (url: string, bytes: Uint8Array, pieces = 3): Promise<string> => {
    const { pathname, search } = new URL(url)
    const verdict = verifyAddress([new Uint8Array(32).fill(7)], 'PUT', `${pathname}${search}`, ground.clock.now())
    if (verdict.state !== 'good') throw new Error(`the URL is ${verdict.state}`)
    const { path, media_type, size, within } = verdict.terms
    const step = Math.max(1, Math.ceil(bytes.length / pieces))
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step)
    }
    return (await ground.blobs.receive(path, chunks(), { media_type, limit_bytes: 2 ** 32, size, within })).etag
  }

  /** Lists the paths of all stored objects of an organization. */
  const stored = async (organization: string): Promise<string[]> => {
    const paths: string[] = []
    for await (const { path } of store.list(`organizations/${organization}/`)) paths.push(path)
    return paths
  }

  /** Sends whole files in a new upload session; returns the input for completing it. */
  const send = async (
    call: Call,
    session: Record<string, unknown>,
    files: Readonly<Record<string, Uint8Array>>,
  ): Promise<Sent> => {
    const total_bytes = Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0)
    const file_count = Object.keys(files).length
    const { id: upload_id } = await ask<Upload>(call, 'uploads.initiate', { total_bytes, file_count, ...session })
    const sent: Sent['files'][number][] = []
    for (const [file_name, bytes] of Object.entries(files)) {
      const address = await ask<Address>(call, 'uploads.signed_url', { upload_id, file_name })
      await put(address.upload_url, bytes)
      sent.push({ object_path: address.object_path, size: bytes.length, sha256: sha256(bytes) })
    }
    return { upload_id, files: sent }
  }

  const complete = (call: Call, sent: Sent): Promise<Completed> =>
    ask(call, 'uploads.complete', { upload_id: sent.upload_id, files: sent.files })

  return { ...ground, organize, bench, ask, put, stored, send, complete }
}

export interface Address {
  readonly upload_url: string
  readonly object_path: string
}

export interface Sent {
  readonly upload_id: string
  readonly files: readonly { readonly object_path: string; readonly size: number; readonly sha256: string }[]
}

export interface Completed {
  readonly upload: Upload
  readonly item_ids: readonly string[]
  readonly accepted_count: number
}

export type Uploads = Awaited<ReturnType<typeof openUploads>>
