import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../../engine/task.ts'
import { closeTopup } from './close-topup.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'
import { closeTopupTask } from './topup.ts'

/** Completes a top-up that was paid after all, or cancels it. */
export const closeTopups = defineTask(
  closeTopupTask,
  Type.Object({ organization_id: Uuid, topup_id: Uuid }),
  billingRetryPolicy,
  (job, data) => withDeadLetter(job, data, () => closeTopup(job, data.organization_id, data.topup_id)),
)
