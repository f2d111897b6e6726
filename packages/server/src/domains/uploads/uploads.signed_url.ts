import { uploadsSignedUrl } from '@swath/contract/operations/uploads.ts'
import { handler } from '../../engine/handler.ts'
import { addressFile } from './address-file.ts'
import { countAddress } from './bucket-addresses.ts'

export const signUploadAddress = handler(uploadsSignedUrl, async (call, input) => {
  const { file, terms } = await addressFile(call, input)
  await countAddress(call, { file, part: 0, sending: null, size: terms.size ?? null })
  const { url, expires_at } = await call.blobs.signPut(file.object_path, terms)
  return { upload_url: url, object_path: file.object_path, expires_at: expires_at.toISOString() }
})
