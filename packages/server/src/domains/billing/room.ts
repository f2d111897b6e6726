import type { Room } from '../../engine/task.ts'
import { readBalance } from './billing.credits.balance.ts'
import { listTransactions } from './billing.credits.transactions.ts'

export const billing: Room = { name: 'billing', handlers: [readBalance, listTransactions], tasks: [] }
