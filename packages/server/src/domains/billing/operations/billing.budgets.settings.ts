import { billingBudgetsSettingsOperation } from '@swath/contract/operations/billing.budgets.ts'
import { defineHandler } from '../../../engine/handler.ts'

export const handler = defineHandler(billingBudgetsSettingsOperation, async (call) => ({
  enforcementEnabled: true,
  budgetSettingId: call.organization,
}))
