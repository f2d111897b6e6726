import type { Tx } from '../../../database/database.ts'
import { sql } from '../../../database/sql.ts'

/** The stored response to an idempotency key; `answer` is null only while its request runs in the same transaction. */
export interface IdempotentRequestRow {
  readonly digest: string
  readonly answer: unknown
}

/**
 * True if the key was free and is now claimed. Waits for the end of a concurrent request with the same key. Keys created
 * before `expiredBefore` are free again.
 */
export async function claimIdempotencyKey(
  tx: Tx,
  {
    key,
    digest,
    now,
    expiredBefore,
  }: { readonly key: string; readonly digest: string; readonly now: Date; readonly expiredBefore: Date },
): Promise<boolean> {
  await tx.query(sql`delete from processor_requests where key = ${key} and created_at <= ${expiredBefore}`)
  const rows = await tx.query(sql`
    insert into processor_requests (key, digest, created_at) values (${key}, ${digest}, ${now})
    on conflict (key) do nothing
    returning key`)
  return rows.length > 0
}

export async function findIdempotentRequest(tx: Tx, key: string): Promise<IdempotentRequestRow | null> {
  const [row] = await tx.query<IdempotentRequestRow>(
    sql`select digest, answer from processor_requests where key = ${key}`,
  )
  return row ?? null
}

export async function updateIdempotentResponse(tx: Tx, key: string, response: unknown): Promise<void> {
  await tx.query(sql`update processor_requests set answer = ${sql.json(response)} where key = ${key}`)
}

export async function deleteOldIdempotentRequests(tx: Tx, before: Date): Promise<void> {
  await tx.query(sql`delete from processor_requests where created_at <= ${before}`)
}
