import { uploadsPartUrl } from '@swath/contract/operations/uploads.ts'
import type { Call } from '../../engine/call.ts'
import { handler } from '../../engine/handler.ts'
import { Problem } from '../../engine/problem.ts'
import { addressFile } from './address-file.ts'
import { countAddress, isBucket } from './bucket-addresses.ts'
import { heldUpload, isOpen } from './moves.ts'
import { hasWholeAddress } from './store.addresses.ts'
import { listFiles, setPartUpload, type FileRow } from './store.files.ts'

export const signPartAddress = handler(uploadsPartUrl, async (call, input) => {
  const { file, terms } = await addressFile(call, input)
  const sending = file.part_upload ?? (await beginSending(call, file))
  await countAddress(call, { file, part: input.number, sending, size: terms.size ?? null })
  const { url, expires_at } = await call.blobs.signPart(file.object_path, sending, input.number, terms)
  return {
    upload_url: url,
    object_path: file.object_path,
    expires_at: expires_at.toISOString(),
    number: input.number,
  }
})

/** Of two concurrent requests one multipart upload stays. */
async function beginSending(call: Call, file: FileRow): Promise<string> {
  const { db, blobs, organization } = call
  // An S3 object without a URL of its own was joined from parts that are now sent again: it is deleted.
  if (isBucket(blobs) && !(await hasWholeAddress(db, organization, file.upload_id, file.id)))
    await blobs.delete(file.object_path)
  const sending = await blobs.beginParts(file.object_path, file.media_type)
  if (await nameSending(call, file, sending)) return sending
  await blobs.dropParts(file.object_path, sending)
  const [other] = (await listFiles(db, organization, file.upload_id)).filter(({ id }) => id === file.id)
  if (other?.part_upload) return other.part_upload
  throw new Problem('invalid-state', 'The upload accepts no more data.')
}

/** False also for a session that has ended meanwhile: nothing would abort the multipart upload. */
const nameSending = (call: Call, file: FileRow, sending: string): Promise<boolean> =>
  call.transaction(async (tx) => {
    const row = await heldUpload(tx, call, file.upload_id)
    return isOpen(row) && setPartUpload(tx, call.organization, file.id, sending)
  })
