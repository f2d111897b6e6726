import type { Room } from '../../engine/task.ts'
import { readBalance } from './billing.credits.balance.ts'
import { listTransactions } from './billing.credits.transactions.ts'
import { listPlans } from './billing.plans.list.ts'
import { getBillingStatus } from './billing.status.get.ts'

export const billing: Room = {
  name: 'billing',
  handlers: [readBalance, listTransactions, listPlans, getBillingStatus],
  tasks: [],
}
