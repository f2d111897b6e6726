import Type from 'typebox'
import { Uuid } from '@swath/contract/schemas/primitives.ts'
import { defineTask } from '../../../engine/task.ts'
import { runAutoTopup } from './auto-topup.ts'
import { billingRetryPolicy, withDeadLetter } from '../../dead-letters/dead-letters.ts'

/** Tops up a wallet that has fallen below its threshold, if auto top-up is enabled. */
export const autoTopup = defineTask(
  'billing.auto-topup',
  Type.Object({ organization_id: Uuid }),
  billingRetryPolicy,
  (job, data) => withDeadLetter(job, data, () => runAutoTopup(job, data.organization_id)),
)
