import { billingPlansListOperation } from '@swath/contract/operations/billing.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { completePageOf } from '../../../engine/page.ts'
import { plans } from '../plans.ts'

export const handler = defineHandler(billingPlansListOperation, async () => completePageOf('plans', plans))
