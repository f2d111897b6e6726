import { taskActor, type TaskContext } from '../../../engine/task.ts'
import { recordCardRefund } from '../card-refund.ts'
import type { OwnIntent } from './own-intent.ts'
import type { TopupPayments } from './topup-payments.ts'

/** Records refunds that were made at the processor and not by this server. */
export async function applyRefund(job: TaskContext, ownIntent: OwnIntent, topups: TopupPayments): Promise<void> {
  const { intent, organization, topup_id, authorisation_id } = ownIntent
  if (intent.status !== 'succeeded') return
  const actor = taskActor(job, organization)
  await job.database.forOrganization(organization).transaction(async (tx) => {
    if (topup_id !== null) await topups.recordExternalRefund(tx, actor, topup_id, intent)
    else if (authorisation_id !== null) await recordCardRefund(tx, actor, authorisation_id, intent)
  })
}
