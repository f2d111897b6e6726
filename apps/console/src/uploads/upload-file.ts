import type { Client } from '@swath/client'
import type { InputOf } from '@swath/client/operations.ts'

export type UploadStep =
  | { readonly step: 'hashing' }
  | { readonly step: 'sending'; readonly percent: number }
  | { readonly step: 'sent'; readonly upload_id: string }

/** Larger files are sent in parts, so that a broken connection costs one part. */
const part_bytes = 16 * 1024 * 1024
const max_tries = 4
const first_wait_ms = 500

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function hash(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Puts bytes to a signed address, again after a failure that may pass. Returns the entity tag. */
async function put(client: Client, url: string, body: Blob): Promise<string> {
  for (let tries = 1; ; tries++) {
    const failure = await client.put(url, body).then(
      (response) => (response.ok ? response : response.status),
      () => 0,
    )
    if (typeof failure !== 'number') return (failure.headers.get('etag') ?? '').replaceAll('"', '')
    const mayPass = failure === 0 || failure === 429 || failure >= 500
    if (!mayPass || tries === max_tries) throw new Error(`sending failed with ${failure}`)
    await wait(first_wait_ms * 2 ** tries)
  }
}

/** Uploads a file into a project and starts its ingestion; tells each step. Throws the problem of the platform. */
export async function uploadFile(
  client: Client,
  project_id: string,
  file: File,
  onStep: (step: UploadStep) => void,
): Promise<void> {
  onStep({ step: 'hashing' })
  const sha256 = await hash(file)
  const session: InputOf<'uploads.initiate'> = {
    project_id,
    transfer_method: 'browser',
    file_count: 1,
    total_bytes: file.size,
  }
  const { id: upload_id } = await client.call('uploads.initiate', session)
  const target = { upload_id, file_name: file.name }
  onStep({ step: 'sending', percent: 0 })
  if (file.size <= part_bytes) {
    const { upload_url, object_path } = await client.call('uploads.signed_url', { ...target, size_bytes: file.size })
    await put(client, upload_url, file)
    await client.call('uploads.complete', { upload_id, files: [{ object_path, size: file.size, sha256 }] })
  } else {
    const parts: { number: number; etag: string }[] = []
    let path = ''
    for (let start = 0, number = 1; start < file.size; start += part_bytes, number++) {
      const body = file.slice(start, start + part_bytes)
      const { upload_url, object_path } = await client.call('uploads.part_url', {
        ...target,
        number,
        size_bytes: body.size,
      })
      parts.push({ number, etag: await put(client, upload_url, body) })
      path = object_path
      onStep({ step: 'sending', percent: Math.round((100 * Math.min(file.size, start + part_bytes)) / file.size) })
    }
    await client.call('uploads.complete', { upload_id, files: [{ object_path: path, size: file.size, sha256, parts }] })
  }
  onStep({ step: 'sent', upload_id })
}
