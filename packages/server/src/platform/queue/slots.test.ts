import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createTaskSlots } from './slots.ts'

const long_after_ms = 100

/** Slots whose attempts become long when the test says so. */
function manualSlots(t: TestContext, count: number, max_long: number) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const slots = createTaskSlots(count, 2, { long_after_ms, max_long })
  const { signal } = new AbortController()
  return {
    slots,
    begin: async (task: string, group: string) => {
      assert.ok(await slots.take(task, signal))
      return slots.begin(task, group)
    },
    becomeLong: () => t.mock.timers.tick(long_after_ms),
  }
}

test('an attempt that takes long gives its slot back', async (t) => {
  const { slots, begin, becomeLong } = manualSlots(t, 2, 8)
  for (let round = 0; round < 3; round++) {
    const attempt = await begin('work', 'a')
    assert.equal(slots.hasFree('work'), false, 'no kind has all slots')
    becomeLong()
    assert.equal(slots.hasFree('work'), true)
    attempt.end()
    assert.equal(slots.hasFree('work'), true)
  }
})

test('a group is full with as many attempts at one task as there are slots, until one ends', async (t) => {
  const { slots, begin, becomeLong } = manualSlots(t, 2, 8)
  const first = await begin('work', 'a')
  becomeLong()
  assert.deepEqual(slots.listFullGroups('work'), [])
  await begin('work', 'a')
  becomeLong()
  await begin('work', 'b')
  assert.deepEqual(slots.listFullGroups('work'), ['a'])
  assert.deepEqual(slots.listFullGroups('other'), [])
  assert.equal(first.end(), true)
  assert.deepEqual(slots.listFullGroups('work'), [])
})

test('once half of the long attempts are taken, each further group has one, and at the end attempts keep their slots', async (t) => {
  const { slots, begin, becomeLong } = manualSlots(t, 2, 4)
  const attempts = []
  for (const group of ['a', 'a', 'b', 'c']) {
    attempts.push(await begin('work', group))
    becomeLong()
  }
  assert.deepEqual(slots.listFullGroups('work'), ['a', 'b', 'c'])
  await begin('work', 'd')
  becomeLong()
  assert.equal(slots.hasFree('work'), false)
  attempts[0]!.end()
  assert.equal(slots.hasFree('work'), true, 'the attempt of d is now one of the long ones')
})
