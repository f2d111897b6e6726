import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOrder, type Act } from './linearize.ts'
import { apply, emptyWallet, type Command, type Wallet } from './model.ts'

const grant = { do: 'grant', at: 1, name: 'lot', kind: 'purchase', amount: 10, priority: 50, ends: null } as const
const withdraw = { do: 'withdraw', at: 2, amount: 10 } as const
const read = { do: 'read', at: 3 } as const

const granted = apply(emptyWallet(), grant).wallet

/** The act of a command on a wallet, between invocation and response. */
function act(wallet: Wallet, command: Command, invoked: number, answered: number): Act {
  const { answer, ...left } = apply(wallet, command).outcome
  return { command, answer, left, invoked, answered }
}

const orderOf = (...acts: readonly Act[]) =>
  findOrder(
    emptyWallet(),
    acts,
    () => null,
    () => 0,
  )

test('concurrent acts can be linearized in any order', () => {
  const early = act(emptyWallet(), read, 1, 4)
  assert.ok(orderOf(early, act(emptyWallet(), grant, 2, 3)).wallet)
  const late = act(granted, read, 1, 4)
  assert.ok(orderOf(late, act(emptyWallet(), grant, 2, 3)).wallet)
})

test('a read that misses an act completed before it has no linearization', () => {
  const stale = act(emptyWallet(), read, 3, 4)
  const { wallet, longest } = orderOf(act(emptyWallet(), grant, 1, 2), stale)
  assert.equal(wallet, null)
  assert.equal(longest.length, 1)
})

test('two withdrawals of the same credits have no linearization', () => {
  const took = (invoked: number) => act(granted, withdraw, invoked, 9)
  const { wallet } = orderOf(act(emptyWallet(), grant, 1, 2), took(3), took(4))
  assert.equal(wallet, null)
})

test('an act without a response is either applied or not', () => {
  const lost = (left: Act['left']): Act => ({
    ...act(emptyWallet(), grant, 1, Infinity),
    answer: null,
    left,
  })
  const { answer: _, ...trace } = apply(emptyWallet(), grant).outcome
  assert.ok(orderOf(lost({ entries: [], told: [] }), act(emptyWallet(), read, 2, 3)).wallet)
  assert.ok(orderOf(lost(trace), act(granted, read, 2, 3)).wallet)
  assert.equal(orderOf(lost({ entries: [], told: [] }), act(granted, read, 2, 3)).wallet, null)
})

test('a linearization is rejected when the final state is wrong', () => {
  const acts = [act(emptyWallet(), grant, 1, 2)]
  const { wallet, complaint } = findOrder(
    emptyWallet(),
    acts,
    ({ lots }) => (lots.has('lot') ? 'there is a lot' : null),
    () => 0,
  )
  assert.deepEqual([wallet, complaint], [null, 'there is a lot'])
})
