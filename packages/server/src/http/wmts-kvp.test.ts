import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OgcException, readWmts, requestedOf } from './wmts-kvp.ts'

test('reads parameter names and REQUEST values in any case', () => {
  assert.equal(requestedOf({ REQUEST: 'GetTile' }, 'usual'), 'items.tile.wmts_get_tile')
  assert.equal(requestedOf({}, 'usual'), 'usual')
  assert.deepEqual(readWmts({ Request: 'gettile', TileMatrix: '3', format: 'image/png', other: '1' }, 'layer'), {
    z: '3',
    format: 'png',
  })
})

test('rejects or ignores names of Object.prototype members', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
    assert.equal(requestedOf({ request: name }, 'usual'), 'usual')
    assert.throws(
      () => readWmts({ request: name }, 'layer'),
      (error) => error instanceof OgcException && error.code === 'OperationNotSupported',
    )
    assert.deepEqual(readWmts({ [name.toLowerCase()]: '1' }, 'layer'), {})
    assert.deepEqual(readWmts({ format: name }, 'layer'), { format: name })
  }
})
