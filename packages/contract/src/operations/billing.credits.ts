import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { limits } from '../limits.ts'
import { Balance } from '../schemas/balance.ts'
import { StrictObject, OptionalNullable, EmptyInput } from '../schemas/primitives.ts'
import { Transaction, transactionReasons } from '../schemas/transaction.ts'

export const billingCreditsBalanceOperation = operation({
  id: 'billing.credits.balance',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the credits that are available and held, with the lots they come from.',
  input: EmptyInput,
  output: Balance,
  implemented: true,
})

export const billingCreditsTransactionsOperation = operation({
  id: 'billing.credits.transactions',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the transactions of the wallet, newest first.',
  input: StrictObject({
    ...offsetPaging(limits.short_offset_limit),
    reason: OptionalNullable(Type.Enum([...transactionReasons])),
  }),
  output: List('transactions', Transaction),
  paging: 'offset',
  implemented: true,
})
