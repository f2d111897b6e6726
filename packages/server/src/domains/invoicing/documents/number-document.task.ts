import { defineTask, createTaskActor } from '../../../engine/task.ts'
import { backgroundTaskTypes } from '../../../engine/task-types.ts'
import { assignDocumentNumber } from './number-document.ts'

/** A number must not be missing for long, and a failure has no cause that an operator could wait for. */
const retryPolicy = { limit: 20, delay_s: 5, backoff: true, expire_s: 60 } as const

/** Gives an issued document its number. */
export const assignBillingDocumentNumberTask = defineTask(
  backgroundTaskTypes.numberDocument,
  retryPolicy,
  async (context, { organization_id, document_id }) => {
    const actor = createTaskActor(context, organization_id)
    const db = context.database.forOrganization(organization_id)
    await db.transaction((tx) => assignDocumentNumber(tx, actor, document_id))
  },
)
