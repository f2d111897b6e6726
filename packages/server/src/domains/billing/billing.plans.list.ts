import { billingPlansList } from '@swath/contract/operations/billing.ts'
import { wholeWindow } from '@swath/contract/paging.ts'
import { handler } from '../../engine/handler.ts'
import { plans } from './plans.ts'

export const listPlans = handler(billingPlansList, async () => ({ plans: [...plans], ...wholeWindow(plans) }))
