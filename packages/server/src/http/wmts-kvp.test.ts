import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwsException, parseWmtsParameters, findWmtsOperation } from './wmts-kvp.ts'

test('reads parameter names and REQUEST values in any case', () => {
  assert.equal(findWmtsOperation({ REQUEST: 'GetTile' }, 'usual'), 'items.tile.wmts_get_tile')
  assert.equal(findWmtsOperation({}, 'usual'), 'usual')
  assert.deepEqual(
    parseWmtsParameters({ Request: 'gettile', TileMatrix: '3', format: 'image/png', other: '1' }, 'layer'),
    {
      z: '3',
      format: 'png',
    },
  )
})

test('rejects or ignores names of Object.prototype members', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty']) {
    assert.equal(findWmtsOperation({ request: name }, 'usual'), 'usual')
    assert.throws(
      () => parseWmtsParameters({ request: name }, 'layer'),
      (error) => error instanceof OwsException && error.code === 'OperationNotSupported',
    )
    assert.deepEqual(parseWmtsParameters({ [name.toLowerCase()]: '1' }, 'layer'), {})
    assert.deepEqual(parseWmtsParameters({ format: name }, 'layer'), { format: name })
  }
})
