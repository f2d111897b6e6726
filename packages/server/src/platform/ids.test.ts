import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deriveId,
  isIdOlderThan,
  findLowestIdAfter,
  findLowestIdBefore,
  newId,
  createSandboxUuid,
  createRequestId,
  randomIntegerBelow,
  randomText,
} from './ids.ts'

test('ids are UUIDs of version 7 with the current time', () => {
  const before = Date.now()
  const id = newId()
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const time = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
  assert.ok(time >= before && time <= Date.now() + 50)
})

test('ids increase strictly, also within a millisecond', () => {
  const ids = Array.from({ length: 50_000 }, () => newId())
  assert.ok(ids.every((id, index) => index === 0 || id > ids[index - 1]!))
  assert.equal(new Set(ids.map((id) => id.slice(19))).size, ids.length, 'the random part repeats')
})

test('the lowest id before another one is made so long before it, and sorts before all ids of that time', () => {
  const id = '01a21b8d-be68-771c-bcfe-8b6effb935f6'
  assert.equal(findLowestIdBefore(id, 0), '01a21b8d-be68-0000-0000-000000000000')
  assert.equal(findLowestIdBefore(id, 0xbe69), '01a21b8c-ffff-0000-0000-000000000000')
  assert.equal(findLowestIdBefore('00000000-0001-7000-8000-000000000000', 5), '00000000-0000-0000-0000-000000000000')
})

test('the lowest id after an entity is a day below its id, and the lowest of all if its id has no time', () => {
  const id = '01A21B8D-BE68-771C-BCFE-8B6EFFB935F6'
  assert.equal(findLowestIdAfter(id), findLowestIdBefore(id, 86_400_000))
  for (const timeless of [deriveId('x'), createSandboxUuid(), 'x', ''])
    assert.equal(findLowestIdAfter(timeless), '00000000-0000-0000-0000-000000000000')
})

test('the age of an id is that of its time, and ids without a time are not old', () => {
  const hour_ms = 3_600_000
  const old = `${findLowestIdBefore(newId(), hour_ms).slice(0, 13)}-7000-8000-000000000000`
  assert.deepEqual([isIdOlderThan(old, hour_ms / 2), isIdOlderThan(old, 2 * hour_ms)], [true, false])
  assert.equal(isIdOlderThan(old.toUpperCase(), hour_ms / 2), true)
  for (const other of [newId(), deriveId('x'), 'x', '']) assert.equal(isIdOlderThan(other, 1000), false)
})

test('random text has the requested length and only letters and digits', () => {
  for (const length of [0, 1, 32, 1000]) assert.match(randomText(length), new RegExp(`^[0-9A-Za-z]{${length}}$`))
  assert.notEqual(randomText(32), randomText(32))
})

test('a random number is below its bound', () => {
  for (let times = 0; times < 1000; times++) {
    const number = randomIntegerBelow(3)
    assert.ok(number >= 0 && number < 3)
  }
})

test('request ids are unique', () => {
  assert.equal(new Set(Array.from({ length: 1000 }, createRequestId)).size, 1000)
})
