import Type from 'typebox'
import { Uuid } from '@swath/contract/shapes/primitives.ts'
import { task } from '../../../engine/task.ts'
import { fillWallet } from './auto-topup.ts'
import { moneyRetry, withDeadLetter } from '../dead-letters.ts'

/** Tops up a wallet that has fallen below its threshold, if auto top-up is enabled. */
export const autoTopup = task('billing.auto-topup', Type.Object({ organization_id: Uuid }), moneyRetry, (job, data) =>
  withDeadLetter(job, data, () => fillWallet(job, data.organization_id)),
)
