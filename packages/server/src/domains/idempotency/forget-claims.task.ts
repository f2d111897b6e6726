import Type from 'typebox'
import { deleteExpiredClaims } from '../../engine/store.once.ts'
import { task } from '../../engine/task.ts'

/** Deletes expired idempotency keys. They can be reused without it: this only limits the table. */
export const forgetClaims = task(
  'idempotency.forget-claims',
  Type.Object({}),
  { limit: 2, delay_s: 60, backoff: false, expire_s: 300 },
  async (job) => void (await deleteExpiredClaims(job.database.across)),
)
