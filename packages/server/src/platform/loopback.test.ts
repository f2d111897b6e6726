import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLoopback } from './loopback.ts'

test('only names and addresses of this machine are loopback', () => {
  for (const host of [
    '127.0.0.1',
    '127.8.9.10',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    'localhost',
    'a.LOCALHOST',
    'localhost.',
  ]) {
    assert.equal(isLoopback(host), true, host)
  }
  for (const host of [
    '',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '128.0.0.1',
    '127.0.0.1.example',
    'notlocalhost',
    'localhost.example',
    '127.1.evil',
  ]) {
    assert.equal(isLoopback(host), false, host)
  }
})
