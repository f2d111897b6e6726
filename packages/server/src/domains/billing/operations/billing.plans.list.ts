import { billingPlansListOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { toCompleteList } from '../../../engine/page.ts'
import { billingPlans } from '../plans.ts'

export const handler = defineHandler(billingPlansListOperation, async () => toCompleteList('plans', billingPlans))
