import Type from 'typebox'
import { operation } from '../operation.ts'
import { List, offsetPaging } from '../paging.ts'
import { limits } from '../limits.ts'
import { Balance } from '../shapes/balance.ts'
import { Input, Maybe, NoInput } from '../shapes/primitives.ts'
import { Transaction, transactionReasons } from '../shapes/transaction.ts'

export const billingCreditsBalance = operation({
  id: 'billing.credits.balance',
  scope: 'billing:read',
  effect: 'read',
  summary: 'Read the credits that are available and held, with the lots they come from.',
  input: NoInput,
  output: Balance,
  answered: true,
})

export const billingCreditsTransactions = operation({
  id: 'billing.credits.transactions',
  scope: 'billing:read',
  effect: 'read',
  summary: 'List the transactions of the wallet, newest first.',
  input: Input({
    ...offsetPaging(limits.short_offset_limit),
    reason: Maybe(Type.Enum([...transactionReasons])),
  }),
  output: List('transactions', Transaction),
  paging: 'offset',
  answered: true,
})
