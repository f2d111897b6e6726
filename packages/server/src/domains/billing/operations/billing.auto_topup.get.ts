import { billingAutoTopupGetOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { centsToAud } from '../../ledger/aud.ts'
import { readDailyTopupLimit } from '../topups/topup-limits.ts'
import { toAutoTopupSettings } from '../topups/auto-topup-settings.ts'
import { findAutoTopupSettings } from '../topups/store.auto-topups.ts'

export const handler = defineHandler(billingAutoTopupGetOperation, async (call) => ({
  daily_topup_limit_aud: centsToAud(await readDailyTopupLimit(call.db, call.organization)),
  auto_topup: toAutoTopupSettings(await findAutoTopupSettings(call.db, call.organization)),
}))
