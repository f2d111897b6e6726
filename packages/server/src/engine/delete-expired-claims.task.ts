import { deleteExpiredIdempotencyClaims } from './store.idempotency.ts'
import { defineTask } from './task.ts'
import { backgroundTaskTypes } from './task-types.ts'

/** Deletes expired idempotency keys. They can be reused without it: this only limits the table. */
export const deleteExpiredIdempotencyClaimsTask = defineTask(
  backgroundTaskTypes.deleteExpiredClaims,
  { limit: 2, delay_s: 60, backoff: false, expire_s: 300 },
  async (context) => void (await deleteExpiredIdempotencyClaims(context.database.unscoped)),
)
