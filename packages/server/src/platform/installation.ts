import type { Database } from './database/database.ts'
import { sql } from './database/sql.ts'
import { signText } from './crypto/signatures.ts'

/** This process was given another secret or another blob store than the database was made with. */
export class InstallationFault extends Error {}

/** What a process must have in common with all others on its database. */
export interface Installation {
  /** The master secret; only a keyed hash of it is stored. */
  readonly secret: Uint8Array
  /** Where blobs are, or null for a folder that was never used. */
  readonly storage: string | null
  /** Names that folder, for a database that has no blob store yet. */
  readonly nameStorage: () => Promise<string>
}

interface InstallationRow {
  readonly secret_fingerprint: string
  readonly storage: string | null
}

const purpose = 'swath installation'

/**
 * Compares the secret and the blob store with those that the database was made with, and notes them where it is new.
 * Throws an `InstallationFault` where they differ: tokens would be refused and files not found.
 */
export async function checkInstallation({ across }: Database, installation: Installation): Promise<void> {
  const fingerprint = signText(installation.secret, purpose)
  const [row] = await across.query<InstallationRow>(
    sql`select secret_fingerprint, storage from installation where id = 1`,
  )
  if (row && row.secret_fingerprint !== fingerprint) {
    throw new InstallationFault(
      'the database was made with another master secret; give this process the same SWATH_SECRET, or the same file master-secret in its data folder',
    )
  }
  if (row?.storage && row.storage !== installation.storage) {
    throw new InstallationFault(
      'the database was made with another blob store; give this process the same STORAGE_URL and endpoint, or the same data folder (after a move of the files: npm run db -- forget-storage)',
    )
  }
  if (row?.storage) return
  const storage = installation.storage ?? (await installation.nameStorage())
  await across.query(sql`
    insert into installation (id, secret_fingerprint, storage) values (1, ${fingerprint}, ${storage})
    on conflict (id) do update set storage = coalesce(installation.storage, excluded.storage)`)
}

/** After a move of the files: the next start notes where they are now. */
export async function forgetStorage({ across }: Database): Promise<void> {
  await across.query(sql`update installation set storage = null where id = 1`)
}
