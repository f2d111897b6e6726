import { createHash } from 'node:crypto'
import type { Upload } from '@swath/contract/schemas/upload.ts'
import type { OperationHandler } from '../src/engine/handler.ts'
import type { Call } from '../src/engine/call.ts'
import { operationHandlers } from '../src/domains/handlers.ts'
import { requireValidOutput, readCallInput } from '../src/engine/input/read-input.ts'
import { verifyBlobUrl } from '../src/platform/blobs/signed-urls.ts'
import type { BlobStore } from '../src/platform/blobs/blobs.ts'
import type { DiskBlobStore } from '../src/platform/blobs/disk.ts'
import { openTestServices } from './test-services.ts'
import { createTaskRunner } from './task-runner.ts'

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/**
 * Test services with uploads as the HTTP route receives them, whose background tasks run on request; `openStore` may replace
 * the blob store on disk.
 */
export async function openUploadServices(openStore = async (disk: DiskBlobStore): Promise<BlobStore> => disk) {
  const services = await openTestServices()
  const blobs = await openStore(services.blobs)
  const taskRunner = createTaskRunner({ ...services, blobs: blobs })

  const createOrganization = async () => {
    const org = await services.createOrganization()
    return { ...org, owner: { ...org.owner, blobs: blobs } }
  }

  /** Calls an operation as the pipeline does: input and output are validated. */
  const callOperation = async <Output>(call: Call, id: string, input: Record<string, unknown>): Promise<Output> => {
    const { operation, handle } = operationHandlers.get(id) as OperationHandler
    const parsedInput = readCallInput(operation, input) as never
    const output = await handle({ ...call, operation: id, queue: taskRunner.queue }, parsedInput)
    requireValidOutput(operation, output)
    return output as Output
  }

  /** Stores bytes as the route of signed URLs does. */
  const putBytes = async (url: string, bytes: Uint8Array, chunkCount = 3): Promise<string> => {
    const { pathname, search } = new URL(url)
    const verification = verifyBlobUrl(
      [new Uint8Array(32).fill(7)],
      'PUT',
      `${pathname}${search}`,
      services.clock.now(),
    )
    if (verification.state !== 'good') throw new Error(`the URL is ${verification.state}`)
    const { path, media_type, size, within } = verification.terms
    const chunkSize = Math.max(1, Math.ceil(bytes.length / chunkCount))
    async function* chunks() {
      for (let offset = 0; offset < bytes.length; offset += chunkSize) yield bytes.subarray(offset, offset + chunkSize)
    }
    return (await services.blobs.receive(path, chunks(), { media_type, max_bytes: 2 ** 32, size, within })).etag
  }

  /** Lists the paths of all stored objects of an organization. */
  const listStoredPaths = async (organization: string): Promise<string[]> => {
    const paths: string[] = []
    for await (const { path } of blobs.list(`organizations/${organization}/`)) paths.push(path)
    return paths
  }

  /** Sends whole files in a new upload session; returns the input for completing it. */
  const sendFiles = async (
    call: Call,
    uploadInput: Record<string, unknown>,
    files: Readonly<Record<string, Uint8Array>>,
  ): Promise<SentFiles> => {
    const total_bytes = Object.values(files).reduce((sum, bytes) => sum + bytes.length, 0)
    const file_count = Object.keys(files).length
    const { id: upload_id } = await callOperation<Upload>(call, 'uploads.initiate', {
      total_bytes,
      file_count,
      ...uploadInput,
    })
    const sent: SentFiles['files'][number][] = []
    for (const [file_name, bytes] of Object.entries(files)) {
      const signed = await callOperation<SignedUpload>(call, 'uploads.signed_url', { upload_id, file_name })
      await putBytes(signed.upload_url, bytes)
      sent.push({ object_path: signed.object_path, size: bytes.length, sha256: sha256(bytes) })
    }
    return { upload_id, files: sent }
  }

  const completeUpload = (call: Call, sent: SentFiles): Promise<CompletedUpload> =>
    callOperation(call, 'uploads.complete', { upload_id: sent.upload_id, files: sent.files })

  return {
    ...services,
    createOrganization,
    taskRunner,
    callOperation,
    putBytes,
    listStoredPaths,
    sendFiles,
    completeUpload,
  }
}

export interface SignedUpload {
  readonly upload_url: string
  readonly object_path: string
}

export interface SentFiles {
  readonly upload_id: string
  readonly files: readonly { readonly object_path: string; readonly size: number; readonly sha256: string }[]
}

export interface CompletedUpload {
  readonly upload: Upload
  readonly item_ids: readonly string[]
  readonly accepted_count: number
}

export type UploadServices = Awaited<ReturnType<typeof openUploadServices>>
