import { Problem, validationProblem } from '../../engine/problem.ts'
import type { Call } from '../../engine/call.ts'
import type { Blobs } from '../../platform/blobs/blobs.ts'
import type { Db } from '../../platform/database/database.ts'
import { addressesEnd, heldUpload, isOpen, wrongState } from './moves.ts'
import { saveUpload } from './store.ts'
import { forgetParts, raiseAddress } from './store.addresses.ts'
import { clearPartUpload, findPartUpload, type FileRow } from './store.files.ts'

/** S3 accepts what a URL is signed for without asking the application; the disk store asks the session. */
export const isBucket = ({ kind }: Pick<Blobs, 'kind'>): boolean => kind === 's3'

/** Requires a size for S3, where a presigned URL has to fix the content length. */
export function requireSize(blobs: Blobs, size: number | null): void {
  if (!isBucket(blobs) || size !== null) return
  const message = 'is required: files are stored in S3, where each URL accepts exactly one content length'
  throw validationProblem([{ path: 'size_bytes', message }])
}

/** An upload URL that is about to be signed. */
export interface WantedAddress {
  readonly file: FileRow
  /** 0 for the whole file. */
  readonly part: number
  /** The id of the multipart upload in the object store. */
  readonly sending: string | null
  readonly size: number | null
}

/**
 * Accounts for an S3 URL in its session before it is issued: together, the URLs can write no more than the session
 * reserved. Throws `validation`, and `invalid-state` if the session or the multipart upload has ended meanwhile.
 */
export async function countAddress(call: Call, { file, part, sending, size }: WantedAddress): Promise<void> {
  if (!isBucket(call.blobs)) return
  const { organization } = call
  await call.transaction(async (tx) => {
    const row = await heldUpload(tx, call, file.upload_id)
    if (!isOpen(row)) throw wrongState(row)
    if (part > 0 && (await findPartUpload(tx, organization, file.id)) !== sending)
      throw new Problem('invalid-state', 'The parts of the file were just joined. Request the URL again.')
    const address = { organization_id: organization, upload_id: row.id, file_id: file.id, part, size_bytes: size ?? 0 }
    const addressed_bytes = row.addressed_bytes + (await raiseAddress(tx, address))
    if (addressed_bytes > row.reserved_bytes) {
      const left = row.reserved_bytes - row.addressed_bytes
      const message = `is more than the ${left} bytes that the other URLs of the session leave`
      throw validationProblem([{ path: 'size_bytes', message }])
    }
    await saveUpload(tx, { ...row, addressed_bytes, addresses_end_at: addressesEnd(call.clock.process.now()) })
  })
}

interface Asking {
  readonly db: Db
  readonly organization: string
}

/** The parts of a file were joined: their URLs are no longer valid. */
export const endSending = ({ db, organization }: Asking, file: FileRow): Promise<void> =>
  db.transaction(async (tx) => {
    const row = await heldUpload(tx, { organization }, file.upload_id)
    await clearPartUpload(tx, organization, file.id)
    const bytes = await forgetParts(tx, organization, file.upload_id, file.id)
    if (bytes > 0) await saveUpload(tx, { ...row, addressed_bytes: row.addressed_bytes - bytes })
  })

/** Every multipart upload of an ended session was aborted: their URLs no longer count. */
export const endSendings = ({ db, organization }: Asking, upload_id: string): Promise<void> =>
  db.transaction(async (tx) => {
    const row = await heldUpload(tx, { organization }, upload_id)
    const bytes = await forgetParts(tx, organization, upload_id, null)
    if (bytes > 0) await saveUpload(tx, { ...row, addressed_bytes: Math.max(0, row.addressed_bytes - bytes) })
  })
