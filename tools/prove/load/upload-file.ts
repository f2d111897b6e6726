import { createHash } from 'node:crypto'
import type { Client } from '@swath/client/client.ts'

export interface UploadedFile {
  readonly upload_id: string
  readonly status: string
  readonly item_ids: readonly string[]
}

interface ReadUpload {
  readonly upload: { readonly id: string; readonly status: string; readonly item_ids: readonly string[] }
}

const look_ms = 100

/** Uploads a file in a new session and waits until it is ingested or rejected, or until the deadline. */
export async function uploadFile(
  client: Client,
  project_id: string,
  file_name: string,
  bytes: Uint8Array<ArrayBuffer>,
  until_ms: number = performance.now() + 60_000,
): Promise<UploadedFile> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until_ms - performance.now())))
  const session = { project_id, transfer_method: 'cli', total_bytes: bytes.length }
  const { id: upload_id } = await client.call<{ id: string }>('uploads.initiate', session, { signal })
  const address = { upload_id, file_name, size_bytes: bytes.length }
  const { upload_url, object_path } = await client.call<Record<string, string>>('uploads.signed_url', address, {
    signal,
  })
  const sent = await fetch(upload_url!, { method: 'PUT', body: bytes, signal })
  if (!sent.ok) throw new Error(`uploading the file returned ${sent.status}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = [{ object_path, size: bytes.length, sha256 }]
  let { upload } = await client.call<ReadUpload>('uploads.complete', { upload_id, files }, { signal })
  while (upload.status === 'ingesting') {
    await new Promise((resolve) => setTimeout(resolve, look_ms))
    upload = (await client.call<ReadUpload>('uploads.get', { upload_id }, { signal })).upload
  }
  return { upload_id, status: upload.status, item_ids: upload.item_ids ?? [] }
}
