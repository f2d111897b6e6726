import { createHash } from 'node:crypto'
import type { Call } from '../../engine/call.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { SignedAddress } from '../../platform/blobs/blobs.ts'
import type { AssetRow } from './store.assets.ts'
import { findGiven, forgetExpired, keepGiven } from './store.given-downloads.ts'

/** Minimum remaining validity of a reused URL: enough for the request and its follow-ups. */
const least_ms = 300_000

const purpose = 'given-downloads'

/** Key of an issued URL: caller and asset. */
const nameOf = ({ organization, principal, baseUrl }: Call, { id, blob_path }: AssetRow): string =>
  createHash('sha256')
    .update(JSON.stringify([organization, principal.kind, principal.id, baseUrl, id, blob_path]))
    .digest('base64url')

const stillGood = ({ clock }: Call): Date => new Date(clock.process.now().getTime() + least_ms)

/** The URL issued to the caller before, by any process; null if it expires within five minutes. */
export async function findGivenDownload(call: Call, asset: AssetRow): Promise<SignedAddress | null> {
  const row = await findGiven(call.db, call.organization, nameOf(call, asset), stillGood(call))
  const url = row && call.signer.open(purpose, row.sealed_url)
  return row && url ? { url, expires_at: row.expires_at } : null
}

/** Saves a URL for reuse; false if a concurrent call saved another one, which is to be used instead. */
export async function keepGivenDownload(tx: Tx, call: Call, asset: AssetRow, signed: SignedAddress): Promise<boolean> {
  const { url, expires_at } = signed
  const row = { sealed_url: call.signer.seal(purpose, url), expires_at }
  const kept = await keepGiven(tx, call.organization, nameOf(call, asset), row, stillGood(call))
  if (kept) await forgetExpired(tx, call.organization, call.clock.process.now())
  return kept
}
