import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLinearization, type HistoryAct } from './linearize.ts'
import { applyCommand, emptyWallet, type Command, type ModelWallet } from './model.ts'

const grant = { do: 'grant', at: 1, name: 'lot', kind: 'purchase', amount: 10, priority: 50, expiresAt: null } as const
const withdraw = { do: 'withdraw', at: 2, amount: 10 } as const
const read = { do: 'read', at: 3 } as const

const granted = applyCommand(emptyWallet(), grant).wallet

/** The act of a command on a wallet, between invocation and response. */
function createAct(wallet: ModelWallet, command: Command, invoked: number, answered: number): HistoryAct {
  const { answer, ...trace } = applyCommand(wallet, command).outcome
  return { command, answer, left: trace, invoked, answered }
}

const linearize = (...acts: readonly HistoryAct[]) =>
  findLinearization(
    emptyWallet(),
    acts,
    () => null,
    () => 0,
  )

test('concurrent acts can be linearized in any order', () => {
  const early = createAct(emptyWallet(), read, 1, 4)
  assert.ok(linearize(early, createAct(emptyWallet(), grant, 2, 3)).wallet)
  const late = createAct(granted, read, 1, 4)
  assert.ok(linearize(late, createAct(emptyWallet(), grant, 2, 3)).wallet)
})

test('a read that misses an act completed before it has no linearization', () => {
  const stale = createAct(emptyWallet(), read, 3, 4)
  const { wallet, longest } = linearize(createAct(emptyWallet(), grant, 1, 2), stale)
  assert.equal(wallet, null)
  assert.equal(longest.length, 1)
})

test('two withdrawals of the same credits have no linearization', () => {
  const took = (invoked: number) => createAct(granted, withdraw, invoked, 9)
  const { wallet } = linearize(createAct(emptyWallet(), grant, 1, 2), took(3), took(4))
  assert.equal(wallet, null)
})

test('an act without a response is either applied or not', () => {
  const lost = (trace: HistoryAct['left']): HistoryAct => ({
    ...createAct(emptyWallet(), grant, 1, Infinity),
    answer: null,
    left: trace,
  })
  const { answer: _, ...trace } = applyCommand(emptyWallet(), grant).outcome
  assert.ok(linearize(lost({ entries: [], events: [] }), createAct(emptyWallet(), read, 2, 3)).wallet)
  assert.ok(linearize(lost(trace), createAct(granted, read, 2, 3)).wallet)
  assert.equal(linearize(lost({ entries: [], events: [] }), createAct(granted, read, 2, 3)).wallet, null)
})

test('a linearization is rejected when the final state is wrong', () => {
  const acts = [createAct(emptyWallet(), grant, 1, 2)]
  const { wallet, problem } = findLinearization(
    emptyWallet(),
    acts,
    ({ lots }) => (lots.has('lot') ? 'there is a lot' : null),
    () => 0,
  )
  assert.deepEqual([wallet, problem], [null, 'there is a lot'])
})
