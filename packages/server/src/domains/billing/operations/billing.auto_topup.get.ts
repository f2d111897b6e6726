import { billingAutoTopupGetOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toAutoTopupSettings } from '../topups/auto-topup-settings.ts'
import { findAutoTopup } from '../topups/store.auto-topups.ts'

export const getAutoTopup = defineHandler(billingAutoTopupGetOperation, async (call) => ({
  auto_topup: toAutoTopupSettings(await findAutoTopup(call.db, call.organization)),
}))
