import type { KeyRing } from '../../platform/crypto/key-ring.ts'
import type { SqlStatementRunner } from '../../platform/database/database.ts'
import { sql } from '../../platform/database/sql.ts'

export async function findSigningKeyRing(db: SqlStatementRunner): Promise<KeyRing | null> {
  const [row] = await db.query<KeyRing>(sql`select version, keys from signing_key_ring where id = 1`)
  return row ?? null
}

/** False if another process stored a key ring first. */
export async function upsertKeyRing(db: SqlStatementRunner, ring: KeyRing): Promise<boolean> {
  const rows =
    ring.version === 1
      ? await db.query(sql`
          insert into signing_key_ring (id, version, keys) values (1, 1, ${sql.json(ring.keys)})
          on conflict (id) do nothing
          returning id`)
      : await db.query(sql`
          update signing_key_ring set version = ${ring.version}, keys = ${sql.json(ring.keys)}
          where id = 1 and version = ${ring.version - 1}
          returning id`)
  return rows.length > 0
}
