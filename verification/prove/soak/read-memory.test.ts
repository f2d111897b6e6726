import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attributeMemory, computeSlope } from './read-memory.ts'

test('computeSlope returns the slope of the best-fitting line', () => {
  assert.equal(computeSlope([5]), 0)
  assert.equal(computeSlope([3, 5, 7, 9]), 2)
  assert.equal(computeSlope([1, -1, -1, 1]), 0)
})

const mapping = (range: string, permissions: string, resident_kB: number, name = ''): string =>
  `${range} ${permissions} 00000000 00:00 0 ${name}\nSize: 4 kB\nRss: ${resident_kB} kB\nPss: 1 kB\n`

test('attributeMemory tells files, malloc and linear memories of WebAssembly apart', () => {
  const smaps = [
    mapping('00400000-00500000', 'r-xp', 100, '/usr/bin/node'),
    mapping('0565d000-05689000', 'rw-p', 1),
    mapping('18a03000-18cc8000', 'rw-p', 20, '[heap]'),
    mapping('7fb024000000-7fb024021000', 'rw-p', 30),
    mapping('7fb024021000-7fb028000000', '---p', 0),
    mapping('7fb0b8fb0000-7fb0bed70000', 'rw-p', 400),
    mapping('7fb0bed70000-7fb2b8fb0000', '---p', 0),
    mapping('7ffc5170d000-7ffc5172e000', 'rw-p', 5, '[stack]'),
  ].join('')
  assert.deepEqual(attributeMemory(smaps), {
    files: 100 * 1024,
    malloc: 50 * 1024,
    webassembly: 400 * 1024,
    other: 6 * 1024,
  })
})
