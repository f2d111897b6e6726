import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTimeZone } from './time-zones.ts'

test('knows the names of the IANA database, and no other text', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Etc/GMT+3'])
    assert.equal(isTimeZone(name), true, name)
  for (const name of ['', '+01:00', '-03', 'Mars/Olympus', 'Europe/Berlin ', '../etc/passwd', 'Europe'])
    assert.equal(isTimeZone(name), false, name)
})
