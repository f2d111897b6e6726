import { createHash } from 'node:crypto'
import type { Call } from '../../../engine/call.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { SignedUrl } from '../../../platform/blobs/blobs.ts'
import type { AssetRow } from './store.assets.ts'
import { findIssuedUrl, deleteExpiredDownloadUrls, insertIssuedDownloadUrl } from './store.issued-downloads.ts'

/** Minimum remaining validity of a reused URL: enough for the request and its follow-ups. */
const min_remaining_ms = 300_000

const purpose = 'given-downloads'

/** Key of an issued URL: caller and asset. */
const issuedDownloadKey = ({ organization, principal, baseUrl }: Call, { id, blob_path }: AssetRow): string =>
  createHash('sha256')
    .update(JSON.stringify([organization, principal.kind, principal.id, baseUrl, id, blob_path]))
    .digest('base64url')

const minExpiry = ({ clock }: Call): Date => new Date(clock.process.now().getTime() + min_remaining_ms)

/** The URL issued to the caller before, by any process; null if it expires within five minutes. */
export async function findIssuedDownload(call: Call, asset: AssetRow): Promise<SignedUrl | null> {
  const row = await findIssuedUrl(call.db, call.organization, issuedDownloadKey(call, asset), minExpiry(call))
  const url = row && call.signer.decrypt(purpose, row.sealed_url)
  return row && url ? { url, expires_at: row.expires_at } : null
}

/** Saves a URL for reuse; false if a concurrent call saved another one, which is to be used instead. */
export async function saveIssuedDownload(tx: Tx, call: Call, asset: AssetRow, signed: SignedUrl): Promise<boolean> {
  const { url, expires_at } = signed
  const row = { sealed_url: call.signer.encrypt(purpose, url), expires_at }
  const isSaved = await insertIssuedDownloadUrl(tx, {
    organization: call.organization,
    name: issuedDownloadKey(call, asset),
    row,
    min_expires_at: minExpiry(call),
  })
  if (isSaved) await deleteExpiredDownloadUrls(tx, call.organization, call.clock.process.now())
  return isSaved
}
