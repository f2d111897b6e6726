import type { Database } from './database/database.ts'
import { sql } from './database/sql.ts'
import type { DocumentSignaturePublicKey } from './crypto/document-signer.ts'
import { signTextHmac, type CurrentAndAcceptedKeys } from './crypto/signatures.ts'

/** This process has another master secret or blob store than the database was created with. */
export class InstallationMismatch extends Error {}

/** The identity that all processes on one database must share. */
export interface InstallationIdentity {
  /** Only keyed hashes of them are stored. */
  readonly masterSecrets: CurrentAndAcceptedKeys
  /** Identifies the blob store; null for a folder that was never used. */
  readonly storage: string | null
  /** Creates the id of that folder, for a database that has no blob store yet. */
  readonly createStorageIdentity: () => Promise<string>
}

/** The stored data of the installation of a database. */
export interface Installation {
  /** The public keys of receipts that were signed with master secrets that have been replaced. */
  readonly receiptKeys: readonly DocumentSignaturePublicKey[]
}

interface InstallationRow {
  readonly secret_fingerprint: string
  readonly storage: string | null
  readonly receipt_keys: readonly DocumentSignaturePublicKey[]
}

/** Identifies a master secret without revealing it. */
const fingerprintOf = (secret: Uint8Array): string => signTextHmac(secret, 'swath installation')

/**
 * Finds the stored installation of a database; null for a new one. Throws `InstallationMismatch` if it was created with
 * none of the secrets: tokens would be rejected.
 */
async function findInstallation(
  { unscoped }: Database,
  masterSecrets: CurrentAndAcceptedKeys,
): Promise<InstallationRow | null> {
  const [row] = await unscoped.query<InstallationRow>(
    sql`select secret_fingerprint, storage, receipt_keys from installation where id = 1`,
  )
  if (row && !masterSecrets.map(fingerprintOf).includes(row.secret_fingerprint)) {
    throw new InstallationMismatch(
      'the database was created with another master secret; start this process with the same SWATH_SECRET, or with the same file master-secret in its data folder',
    )
  }
  return row ?? null
}

/** The same for a database that has been used. */
export async function readInstallation(
  database: Database,
  masterSecrets: CurrentAndAcceptedKeys,
): Promise<Installation> {
  const row = await findInstallation(database, masterSecrets)
  return { receiptKeys: row?.receipt_keys ?? [] }
}

/**
 * Compares the secrets and the blob store with those stored in the database, and stores them in a new database. Throws
 * `InstallationMismatch` if none of the secrets or another store is: tokens would be rejected and files not found.
 */
export async function checkInstallation(
  database: Database,
  { masterSecrets, ...files }: InstallationIdentity,
): Promise<Installation> {
  const row = await findInstallation(database, masterSecrets)
  if (row?.storage && row.storage !== files.storage) {
    throw new InstallationMismatch(
      'the database was created with another blob store; start this process with the same STORAGE_URL and endpoint, or with the same data folder (after moving the files, run npm run db -- forget-storage)',
    )
  }
  const receiptKeys = row?.receipt_keys ?? []
  if (row?.storage) return { receiptKeys }
  const storage = files.storage ?? (await files.createStorageIdentity())
  await database.unscoped.query(sql`
    insert into installation (id, secret_fingerprint, storage) values (1, ${fingerprintOf(masterSecrets[0])}, ${storage})
    on conflict (id) do update set storage = coalesce(installation.storage, excluded.storage)`)
  return { receiptKeys }
}

/**
 * Records that the secret replaced the other ones of the installation, and keeps the public keys of receipts that were signed
 * before.
 */
export async function recordReplacedMasterSecret(
  { unscoped }: Database,
  secret: Uint8Array,
  receiptKeys: readonly DocumentSignaturePublicKey[],
): Promise<void> {
  await unscoped.query(sql`
    update installation set secret_fingerprint = ${fingerprintOf(secret)}, receipt_keys = ${sql.json(receiptKeys)}::jsonb
    where id = 1`)
}

/** Forgets the blob store after its files were moved: the next start stores the new one. */
export async function forgetInstallationStorage({ unscoped }: Database): Promise<void> {
  await unscoped.query(sql`update installation set storage = null where id = 1`)
}
