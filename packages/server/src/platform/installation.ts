import type { Database } from './database/database.ts'
import { sql } from './database/sql.ts'
import { signText } from './crypto/signatures.ts'

/** This process has another master secret or blob store than the database was created with. */
export class InstallationMismatch extends Error {}

/** What all processes on one database must have in common. */
export interface InstallationIdentity {
  /** The master secret; only a keyed hash of it is stored. */
  readonly secret: Uint8Array
  /** Identifies the blob store; null for a folder that was never used. */
  readonly storage: string | null
  /** Creates the id of that folder, for a database that has no blob store yet. */
  readonly createStorageIdentity: () => Promise<string>
}

interface InstallationRow {
  readonly secret_fingerprint: string
  readonly storage: string | null
}

const purpose = 'swath installation'

/**
 * Compares the secret and the blob store with those stored in the database, and stores them in a new database. Throws
 * `InstallationMismatch` if they differ: tokens would be rejected and files not found.
 */
export async function checkInstallation({ unscoped }: Database, installation: InstallationIdentity): Promise<void> {
  const fingerprint = signText(installation.secret, purpose)
  const [row] = await unscoped.query<InstallationRow>(
    sql`select secret_fingerprint, storage from installation where id = 1`,
  )
  if (row && row.secret_fingerprint !== fingerprint) {
    throw new InstallationMismatch(
      'the database was created with another master secret; start this process with the same SWATH_SECRET, or with the same file master-secret in its data folder',
    )
  }
  if (row?.storage && row.storage !== installation.storage) {
    throw new InstallationMismatch(
      'the database was created with another blob store; start this process with the same STORAGE_URL and endpoint, or with the same data folder (after moving the files, run npm run db -- forget-storage)',
    )
  }
  if (row?.storage) return
  const storage = installation.storage ?? (await installation.createStorageIdentity())
  await unscoped.query(sql`
    insert into installation (id, secret_fingerprint, storage) values (1, ${fingerprint}, ${storage})
    on conflict (id) do update set storage = coalesce(installation.storage, excluded.storage)`)
}

/** Forgets the blob store after its files were moved: the next start stores the new one. */
export async function forgetStorage({ unscoped }: Database): Promise<void> {
  await unscoped.query(sql`update installation set storage = null where id = 1`)
}
