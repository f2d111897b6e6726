import { createHash } from 'node:crypto'
import type { Client } from '@swath/client/client.ts'

interface UploadResult {
  readonly upload_id: string
  readonly status: string
  readonly item_ids: readonly string[]
}

interface UploadResponse {
  readonly upload: { readonly id: string; readonly status: string; readonly item_ids: readonly string[] }
}

const poll_ms = 100

/** Uploads a file in a new session and waits until it is ingested or rejected, or until the deadline. */
export async function uploadFile(
  client: Client,
  {
    project_id,
    file_name,
    bytes,
    until_ms = performance.now() + 60_000,
    target_collection_id = null,
  }: {
    readonly project_id: string
    readonly file_name: string
    readonly bytes: Uint8Array<ArrayBuffer>
    readonly until_ms?: number
    readonly target_collection_id?: string | null | undefined
  },
): Promise<UploadResult> {
  const signal = AbortSignal.timeout(Math.max(1, Math.ceil(until_ms - performance.now())))
  const session = { project_id, transfer_method: 'cli', total_bytes: bytes.length, target_collection_id }
  const { id: upload_id } = await client.call<{ id: string }>('uploads.initiate', session, { signal })
  const fileInput = { upload_id, file_name, size_bytes: bytes.length }
  const { upload_url, object_path } = await client.call<Record<string, string>>('uploads.signed_url', fileInput, {
    signal,
  })
  const response = await fetch(upload_url!, { method: 'PUT', body: bytes, signal })
  if (!response.ok) throw new Error(`uploading the file returned ${response.status}`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const files = [{ object_path, size: bytes.length, sha256 }]
  let { upload } = await client.call<UploadResponse>('uploads.complete', { upload_id, files }, { signal })
  while (upload.status === 'ingesting') {
    await new Promise((resolve) => setTimeout(resolve, poll_ms))
    upload = (await client.call<UploadResponse>('uploads.get', { upload_id }, { signal })).upload
  }
  return { upload_id, status: upload.status, item_ids: upload.item_ids ?? [] }
}
