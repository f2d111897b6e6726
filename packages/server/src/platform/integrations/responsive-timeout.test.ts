import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startStallAwareTimeout, type TimerSource } from './responsive-timeout.ts'

/** Timers that fire when the test lets time pass; a stall is time in which none fires. */
function createManualTimers() {
  let now_ms = 0
  let pending: { readonly at_ms: number; readonly callback: () => void } | null = null
  let arrived: (() => void)[] = []
  const source: TimerSource = {
    now_ms: () => now_ms,
    schedule: (delay_ms, callback) => {
      pending = { at_ms: now_ms + delay_ms, callback }
      return () => (pending = null)
    },
    afterReads: (callback) => {
      for (const read of arrived.splice(0)) read()
      callback()
    },
  }
  const fireDue = (): void => {
    const due = pending
    pending = null
    due?.callback()
  }
  return {
    source,
    pass: (milliseconds: number): void => {
      const end_ms = now_ms + milliseconds
      while (pending && pending.at_ms <= end_ms) {
        now_ms = pending.at_ms
        fireDue()
      }
      now_ms = end_ms
    },
    stall: (milliseconds: number): void => {
      now_ms += milliseconds
      if (pending && pending.at_ms <= now_ms) fireDue()
    },
    /** Queues a read that is made as soon as the process reads again. */
    arrive: (read: () => void): void => void (arrived = [...arrived, read]),
    isPending: () => pending !== null,
  }
}

test('a timeout ends after its time while the process responds', () => {
  const timers = createManualTimers()
  let ended = 0
  startStallAwareTimeout(3000, () => (ended += 1), timers.source)
  timers.pass(2999)
  assert.equal(ended, 0)
  timers.pass(1)
  assert.equal(ended, 1)
  timers.pass(10_000)
  assert.equal(ended, 1)
})

test('a stall of the process counts as one part of the timeout, wherever it happens', () => {
  for (const before_ms of [0, 1000, 2600]) {
    const timers = createManualTimers()
    let ended = 0
    startStallAwareTimeout(3000, () => (ended += 1), timers.source)
    timers.pass(before_ms)
    timers.stall(60_000)
    assert.equal(ended, 0, `after ${before_ms} ms`)
    timers.pass(3000 - before_ms)
    assert.equal(ended, 1, `after ${before_ms} ms`)
  }
})

test('a response that arrived during a stall at the end of the timeout is read before it ends', () => {
  const timers = createManualTimers()
  let ended = 0
  const stop = startStallAwareTimeout(3000, () => (ended += 1), timers.source)
  timers.pass(2900)
  timers.arrive(stop)
  timers.stall(60_000)
  assert.equal(ended, 0)
})

test('timers that fire a little late add their delay, so that a timeout stays near its time', () => {
  const timers = createManualTimers()
  let ended = 0
  startStallAwareTimeout(3000, () => (ended += 1), timers.source)
  for (let late = 0; late < 6; late += 1) timers.stall(490)
  assert.equal(ended, 0)
  timers.stall(490)
  assert.equal(ended, 1)
})

test('a stopped timeout has no timer', () => {
  const timers = createManualTimers()
  const stop = startStallAwareTimeout(3000, () => assert.fail('ended'), timers.source)
  timers.pass(1000)
  stop()
  assert.equal(timers.isPending(), false)
  timers.pass(10_000)
})
