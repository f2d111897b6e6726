import { billingPlansListOperation } from '@swath/contract/operations/billing.ts'
import { completeListFields } from '@swath/contract/paging.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { plans } from '../plans.ts'

export const listPlans = defineHandler(billingPlansListOperation, async () => ({
  plans: [...plans],
  ...completeListFields(plans),
}))
