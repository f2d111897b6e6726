import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import type { AnalyticsRaster } from '@swath/contract/schemas/analytics.ts'
import type { Call } from '../../engine/call.ts'
import { shiftTime } from '../../platform/clock.ts'
import { newId } from '../../platform/ids.ts'
import { requireStorageWithinQuota } from '../uploads/reservation.ts'
import { insertAnalyticsResult } from './store.ts'

/** Files of results are deleted after this time. */
export const analytics_result_ttl_s = 86_400

const mediaTypes = { tif: 'image/tiff; application=geotiff; profile=cloud-optimized', png: 'image/png' } as const

/** A file to keep: a local one with its checksum, or bytes. */
export type AnalyticsResultFile =
  | { readonly extension: 'tif'; readonly path: string; readonly sha256: string }
  | { readonly extension: 'png'; readonly bytes: Uint8Array }

/**
 * Stores a file of a result and signs its URL; both end after a day. The row is written first, so that whatever happens
 * afterwards the sweep finds the file. Throws `quota-storage` if the organization has stored more than its plan allows.
 *
 * @param name the beginning of the file name that a client sees.
 */
export async function storeAnalyticsResultFile(
  call: Call,
  name: string,
  file: AnalyticsResultFile,
): Promise<AnalyticsRaster> {
  const id = newId()
  const blob_path = `analytics/${id}/result.${file.extension}`
  const created_at = call.clock.now()
  const row = { id, method: call.operation, blob_path, created_by: call.principal.id, created_at }
  const expires_at = shiftTime(created_at, analytics_result_ttl_s * 1000)
  await call.transaction(async (tx) => {
    await requireStorageWithinQuota(tx, call.organization)
    await insertAnalyticsResult(tx, call.organization, { ...row, expires_at })
  })
  const media_type = mediaTypes[file.extension]
  const size_bytes = file.extension === 'tif' ? (await stat(file.path)).size : file.bytes.length
  const checksum_sha256 = file.extension === 'tif' ? file.sha256 : createHash('sha256').update(file.bytes).digest('hex')
  if (file.extension === 'tif') await call.blobs.putFile(blob_path, file.path, media_type)
  else await call.blobs.putBytes(blob_path, file.bytes, media_type)
  const file_name = `${name}-${id}.${file.extension}`
  const signed = await call.blobs.signGet(blob_path, {
    expires_s: analytics_result_ttl_s,
    file_name,
    media_type,
    base: call.baseUrl,
  })
  return { id, url: signed.url, media_type, size_bytes, checksum_sha256, expires_at: signed.expires_at.toISOString() }
}
