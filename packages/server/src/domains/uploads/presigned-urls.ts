import { Problem, validationProblem } from '../../engine/problem.ts'
import type { Call } from '../../engine/call.ts'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { DbConnection } from '../../platform/database/database.ts'
import {
  computeLatestUrlExpiry,
  requireLockedUpload,
  isOpenUpload,
  createInvalidUploadStateProblem,
} from './upload-transitions.ts'
import { updateUpload } from './store.ts'
import { deleteUploadPartUrls, upsertUploadUrlReservation } from './store.upload-urls.ts'
import { markMultipartUploadEnded, findMultipartUpload, type UploadFileRow } from './store.files.ts'

/** S3 accepts what a URL is signed for without asking the application; the disk store asks the session. */
export const isS3Store = ({ kind }: Pick<BlobStore, 'kind'>): boolean => kind === 's3'

/** Requires a size for S3, where a presigned URL has to fix the content length. */
export function requireUploadSize(blobs: BlobStore, size: number | null): void {
  if (!isS3Store(blobs) || size !== null) return
  const message = 'is required: files are stored in S3, where each URL accepts exactly one content length'
  throw validationProblem([{ path: 'size_bytes', message }])
}

/** An upload URL that is about to be signed. */
export interface UploadUrlReservation {
  readonly file: UploadFileRow
  /** 0 for the whole file. */
  readonly part: number
  /** The id of the multipart upload in the object store. */
  readonly multipart_id: string | null
  readonly size: number | null
}

/**
 * Accounts for an S3 URL in its session before it is issued: together, the URLs can write no more than the session
 * reserved. Throws `validation`, and `invalid-state` if the session or the multipart upload has ended meanwhile.
 */
export async function reserveUploadUrl(
  call: Call,
  { file, part, multipart_id, size }: UploadUrlReservation,
): Promise<void> {
  if (!isS3Store(call.blobs)) return
  const { organization } = call
  await call.transaction(async (tx) => {
    const row = await requireLockedUpload(tx, call, file.upload_id)
    if (!isOpenUpload(row)) throw createInvalidUploadStateProblem(row)
    if (part > 0 && (await findMultipartUpload(tx, organization, file.id)) !== multipart_id)
      throw new Problem('invalid-state', 'The parts of the file were just joined. Request the URL again.')
    const urlRow = { organization_id: organization, upload_id: row.id, file_id: file.id, part, size_bytes: size ?? 0 }
    const addressed_bytes = row.addressed_bytes + (await upsertUploadUrlReservation(tx, urlRow))
    if (addressed_bytes > row.reserved_bytes) {
      const left_bytes = row.reserved_bytes - row.addressed_bytes
      const message = `is more than the ${left_bytes} bytes that the other URLs of the session leave`
      throw validationProblem([{ path: 'size_bytes', message }])
    }
    await updateUpload(tx, {
      ...row,
      addressed_bytes,
      addresses_end_at: computeLatestUrlExpiry(call.clock.process.now()),
    })
  })
}

interface SessionScope {
  readonly db: DbConnection
  readonly organization: string
}

/** The parts of a file were joined: their URLs are no longer valid. */
export const recordCompletedMultipartUpload = (
  { db, organization }: SessionScope,
  file: UploadFileRow,
): Promise<void> =>
  db.transaction(async (tx) => {
    const row = await requireLockedUpload(tx, { organization }, file.upload_id)
    await markMultipartUploadEnded(tx, organization, file.id)
    const bytes = await deleteUploadPartUrls(tx, organization, file.upload_id, file.id)
    if (bytes > 0) await updateUpload(tx, { ...row, addressed_bytes: row.addressed_bytes - bytes })
  })

/** Every multipart upload of an ended session was aborted: their URLs no longer count. */
export const clearMultipartUploads = ({ db, organization }: SessionScope, upload_id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const row = await requireLockedUpload(tx, { organization }, upload_id)
    const bytes = await deleteUploadPartUrls(tx, organization, upload_id, null)
    if (bytes > 0) await updateUpload(tx, { ...row, addressed_bytes: Math.max(0, row.addressed_bytes - bytes) })
  })
