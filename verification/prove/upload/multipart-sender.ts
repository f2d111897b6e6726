import { open } from 'node:fs/promises'
import type { Client } from '@swath/client/client.ts'

interface UploadPart {
  readonly number: number
  readonly size_bytes: number
  readonly etag: string
}

export interface UploadSession {
  readonly id: string
  readonly status: string
  readonly reserved_bytes: number
  readonly error_message: string | null
  readonly item_ids: readonly string[]
  readonly files: readonly {
    readonly object_path: string
    readonly sha256: string | null
    readonly parts: readonly UploadPart[]
  }[]
}

export const readUploadSession = async (client: Client, upload_id: string): Promise<UploadSession> =>
  (await client.call<{ upload: UploadSession }>('uploads.get', { upload_id })).upload

/** A file of a multipart upload. */
export interface MultipartFile {
  readonly upload_id: string
  readonly file_name: string
  readonly path: string
  readonly size: number
  readonly part_bytes: number
}

export const countParts = ({ size, part_bytes }: MultipartFile): number => Math.ceil(size / part_bytes)

/** Sends one part; `breakAfterBytes` aborts the connection after that number of bytes. */
export async function sendPart(
  client: Client,
  multipartFile: MultipartFile,
  number: number,
  breakAfterBytes?: number,
): Promise<void> {
  const { upload_id, file_name } = multipartFile
  const signedPart = await client.call<{ upload_url: string }>('uploads.part_url', { upload_id, file_name, number })
  const bytes = await readPart(multipartFile, number)
  const body = breakAfterBytes === undefined ? new Uint8Array(bytes) : createBrokenStream(bytes, breakAfterBytes)
  const response = await fetch(signedPart.upload_url, { method: 'PUT', body, duplex: 'half' } as RequestInit)
  if (!response.ok) throw new Error(`part ${number} returned ${response.status}: ${await response.text()}`)
}

async function readPart({ path, size, part_bytes }: MultipartFile, number: number): Promise<Buffer> {
  const start = (number - 1) * part_bytes
  const bytes = Buffer.alloc(Math.min(part_bytes, size - start))
  await using file = await open(path, 'r')
  await file.read(bytes, 0, bytes.length, start)
  return bytes
}

function createBrokenStream(bytes: Buffer, until: number): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= until) return controller.error(new Error('connection aborted'))
      const end = Math.min(at + 65_536, until)
      controller.enqueue(new Uint8Array(bytes.subarray(at, end)))
      at = end
    },
  })
}
